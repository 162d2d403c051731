internal import Presentation
internal import Requests
package import Sessions
internal import Synchronization
internal import UploaderCore

/// Requests that are not in a script: each is shown as at the prompt, or nothing is shown if only a body is wanted.
package final class SendReporter: Reporter {
  private let printer: Printer
  private let steps: any StepWriter
  private let progress: ProgressDisplay
  private let state: Mutex<(errors: ErrorPrinter, exchangeCount: Int)>

  package init(_ printer: Printer, steps: any StepWriter, now: @escaping @Sendable () -> Duration) {
    self.printer = printer
    self.steps = steps
    progress = ProgressDisplay(output: printer.errorOutput, now: now)
    state = Mutex((ErrorPrinter(printer), 0))
  }

  package func on(_ event: RunEvent) {
    switch event {
    case .upload(let event):
      progress.observe(event)
      guard case .step(let record, _) = event else { return }
      progress.clear()
      guard let exchange = record.exchange else { return }
      state.withLock { state in
        state.exchangeCount += 1
        if !record.isFailed { steps.write(exchange, number: state.exchangeCount, isRecorded: false) }
      }
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .read, .checked, .refused, .recording: state.withLock { $0.errors.on(event) }
    case .failed(let error):
      progress.clear()
      state.withLock { state in
        if case .expectations(let unmet, let exchange) = error.fact {
          steps.write(failed: exchange, number: state.exchangeCount, unmet: unmet, isBrief: false)
        }
        state.errors.print(error)
      }
    case .recorded, .stopped, .queue: break
    case .ended: progress.clear()
    }
  }
}
