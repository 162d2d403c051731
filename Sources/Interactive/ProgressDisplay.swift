internal import Presentation
internal import Requests
internal import Synchronization
internal import UploaderCore

/// Shows how a long transfer moves on: one line drawn over and over on a terminal, elsewhere one now and then.
final class ProgressDisplay: Sendable {
  private struct State {
    var began: Duration = .zero
    var shown: Duration = .zero
    var isDrawn = false
  }

  private let output: World.Output
  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  init(output: World.Output, now: @escaping @Sendable () -> Duration) {
    self.output = output
    self.now = now
  }

  func observe(_ event: UploadEvent) {
    switch event {
    case .sending: state.withLock { $0 = State(began: now(), shown: now()) }
    case .progress(let head, let progress): show(head, progress)
    case .retrying(let head, let failed): announceRetry(of: head, after: failed)
    case .received, .recalled: clear()
    case .asked, .secrets, .redirected, .step: break
    }
  }

  /// Takes the line away again, before anything else is printed.
  func clear() {
    let wasDrawn = state.withLock { state in
      defer { state.isDrawn = false }
      return state.isDrawn
    }
    if wasDrawn { output.write("\r\u{1B}[K") }
  }

  private func announceRetry(of head: RequestHead, after failed: [FailedAttempt]) {
    clear()
    guard let last = failed.last else { return }
    let text = StyledText(
      "\(head.label ?? "request"): \(last.reason), trying again in \(Figures.duration(last.wait))\n", .faint)
    output.write(text.rendered(isColored: output.isColored))
  }

  private func show(_ head: RequestHead, _ progress: TransferProgress) {
    let now = now()
    let line: String? = state.withLock { state in
      let pause: Duration = output.isTerminal ? .milliseconds(200) : .seconds(5)
      guard now - state.shown >= pause,
        let line = ProgressRenderer(began: state.began).line(head, progress, now: now)
      else { return nil }
      state.shown = now
      state.isDrawn = output.isTerminal
      return line
    }
    guard let line else { return }
    let text = StyledText(line).rendered(isColored: false)
    output.write(output.isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n")
  }
}
