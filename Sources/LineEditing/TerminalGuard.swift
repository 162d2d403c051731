internal import POSIX

/// Keeps the terminal usable while a line is edited, whatever happens to the process.
///
/// Signals that end or stop the process first restore the terminal; those that concern the line become bytes on a pipe,
/// which the reader also waits on.
struct TerminalGuard {
  /// The meaning of a byte on the pipe.
  enum Event: UInt8 {
    case interrupted = 0x69
    case resized = 0x77
    case continued = 0x63
    case cancelled = 0x71
  }

  private static let events: [Int32] = [SIGINT, SIGWINCH, SIGCONT]
  private static let stops: [Int32] = [SIGTSTP]
  private static let ends: [Int32] = [
    SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
  ]

  let terminal: Terminal
  /// The modes to restore.
  let attributes: termios
  /// Where the terminal is written to.
  let output: Int32
  /// The write end of a pipe that does not block.
  let events: Int32

  /// Takes over the signals.
  func install() {
    guarded.pointee.terminal = terminal.descriptor
    guarded.pointee.output = output
    guarded.pointee.events = events
    guarded.pointee.attributes = attributes
    guarded.pointee.isActive = true
    _ = restoresAtExit
    for (number, handler) in Self.handlers {
      var action = sigaction()
      action.set(handler)
      sigaction(number, &action, &guarded.pointee.previous[number])
      // A signal that was ignored stays ignored.
      if guarded.pointee.previous[number].isIgnored { sigaction(number, &guarded.pointee.previous[number], nil) }
    }
  }

  /// Restores the terminal and the signals.
  func remove() {
    terminal.restore(attributes)
    for (number, _) in Self.handlers { sigaction(number, &guarded.pointee.previous[number], nil) }
    guarded.pointee.isActive = false
  }

  private static var handlers: [(number: Int32, handler: @convention(c) (Int32) -> Void)] {
    events.map { ($0, report) } + stops.map { ($0, stop) } + ends.map { ($0, end) }
  }
}

/// What the signal handlers need, in memory of its own: they may not allocate, lock or initialize.
private struct Guarded {
  var isActive = false
  var terminal: Int32 = -1
  var output: Int32 = -1
  var events: Int32 = -1
  var attributes = termios()
  var previous = PreviousActions()
}

/// The previous actions by signal number, without an array's buffer.
private struct PreviousActions {
  private var actions: UnsafeMutablePointer<sigaction>

  init() {
    actions = .allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
  }

  subscript(number: Int32) -> sigaction {
    get { actions[Int(number)] }
    set { actions[Int(number)] = newValue }
  }
}

// SAFETY: written by the one thread that edits, before the handlers are installed; read by handlers afterwards. A
// process has one controlling terminal, and `EditLineEditor` allows only one read at a time on it.
nonisolated(unsafe) private let guarded: UnsafeMutablePointer<Guarded> = {
  let memory = UnsafeMutablePointer<Guarded>.allocate(capacity: 1)
  memory.initialize(to: Guarded())
  return memory
}()

/// For a process that calls `exit` while a line is edited.
private let restoresAtExit: Bool = {
  atexit { if guarded.pointee.isActive { putTerminalBack() } }
  return true
}()

extension sigaction {
  fileprivate mutating func set(_ handler: @escaping @convention(c) (Int32) -> Void) {
    sigemptyset(&sa_mask)
    sa_flags = Int32(SA_RESTART)
    #if canImport(Glibc)
      __sigaction_handler.sa_handler = handler
    #else
      __sigaction_u.__sa_handler = handler
    #endif
  }

  fileprivate var isIgnored: Bool {
    #if canImport(Glibc)
      let handler = __sigaction_handler.sa_handler
    #else
      let handler = __sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

// What follows runs in signal handlers: system calls only (signal-safety(7)).

private func report(_ number: Int32) {
  let code = errno
  var byte: UInt8 =
    switch number {
    case SIGINT: TerminalGuard.Event.interrupted.rawValue
    case SIGWINCH: TerminalGuard.Event.resized.rawValue
    default: TerminalGuard.Event.continued.rawValue
    }
  write(guarded.pointee.events, &byte, 1)
  errno = code
}

/// Stops the process here and now, and returns when it is continued.
private func stop(_ number: Int32) {
  let code = errno
  putTerminalBack()
  var ours = sigaction()
  var fallback = sigaction()
  sigemptyset(&fallback.sa_mask)
  sigaction(number, &fallback, &ours)
  var mask = sigset_t()
  sigemptyset(&mask)
  sigaddset(&mask, number)
  raise(number)
  pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  pthread_sigmask(SIG_BLOCK, &mask, nil)
  sigaction(number, &ours, nil)
  report(SIGCONT)
  errno = code
}

/// Restores the terminal and lets the signal do what it would have done.
private func end(_ number: Int32) {
  putTerminalBack()
  sigaction(number, &guarded.pointee.previous[number], nil)
  raise(number)
}

private func putTerminalBack() {
  tcsetattr(guarded.pointee.terminal, TCSANOW, &guarded.pointee.attributes)
  BracketedPaste.withDisablingBytes { _ = write(guarded.pointee.output, $0.baseAddress, $0.count) }
}
