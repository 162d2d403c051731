/// A line that the shell runs as a program of its own.
package struct ShellProcess: Sendable {
  /// Where one of its standard streams goes, or comes from.
  package enum Stream: Sendable {
    /// This process's own.
    case inherited
    /// A descriptor of this process.
    case descriptor(Int32)
    /// Nothing: it ends immediately.
    case null
  }

  /// How it ended.
  package enum End: Hashable, Sendable {
    /// 127: the shell did not find the program.
    case exited(Int32)
    case signalled(Int32)
  }

  private let process: pid_t

  /// Starts it. It ignores no signal that this process ignores: ^C and a pipe without a reader end it.
  ///
  /// - Parameters:
  ///   - line: a command of the shell.
  ///   - arguments: `$1`, `$2`, … of the line.
  ///   - environment: nil: this process's own.
  /// - Returns: the number of the error if it could not be started.
  package static func start(
    _ line: String, arguments: [String] = [], environment: [String: String]? = nil, input: Stream = .inherited,
    output: Stream = .inherited, errorOutput: Stream = .inherited
  ) -> StartResult {
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
    for (stream, standard) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errorOutput, STDERR_FILENO)] {
      switch stream {
      case .inherited: break
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
      case .null: posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
      }
    }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGINT)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = (["sh", "-c", line, "sh"] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
    defer { (words + (variables ?? [])).forEach { free($0) } }
    var process: pid_t = 0
    let failure =
      if let variables {
        posix_spawn(&process, "/bin/sh", &actions, &attributes, words, variables)
      } else {
        posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
      }
    return failure == 0 ? .started(ShellProcess(process: process)) : .failed(number: failure)
  }

  package enum StartResult: Sendable {
    case started(ShellProcess)
    /// An `errno`.
    case failed(number: Int32)
  }

  /// Waits for it.
  package func wait() -> End {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR { continue }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Ends it whatever it does, and waits for it.
  package func stop() {
    kill(process, SIGKILL)
    _ = wait()
  }
}
