internal import POSIX
internal import Requests

/// The user's pager, `$PAGER` or less, which gets `LESS=-RXF` unless the user has set it (colors, no alternate screen,
/// a text that fits is just shown), and reads UTF-8 under any locale.
struct Pager: Sendable {
  private let command: String
  private let environment: [String: String]

  init(environment: [String: String]) {
    command = environment["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less"
    self.environment = environment.merging(["LESS": "-RXF", "LESSCHARSET": "utf-8"]) { own, _ in own }
  }

  /// Shows the text and waits until the user has seen enough; without a pager it is written as it is.
  func show(_ text: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return Self.write(text, to: STDOUT_FILENO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // ^C is the pager's while it runs.
    let interrupt = signal(SIGINT, SIG_IGN)
    defer { _ = signal(SIGINT, interrupt) }
    // 127 says that there is no such program.
    let line = "command -v \(command.prefix { $0 != " " }) >/dev/null || exit 127; exec \(command)"
    let start = ShellProcess.start(line, environment: environment, input: .descriptor(ends[0]))
    close(ends[0])
    switch start {
    case .started(let process):
      Self.write(text, to: ends[1])
      close(ends[1])
      if process.wait() == .exited(127) { Self.write(text, to: STDOUT_FILENO) }
    case .failed:
      close(ends[1])
      Self.write(text, to: STDOUT_FILENO)
    }
  }

  private static func write(_ text: String, to descriptor: Int32) { try? FileBytes.write(text.utf8, to: descriptor) }
}
