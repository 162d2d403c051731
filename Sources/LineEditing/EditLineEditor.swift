internal import POSIX
internal import Synchronization

/// A line editor for a terminal, on libedit.
///
/// Each read happens on a thread of its own, because libedit blocks. The terminal is in editing mode only during a
/// read, and is left as it was found.
public final class EditLineEditor: LineEditor {
  public var isInteractive: Bool { true }
  public var columns: Int? { Terminal(descriptor: output)?.size.columns }

  private let output: Int32
  private let session: Mutex<EditLineSession>
  /// The write end of the pipe that wakes a read.
  private let wakeup: Int32

  /// - Parameters:
  ///   - input: where keys come from; a terminal.
  ///   - output: where the line is shown; a terminal.
  ///   - history: what the arrow keys and ^R go through. Nothing is added to it here.
  ///   - environment: `HOME` and `EDITRC` (for `~/.editrc`), `VISUAL`, `EDITOR`, `TMPDIR`, `TERM`, `NO_COLOR`.
  /// - Returns: nil unless both are terminals and there is a libedit.
  ///
  /// libedit itself looks up the process's `TERM`.
  public init?(input: Int32, output: Int32, history: History, environment: [String: String]) {
    guard let pipe = EventPipe(),
      let session = EditLineSession(
        input: input, output: output, events: pipe.reading, history: history, environment: environment)
    else { return nil }
    wakeup = pipe.writing
    self.output = output
    self.session = Mutex(session)
  }

  public func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput {
    await withTaskCancellationHandler {
      await onDedicatedThread {
        self.session.withLock { $0.readLine(prompt: prompt, completer: completer, wakeup: self.wakeup) }
      }
    } onCancel: {
      wake(.cancelled)
    }
  }

  private func wake(_ event: TerminalGuard.Event) {
    var byte = event.rawValue
    write(wakeup, &byte, 1)
  }
}

/// A pipe that never blocks. It lives as long as the process: a signal handler may hold its end.
private struct EventPipe {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    reading = ends[0]
    writing = ends[1]
  }
}
