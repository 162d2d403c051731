import POSIX
import Requests

extension FileSlice {
  /// All bytes of the slice, at most `limit`.
  func bytes(limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    guard count <= limit else { throw .unreadable(path: path, reason: SystemError(number: EFBIG)) }
    var all: [UInt8] = []
    all.reserveCapacity(count)
    try forEachChunk { all += $0 }
    return all
  }
}
