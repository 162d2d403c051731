#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Wakes a thread that waits for sockets.
final class Alarm: Sendable {
  /// Can be read from when the alarm was rung.
  let socket: Int32
  private let bell: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (socket, bell) = (ends[0], ends[1])
  }

  deinit {
    for end in [socket, bell] where end >= 0 { close(end) }
  }

  /// From any thread.
  func ring() {
    var byte: UInt8 = 0
    // A pipe that is full rings, too.
    _ = write(bell, &byte, 1)
  }

  /// On the thread that waits.
  func silence() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(socket, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}
