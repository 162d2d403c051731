internal import Formats
internal import Presentation
internal import Sessions
internal import Synchronization

/// The files of a suite that are running: a line on a terminal; elsewhere a plain one every ten seconds.
final class SuiteProgress: Sendable {
  private struct State {
    var running: [String] = []
    var done = 0
    var failed = 0
  }

  private let count: Int
  private let began: Duration
  private let now: @Sendable () -> Duration
  private let line: ProgressLine
  private let state = Mutex(State())

  init(count: Int, output: World.Output, now: @escaping @Sendable () -> Duration) {
    self.count = count
    self.now = now
    began = now()
    line = ProgressLine(output: output, now: now)
  }

  func begin(_ path: String) {
    state.withLock { $0.running.append(path) }
    show()
  }

  func end(_ path: String, succeeded: Bool) {
    state.withLock { state in
      if let index = state.running.firstIndex(of: path) { state.running.remove(at: index) }
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
    words.append(shown.running.prefix(2).joined(separator: ", ") + (shown.running.count > 2 ? ", …" : ""))
    return words.joined(separator: "  ")
  }

  private func show() {
    let shown = state.withLock { $0 }
    guard shown.done < count else { return }
    line.show { now in text(of: shown, now: now) }
  }
}
