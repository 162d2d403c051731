import POSIX

/// A program of the user's that is run for its output: `gh auth token`.
struct RunningCommand: ~Copyable {
  /// Ends when the program closes it.
  let output: Int32
  private let line: String
  private let process: ShellProcess

  /// Runs the line in the shell, without standard input; errors go to this process's standard error.
  init(_ line: String) throws(SecretSourceError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .command(line, .notStarted(.current)) }
    // Another program started in the meantime must not inherit the write end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Only the program may hold this end, or its output would never end here.
    defer { close(ends[1]) }
    switch ShellProcess.start(line, input: .null, output: .descriptor(ends[1])) {
    case .started(let process): self.process = process
    case .failed(let number):
      close(ends[0])
      throw .command(line, .notStarted(SystemError(number: number)))
    }
    self.line = line
    output = ends[0]
  }

  deinit { close(output) }

  /// Waits for the program.
  ///
  /// - Throws: `SecretSourceError.command` if it failed.
  func waitForEnd() throws(SecretSourceError) {
    switch process.wait() {
    case .exited(0): break
    case .exited(127): throw .command(line, .unknown)
    case .exited(let code): throw .command(line, .exited(code))
    case .signalled(let signal): throw .command(line, .signalled(signal))
    }
  }

  func stop() { process.stop() }
}
