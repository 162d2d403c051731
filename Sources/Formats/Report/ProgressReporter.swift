package import Sessions

/// Shows the progress of a request, and what comes bit by bit: at the prompt all else is shown when it is done.
package struct ProgressReporter: Reporter {
  private let printer: Printer
  private let progress: ProgressDisplay
  private let streams: StreamDisplay?

  /// - Parameter streams: shows what comes bit by bit; nil: nothing does.
  package init(_ printer: Printer, _ progress: ProgressDisplay, streams: StreamDisplay? = nil) {
    self.printer = printer
    self.progress = progress
    self.streams = streams
  }

  package func on(_ event: RunEvent) {
    switch event {
    case .upload(let event): if !(streams?.isShowing ?? false) { progress.observe(event) }
    case .stream(let event): streams?.on(event)
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .read, .checked, .refused, .recorded, .recording, .failed, .stopped, .ended, .queue, .wrote: break
    }
  }
}
