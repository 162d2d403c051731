internal import Requests
internal import Sessions

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs a program that was typed after `|`: it reads what it is given; what it writes is handed over, unless it needs
/// the terminal.
enum ProgramPipe {
  static func run(
    _ program: PipedProgram, output: @escaping @Sendable ([UInt8]) -> Void,
    errorOutput: @escaping @Sendable ([UInt8]) -> Void
  ) throws -> PipedProgram.End {
    var input: [Int32] = [-1, -1]
    var results: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    let takesTerminal = program.needsTerminal
    defer { for end in input + results + errors where end >= 0 { close(end) } }
    guard pipe(&input) == 0, takesTerminal || (pipe(&results) == 0 && pipe(&errors) == 0) else {
      return .failed(.current)
    }
    for end in input + results + errors where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // ^C is the program's while it runs.
    let interrupt = signal(SIGINT, SIG_IGN)
    defer { _ = signal(SIGINT, interrupt) }
    let process: pid_t
    switch spawn(program.command, input[0], results[1], errors[1]) {
    case .success(let started): process = started
    case .failure(let error): return .failed(error)
    }
    for end in [input[0], results[1], errors[1]] where end >= 0 { close(end) }
    (input[0], results[1], errors[1]) = (-1, -1, -1)
    // Its input is written beside its output being read: either may wait for the other.
    let writer = Writer(to: input[1], program)
    input[1] = -1
    let thread = writer.start()
    if !takesTerminal { read([(results[0], output), (errors[0], errorOutput)]) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR { continue }
    if let thread { pthread_join(thread, nil) }
    let ending = status & 0x7F
    return ending == 0 ? .exited(status >> 8 & 0xFF) : .signalled(ending)
  }

  /// Reads all of them until each ends.
  private static func read(_ streams: [(descriptor: Int32, take: @Sendable ([UInt8]) -> Void)]) {
    var entries = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while entries.contains(where: { $0.fd >= 0 }) {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      for index in entries.indices where entries[index].revents != 0 {
        let count = buffer.withUnsafeMutableBytes { buffer in
          #if canImport(Glibc)
            Glibc.read(entries[index].fd, buffer.baseAddress, buffer.count)
          #else
            Darwin.read(entries[index].fd, buffer.baseAddress, buffer.count)
          #endif
        }
        if count > 0 {
          streams[index].take(Array(buffer[..<count]))
        } else if count == 0 || errno != EINTR {
          entries[index].fd = -1
        }
      }
    }
  }

  /// - Parameter output: a negative descriptor: the terminal.
  private static func spawn(
    _ command: String, _ input: Int32, _ output: Int32, _ errors: Int32
  ) -> Result<pid_t, SystemError> {
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
    if output >= 0 { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if errors >= 0 { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    // It need not ignore what this process ignores.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGINT)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
    return result == 0 ? .success(process) : .failure(SystemError(number: result))
  }

  /// Writes the program's input, on a thread of its own.
  private final class Writer: Sendable {
    private let descriptor: Int32
    private let program: PipedProgram

    init(to descriptor: Int32, _ program: PipedProgram) {
      self.descriptor = descriptor
      self.program = program
    }

    func start() -> pthread_t? {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(self).toOpaque()
      let failure = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Writer>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
      if failure == 0 { return thread }
      Unmanaged<Writer>.fromOpaque(context).release()
      close(descriptor)
      return nil
    }

    private func run() {
      // A program that reads no more is none of our business: `| head -1`.
      try? program.input { piece in (try? FileBytes.write(piece, to: descriptor)) != nil }
      close(descriptor)
    }
  }
}
