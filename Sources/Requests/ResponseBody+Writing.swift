import POSIX

extension ResponseBody {
  /// Creates or replaces a file with these bytes: they are written beside it and moved into place when complete.
  public func write(to path: String) throws(FileError) {
    let temporary = "\(path).\(getpid()).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
    do throws(FileError) {
      try fill(descriptor, path: path)
      guard rename(temporary, path) == 0 else { throw .unwritable(path: path, reason: .current) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Writes these bytes and closes the file, once: its number may be another's from then on.
  private func fill(_ descriptor: Int32, path: String) throws(FileError) {
    do throws(FileError) {
      try write(to: descriptor, path: path)
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw .unwritable(path: path, reason: .current) }
  }

  /// Writes these bytes to an open file.
  package func write(to descriptor: Int32, path: String) throws(FileError) {
    var offset = 0
    while offset < count {
      let chunk = try bytes(from: offset, limit: 65_536)
      do throws(SystemError) {
        try FileBytes.write(chunk, to: descriptor)
      } catch {
        throw .unwritable(path: path, reason: error)
      }
      offset += chunk.count
    }
  }
}
