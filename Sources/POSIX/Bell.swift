/// Wakes a thread.
package struct Bell: Sendable {
  private let reading: Int32
  private let writing: Int32

  /// - Returns: nil if there are too many open files.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  package func ring() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until it rings.
  ///
  /// - Parameter socket: the thread wakes when there is something to read there, too; -1: there is none.
  /// - Returns: false: nobody can ring any more.
  package func wait(_ duration: Duration, alsoFor socket: Int32 = -1) -> Bool {
    var entries = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(min(3_600_000, max(0, (duration / .milliseconds(1)).rounded(.up))))
    guard poll(&entries, 2, milliseconds) > 0, entries[0].revents != 0 else { return true }
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while true {
      let count = read(reading, &bytes, bytes.count)
      if count == 0 {
        _ = POSIX.close(reading)
        return false
      }
      if count < 0 { return true }
    }
  }

  /// Ends the waiting: the thread that waits closes its end.
  package func close() { _ = POSIX.close(writing) }
}
