internal import RequestProgram

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What a program of the user's writes: `gh auth token`.
enum CommandOutput {
  private static let limit = 1 << 20

  /// Runs the line with the shell, without standard input; errors go where this process writes its own.
  @Sendable static func of(_ command: String) throws(CommandError) -> String {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure("can not be run: \(reason(errno))", command) }
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    let child = try start(command, reader, writer)

    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while output.count <= limit {
      let got = read(reader, &buffer, buffer.count)
      if got > 0 { output += buffer[..<got] } else if got == 0 || errno != EINTR { break }
    }
    if output.count > limit { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR { continue }

    if output.count > limit { throw failure("wrote more than 1 MiB, which is no secret", command) }
    if status & 0x7F != 0 { throw failure("was ended by signal \(status & 0x7F)", command) }
    let code = status >> 8 & 0xFF
    if code == 127 { throw failure("was not found", command) }
    if code != 0 { throw failure("ended with exit code \(code)", command) }
    guard let text = String(validating: output, as: UTF8.self) else {
      throw failure("wrote what is no UTF-8", command)
    }
    return text
  }

  private static func start(_ command: String, _ reader: Int32, _ writer: Int32) throws(CommandError) -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writer, STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, reader)
    posix_spawn_file_actions_addclose(&actions, writer)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    // Only the program may hold this end, or its output would never end here.
    defer { close(writer) }
    let result = posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ)
    guard result == 0 else { throw failure("can not be run: \(reason(result))", command) }
    return child
  }

  private static func failure(_ what: String, _ command: String) -> CommandError {
    CommandError("the program \"\(command)\" \(what)")
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
