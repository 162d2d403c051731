internal import Crypto
internal import JSONValue
internal import Requests

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The MD5 of a slice of a file, which is an ETag's and no proof of anything.
enum MD5Digest {
  static func hex(of file: FileSlice) throws(FileError) -> String {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: file.path, reason: .current) }
    defer { close(descriptor) }
    var hash = Insecure.MD5()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while offset < file.count {
      let wanted = min(buffer.count, file.count - offset)
      let got = pread(descriptor, &buffer, wanted, off_t(file.offset + offset))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw .changed(path: file.path) }
      hash.update(data: buffer[..<got])
      offset += got
    }
    return hash.finalize().hex
  }
}
