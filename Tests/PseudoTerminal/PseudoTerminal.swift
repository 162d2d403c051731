public import Glibc

/// A program in a pseudo-terminal, typed into and observed byte by byte.
public final class PseudoTerminal {
  public struct TimedOut: Error, CustomStringConvertible {
    let waitedFor: String
    let seen: String
    public var description: String { "waited for \(waitedFor.debugDescription), saw \(seen.debugDescription)" }
  }

  public struct Failed: Error {
    let code: Int32
  }

  public let process: pid_t
  /// The terminal's modes before the program was started.
  public let initialModes: [UInt32]
  private let master: Int32
  private let slave: Int32
  private var seen: [UInt8] = []

  /// Starts the program, with few environment variables of its own: no locale, no home.
  public init(
    running executable: String, _ arguments: [String] = [], environment: [String: String] = [:], columns: UInt16 = 80,
    rows: UInt16 = 24
  ) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Failed(code: errno) }
    self.master = master
    self.slave = slave
    initialModes = Self.modes(of: slave)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    var name = [CChar](repeating: 0, count: 128)
    guard ttyname_r(slave, &name, name.count) == 0 else { throw Failed(code: errno) }

    let variables = ["TERM": "xterm-256color", "LC_ALL": "C", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
      .merging(SanitizerOptions.inherited) { $1 }
      .merging(environment) { $1 }
    let arguments = ([executable] + arguments).map { strdup($0) } + [nil]
    let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A session of its own, whose controlling terminal is the first it opens: POSIX_SPAWN_SETSID of <spawn.h>.
    // What runs the tests in the background may ignore keys' signals; the program begins without that:
    // POSIX_SPAWN_SETSIGDEF.
    posix_spawnattr_setflags(&attributes, 0x80 | 0x04)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    actions.closeOthers()
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var process: pid_t = 0
    let failure = posix_spawn(&process, executable, &actions, &attributes, arguments, environment)
    guard failure == 0 else { throw Failed(code: failure) }
    self.process = process
  }

  deinit {
    kill(process, SIGKILL)
    close(master)
    close(slave)
  }

  public var modes: [UInt32] { Self.modes(of: slave) }

  private static func modes(of terminal: Int32) -> [UInt32] {
    var attributes = termios()
    tcgetattr(terminal, &attributes)
    return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag]
  }

  public func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    write(master, bytes, bytes.count)
  }

  public func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until `text` was written, and returns what came up to its end; what follows is for the next call.
  @discardableResult
  public func wait(for text: String, seconds: Double = 60) throws -> String {
    let wanted = Array(text.utf8)
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      if let range = seen.firstRange(of: wanted) {
        defer { seen.removeSubrange(..<range.upperBound) }
        return String(decoding: seen[..<range.upperBound], as: UTF8.self)
      }
      guard ContinuousClock.now < deadline, readMore() else {
        throw TimedOut(waitedFor: text, seen: String(decoding: seen, as: UTF8.self))
      }
    }
  }

  /// Waits for the prompt of the next read.
  public func waitForPrompt() throws {
    try wait(for: "\u{1B}[?2004h")
    try wait(for: "> ")
  }

  /// Types `keys` at a prompt, and returns what the program reports it read.
  public func answer(to keys: String) throws -> String {
    try waitForPrompt()
    type(keys)
    try wait(for: "\u{1B}[?2004l")
    try wait(for: "<")
    return String(try wait(for: ">\r\n").dropLast(2))
  }

  /// Waits for the program's end; negative if a signal ended it.
  public func exitCode() -> Int32 {
    var status: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(60)
    while waitpid(process, &status, WNOHANG) == 0 {
      guard ContinuousClock.now < deadline else { return .min }
      _ = readMore()
    }
    while readMore() {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }

  /// What was written and not waited for.
  public var rest: String { String(decoding: seen, as: UTF8.self) }

  private func readMore() -> Bool {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 100) > 0 else { return descriptor.revents == 0 && !isOver }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &bytes, bytes.count)
    if count > 0 { seen += bytes[..<count] }
    return count > 0
  }

  private var isOver: Bool { kill(process, 0) != 0 }
}
