#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ResponseBody {
  /// Creates or replaces a file with these bytes: they are written beside it and moved into place when complete.
  public func write(to path: String) throws(FileError) {
    let temporary = "\(path).\(getpid()).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
    do throws(FileError) {
      var offset = 0
      while offset < count {
        var rest = try bytes(from: offset, limit: 65_536)[...]
        offset += rest.count
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { Self.write(descriptor, $0) }
          if written > 0 {
            rest = rest.dropFirst(written)
          } else if errno != EINTR {
            throw .unwritable(path: path, reason: .current)
          }
        }
      }
      guard close(descriptor) == 0, rename(temporary, path) == 0 else {
        throw .unwritable(path: path, reason: .current)
      }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
