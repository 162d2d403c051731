internal import POSIX
internal import Requests
internal import Sessions

/// Standard output for a body that is passed on as it comes.
enum StandardOutput {
  static var pipe: BodyPipe {
    BodyPipe(write: write, whenUnread: whenUnread)
  }

  /// A pipe takes a few bytes without waiting when there is room at all: so ^C is seen while a slow reader is waited for.
  private static let pieceOfPipe = 4096

  private static func write(_ piece: [UInt8], isWanted: () -> Bool) -> BodyPipe.Outcome {
    var status = stat()
    let isFile = fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var rest = piece[...]
    while !rest.isEmpty {
      if !isFile {
        var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        let count = poll(&entry, 1, 100)
        if count == 0 {
          if !isWanted() { return .unread }
          continue
        }
        if count > 0, Int32(entry.revents) & POLLERR != 0 { return .unread }
      }
      let length = isFile ? rest.count : min(rest.count, pieceOfPipe)
      let written = rest.withUnsafeBytes { POSIX.write(STDOUT_FILENO, $0.baseAddress, length) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        return .unread
      } else if errno != EINTR, errno != EAGAIN {
        return .failed(.unwritable(path: "-", reason: .current))
      }
    }
    return .written
  }

  /// The writing end of a pipe reports an error as soon as its last reader is gone.
  private static func whenUnread(_ action: @escaping @Sendable () -> Void) {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
    _ = SystemThread.detach {
      var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&entry, 1, -1) < 0, errno == EINTR { continue }
      if Int32(entry.revents) & (POLLERR | POLLHUP) != 0 { action() }
    }
  }
}
