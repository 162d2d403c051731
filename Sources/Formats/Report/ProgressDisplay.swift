internal import Presentation
internal import Requests
package import Sessions
internal import Synchronization
package import UploaderCore

/// Shows the progress of a run if it takes long.
package final class ProgressDisplay: Sendable {
  private let output: World.Output
  private let now: @Sendable () -> Duration
  private let line: ProgressLine
  private let run = Mutex(RunProgress())

  package init(output: World.Output, now: @escaping @Sendable () -> Duration) {
    self.output = output
    self.now = now
    line = ProgressLine(output: output, now: now)
  }

  package func observe(_ event: UploadEvent) {
    switch event {
    case .sending, .progress, .step, .group, .recalled: run.withLock { $0.observe(event, now: now()) }
    case .retrying(let head, let failed): announceRetry(of: head, after: failed)
    case .received: clear()
    case .asked, .secrets, .redirected: return
    }
    switch event {
    case .sending, .progress: line.show { now in run.withLock { $0.line(now: now, isNamed: output.isTerminal) } }
    case .asked, .secrets, .redirected, .received, .recalled, .retrying, .step, .group: break
    }
  }

  /// Something else begins: what came before no longer counts, neither steps nor time.
  package func begin() {
    clear()
    run.withLock { $0 = RunProgress() }
    line.begin()
  }

  /// Removes the line again, before anything else is printed.
  package func clear() { line.clear() }

  private func announceRetry(of head: RequestHead, after failed: [FailedAttempt]) {
    clear()
    guard let last = failed.last else { return }
    let moment = last.wait < .milliseconds(1) ? "at once" : "in \(NumberFormat.duration(last.wait))"
    let text = StyledText("\(head.label ?? "request"): \(last.reason), trying again \(moment)\n", .faint)
    output.write(text.rendered(isColored: output.isColored))
  }
}
