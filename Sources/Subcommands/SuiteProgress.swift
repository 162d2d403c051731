internal import Formats
internal import Presentation
internal import Sessions
internal import Synchronization

/// The files of a suite that are running: on a terminal one line each, below one about all; elsewhere a plain one every
/// ten seconds.
final class SuiteProgress: Sendable {
  private struct Running {
    let number: Int
    let path: String
    let began: Duration
    /// The label of what is being sent.
    var step: String?
  }

  private struct State {
    var running: [Running] = []
    var done = 0
    var failed = 0
  }

  /// A terminal that is narrower would break the lines, and they could not be removed again.
  private static let width = 78
  private static let mostLines = 12

  private let count: Int
  private let isTerminal: Bool
  private let began: Duration
  private let now: @Sendable () -> Duration
  private let line: ProgressLine
  private let state = Mutex(State())

  init(count: Int, output: World.Output, now: @escaping @Sendable () -> Duration) {
    self.count = count
    self.now = now
    isTerminal = output.isTerminal
    began = now()
    line = ProgressLine(output: output, now: now)
  }

  /// - Parameter number: which of the suite's runs it is.
  func begin(_ number: Int, _ path: String) {
    state.withLock { $0.running.append(Running(number: number, path: path, began: now())) }
    show()
  }

  /// A step of it is sent.
  func send(_ number: Int, step: String?) {
    state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.number == number }) else { return }
      state.running[index].step = step
    }
    show()
  }

  func end(_ number: Int, succeeded: Bool) {
    state.withLock { state in
      state.running.removeAll { $0.number == number }
      state.done += 1
      if !succeeded { state.failed += 1 }
    }
    show()
  }

  func clear() { line.clear() }

  private func text(of shown: State, now: Duration) -> String {
    var words = ["\(shown.done) of \(count) files"]
    if shown.failed > 0 { words.append("\(shown.failed) failed") }
    let seconds = (now - began) / .seconds(1)
    if shown.done > 0, seconds >= 1 {
      words.append("\(RunProgress.clock(seconds / Double(shown.done) * Double(count - shown.done))) left")
    }
    guard isTerminal else {
      words.append(shown.running.prefix(2).map(\.path).joined(separator: ", ") + (shown.running.count > 2 ? ", …" : ""))
      return words.joined(separator: "  ")
    }
    let lines = shown.running.prefix(Self.mostLines).map { Self.line(of: $0, now: now) }
    let rest = shown.running.count - lines.count
    return ([words.joined(separator: "  ")] + lines + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }

  /// `  tests/a.wb  0:03  create`
  private static func line(of running: Running, now: Duration) -> String {
    let time = RunProgress.clock((now - running.began) / .seconds(1))
    let end = "  \(time)" + (running.step.map { "  \($0.prefix(24))" } ?? "")
    let room = width - 2 - end.count
    // The end of a path says more than its beginning.
    let path = running.path.count > room ? "…\(running.path.suffix(room - 1))" : running.path
    return "  \(path)\(end)"
  }

  private func show() {
    let shown = state.withLock { $0 }
    guard shown.done < count else { return }
    line.show { now in text(of: shown, now: now) }
  }
}
