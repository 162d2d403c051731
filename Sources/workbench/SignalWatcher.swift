internal import POSIX
internal import Prompt
internal import Sessions

/// Turns SIGINT into interrupts: the handler writes a byte, a thread reads it and ends the innermost work.
/// A second ^C ends the process if nothing has reacted to the first.
enum SignalWatcher {
  /// - Parameter endsWhenTerminated: whether SIGTERM is an interrupt, too, so that what is done finally is done and
  ///   reports are written. Without it, it ends the process.
  /// - Returns: where the interrupts arrive.
  static func start(endsWhenTerminated: Bool = false) -> Interrupts {
    let interrupts = Interrupts()
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return interrupts }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = ends[0]
    writingEnd.pointee = ends[1]

    _ = SystemThread.detach {
      var byte: UInt8 = 0
      while read(reading, &byte, 1) == 1 {
        if byte == UInt8(SIGINT) { endEchoedLine() }
        if !interrupts.interrupt() { _exit(ExitCode.interrupted.rawValue) }
      }
    }
    for number in endsWhenTerminated ? [SIGINT, SIGTERM] : [SIGINT] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writingEnd.pointee, &byte, 1)
      }
    }
    return interrupts
  }

  /// What is written next begins a line of its own, and is not glued to the `^C` that the terminal shows.
  static func endEchoedLine() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0, modes.c_lflag & tcflag_t(ECHO) != 0,
      let screen = [STDERR_FILENO, STDOUT_FILENO].first(where: { isatty($0) == 1 })
    else { return }
    _ = write(screen, "\n", 1)
  }
}

// SAFETY: written once, before the handler that reads it is installed; the handler may not allocate or lock.
private nonisolated(unsafe) let writingEnd: UnsafeMutablePointer<Int32> = {
  let memory = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  memory.initialize(to: -1)
  return memory
}()
