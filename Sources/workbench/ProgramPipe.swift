internal import POSIX
internal import Requests
internal import Sessions

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
    let process: ShellProcess
    let started = ShellProcess.start(
      program.isLive ? byLine : program.command, arguments: program.isLive ? [program.command] : [],
      input: .descriptor(input[0]), output: takesTerminal ? .inherited : .descriptor(results[1]),
      errorOutput: takesTerminal ? .inherited : .descriptor(errors[1]))
    switch started {
    case .started(let program): process = program
    case .failed(let number): return .failed(SystemError(number: number))
    }
    for end in [input[0], results[1], errors[1]] where end >= 0 { close(end) }
    (input[0], results[1], errors[1]) = (-1, -1, -1)
    // Its input is written beside its output being read: either may wait for the other.
    let toProgram = input[1]
    input[1] = -1
    let writer = SystemThread {
      // A program that reads no more is none of our business: `| head -1`.
      try? program.input { piece in (try? FileBytes.write(piece, to: toProgram)) != nil }
      close(toProgram)
    }
    if writer == nil { close(toProgram) }
    if !takesTerminal { read([(results[0], output), (errors[0], errorOutput)]) }
    let end = process.wait()
    if case .signalled(SIGINT) = end { SignalWatcher.endEchoedLine() }
    program.ended()
    writer?.join()
    return switch end {
    case .exited(let code): .exited(code)
    case .signalled(let signal): .signalled(signal)
    }
  }

  /// Runs its argument. Most programs keep what they write to a pipe until they have much of it: that of GNU makes those
  /// which use the C library's streams write line by line.
  private static let byLine = #"command -v stdbuf > /dev/null && exec stdbuf -oL sh -c "$1"; exec sh -c "$1""#

  /// Reads all of them until each ends.
  private static func read(_ streams: [(descriptor: Int32, take: @Sendable ([UInt8]) -> Void)]) {
    var entries = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while entries.contains(where: { $0.fd >= 0 }) {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      for index in entries.indices where entries[index].revents != 0 {
        let count = buffer.withUnsafeMutableBytes { buffer in
          POSIX.read(entries[index].fd, buffer.baseAddress, buffer.count)
        }
        if count > 0 {
          streams[index].take(Array(buffer[..<count]))
        } else if count == 0 || errno != EINTR {
          entries[index].fd = -1
        }
      }
    }
  }
}
