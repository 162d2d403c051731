import POSIX

/// A program of the user's that is run for its output: `gh auth token`.
struct RunningCommand: ~Copyable {
  /// Ends when the program closes it.
  let output: Int32
  private let line: String
  private let process: pid_t

  /// Runs the line in the shell, without standard input; errors go to this process's standard error.
  init(_ line: String) throws(SecretSourceError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .command(line, .notStarted(.current)) }
    // Another program started in the meantime must not inherit the write end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Only the program may hold this end, or its output would never end here.
    defer { close(ends[1]) }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(line), nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
    guard result == 0 else {
      close(ends[0])
      throw .command(line, .notStarted(SystemError(number: result)))
    }
    self.line = line
    self.process = process
    output = ends[0]
  }

  deinit { close(output) }

  /// Waits for the program.
  ///
  /// - Throws: `SecretSourceError.command` if it failed.
  func waitForEnd() throws(SecretSourceError) {
    let status = wait()
    let signal = status & 0x7F
    let code = status >> 8 & 0xFF
    if signal != 0 { throw .command(line, .signalled(signal)) }
    if code == 127 { throw .command(line, .unknown) }
    if code != 0 { throw .command(line, .exited(code)) }
  }

  func stop() {
    kill(process, SIGKILL)
    _ = wait()
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR { continue }
    return status
  }
}
