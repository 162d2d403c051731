internal import POSIX

/// Wakes a thread that waits for sockets.
final class Waker: Sendable {
  /// Readable after a call of ``wake()``.
  let socket: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (socket, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    for end in [socket, writeEnd] where end >= 0 { close(end) }
  }

  /// From any thread.
  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes the thread, too.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes what ``wake()`` wrote. On the waiting thread.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(socket, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}
