internal import Presentation
package import Sessions
internal import Synchronization

/// A line, or several, that are redrawn again and again on a terminal; elsewhere they are written as plain text, every
/// ten seconds.
package final class ProgressLine: Sendable {
  private struct State {
    var shown: Duration?
    /// How many lines are on the terminal.
    var drawn = 0
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
    let written: String? = state.withLock { state in
      let pause: Duration = output.isTerminal ? .milliseconds(200) : .seconds(10)
      if !output.isTerminal, state.shown == nil {
        // Nothing is shown for what ends before that.
        state.shown = now
        return nil
      }
      let isDue = isNews && output.isTerminal || state.shown.map { now - $0 >= pause } ?? true
      guard isDue, let line = line(now) else { return nil }
      state.shown = now
      let lines = line.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledText(String($0)).rendered(isColored: false)
      }
      guard output.isTerminal else { return lines.joined(separator: "\n") + "\n" }
      defer { state.drawn = lines.count }
      return Self.home(from: state.drawn) + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
        + (lines.count < state.drawn ? "\u{1B}[J" : "")
    }
    if let written { output.write(written) }
  }

  /// From the last of the lines to the beginning of the first.
  private static func home(from drawn: Int) -> String { drawn > 1 ? "\r\u{1B}[\(drawn - 1)A" : "\r" }

  /// The time after which it is shown starts now.
  package func begin() {
    state.withLock { $0.shown = nil }
  }

  /// Removes the line again, before anything else is printed.
  package func clear() {
    let drawn = state.withLock { state in
      defer { state.drawn = 0 }
      return state.drawn
    }
    if drawn > 0 { output.write(Self.home(from: drawn) + (drawn > 1 ? "\u{1B}[J" : "\u{1B}[K")) }
  }
}
