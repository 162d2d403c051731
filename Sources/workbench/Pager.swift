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
    let process = spawn(input: ends[0])
    close(ends[0])
    Self.write(text, to: process == nil ? STDOUT_FILENO : ends[1])
    close(ends[1])
    guard let process else { return }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // 127: the shell did not find it.
    if status >> 8 & 0xFF == 127 { Self.write(text, to: STDOUT_FILENO) }
  }

  private func spawn(input: Int32) -> pid_t? {
    let arguments = [
      "/bin/sh", "-c", "command -v \(command.prefix { $0 != " " }) >/dev/null || exit 127; exec \(command)",
    ]
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // The pager need not ignore what this process ignores.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGINT)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, words, variables) == 0 ? process : nil
  }

  private static func write(_ text: String, to descriptor: Int32) { try? FileBytes.write(text.utf8, to: descriptor) }
}
