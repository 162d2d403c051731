package import Sessions

/// Shows the progress of a request, and nothing else: at the prompt the result is shown when it is done.
package struct ProgressReporter: Reporter {
  private let printer: Printer
  private let progress: ProgressDisplay

  package init(_ printer: Printer, _ progress: ProgressDisplay) {
    self.printer = printer
    self.progress = progress
  }

  package func on(_ event: RunEvent) {
    switch event {
    case .upload(let event): progress.observe(event)
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .read, .checked, .refused, .recorded, .recording, .failed, .stopped, .ended, .queue: break
    }
  }
}
