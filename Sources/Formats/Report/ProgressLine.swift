internal import Presentation
package import Sessions
internal import Synchronization

/// A line that is redrawn again and again on a terminal; elsewhere it is written as plain text, every ten seconds.
package final class ProgressLine: Sendable {
  private struct State {
    var shown: Duration?
    var isDrawn = false
  }

  private let output: World.Output
  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  package init(output: World.Output, now: @escaping @Sendable () -> Duration) {
    self.output = output
    self.now = now
  }

  /// Shows the line if it is time to.
  ///
  /// - Parameter isNews: whether a terminal shows it immediately.
  package func show(isNews: Bool = false, _ line: (_ now: Duration) -> String?) {
    let now = now()
    let text: String? = state.withLock { state in
      let pause: Duration = output.isTerminal ? .milliseconds(200) : .seconds(10)
      if !output.isTerminal, state.shown == nil {
        // Nothing is shown for what ends before that.
        state.shown = now
        return nil
      }
      let isDue = isNews && output.isTerminal || state.shown.map { now - $0 >= pause } ?? true
      guard isDue, let line = line(now) else { return nil }
      state.shown = now
      state.isDrawn = output.isTerminal
      return StyledText(line).rendered(isColored: false)
    }
    guard let text else { return }
    output.write(output.isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n")
  }

  /// The time after which it is shown starts now.
  package func begin() {
    state.withLock { $0.shown = nil }
  }

  /// Removes the line again, before anything else is printed.
  package func clear() {
    let wasDrawn = state.withLock { state in
      defer { state.isDrawn = false }
      return state.isDrawn
    }
    if wasDrawn { output.write("\r\u{1B}[K") }
  }
}
