import Requests

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileSlice {
  /// Hands the slice over in pieces of at most 256 KiB.
  ///
  /// - Throws: `FileError.changed` if the file is not what it was when it was looked at.
  func forEachChunk(_ body: ([UInt8]) -> Void) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: .current) }
    defer { close(descriptor) }
    guard try Identity(of: descriptor, path: path) == identity else { throw .changed(path: path) }
    var position = offset
    let end = offset + count
    while position < end {
      let wanted = min(262_144, end - position)
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        got = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
        filled = max(0, got)
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw .unreadable(path: path, reason: .current) }
      if got == 0 { throw .changed(path: path) }
      body(bytes)
      position += got
    }
  }

  /// All bytes of the slice, which are at most `limit`.
  func bytes(limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    guard count <= limit else { throw .unreadable(path: path, reason: SystemError(number: EFBIG)) }
    var all: [UInt8] = []
    all.reserveCapacity(count)
    try forEachChunk { all += $0 }
    return all
  }
}
