internal import Presentation
internal import Requests
package import Sessions
internal import Synchronization
internal import UploaderCore

/// Requests that are not in a script: each is shown as at the prompt, or nothing is shown if only a body is wanted.
package final class SendReporter: Reporter {
  private let printer: Printer
  private let steps: any StepWriter
  private let streams: StreamDisplay?
  /// What is between the heads and the body that is written after them.
  private let separator: String
  private let isSilent: @Sendable () -> Bool
  private let whenHeadIsShown: @Sendable () -> Void
  private let progress: ProgressDisplay
  private let state: Mutex<State>

  private struct State {
    var errors: ErrorPrinter
    var exchangeCount = 0
    /// What came of a response that broke off.
    var unfinished: Exchange?
    /// Whether a response is passed on as it comes: what its reader shows may be on the same line of a terminal.
    var isPassedOn = false
    /// Whether what is before the body was written when that began to come.
    var hasHead = false
  }

  /// - Parameters:
  ///   - amount: how much is shown of each step.
  ///   - steps: what shows the steps; nil: the printer.
  ///   - separator: what is written after each step.
  ///   - isSilent: whether nobody reads anything anymore.
  ///   - whenHeadIsShown: called when what is before the body of a stream was written.
  package init(
    _ printer: Printer, _ amount: ReportAmount, steps stepPrinter: Printer? = nil, separator: String = "",
    isSilent: @escaping @Sendable () -> Bool = { false }, whenHeadIsShown: @escaping @Sendable () -> Void = {},
    now: @escaping @Sendable () -> Duration
  ) {
    self.printer = printer
    self.isSilent = isSilent
    self.whenHeadIsShown = whenHeadIsShown
    let progress = ProgressDisplay(output: printer.errorOutput, now: now)
    self.progress = progress
    self.separator = separator
    let stepPrinter = stepPrinter ?? printer
    let isForProgram = !stepPrinter.output.isTerminal
    streams =
      amount == .quiet
      ? nil : StreamDisplay(stepPrinter, amount, isForProgram: isForProgram, now: now, clear: progress.clear)
    steps = StepLines(stepPrinter, amount, isForProgram: isForProgram, spacesRequest: true, streams: streams)
    state = Mutex(State(errors: ErrorPrinter(printer)))
  }

  package func on(_ event: RunEvent) {
    switch event {
    case .upload(let event):
      if !(streams?.isShowing ?? false), !state.withLock({ $0.isPassedOn }) { progress.observe(event) }
      guard case .step(let record, _) = event else { return }
      progress.clear()
      guard let exchange = record.exchange else { return }
      state.withLock { state in
        state.exchangeCount += 1
        if state.hasHead { return state.hasHead = false }
        if !record.isFailed {
          steps.write(exchange, number: state.exchangeCount, isRecorded: false)
          steps.write(savedBodyOf: exchange)
          printer.result(StyledText(separator))
        } else if exchange.response.cut != nil {
          state.unfinished = exchange
        }
      }
    case .stream(let event):
      if let streams {
        streams.on(event)
        guard case .began = event else { return }
        if !separator.isEmpty {
          printer.result(StyledText(separator))
          state.withLock { ($0.hasHead, $0.isPassedOn) = (true, true) }
        }
        whenHeadIsShown()
        return
      }
      state.withLock { $0.isPassedOn = true }
      progress.clear()
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .read, .checked, .refused, .recording: state.withLock { $0.errors.on(event) }
    case .failed(let error):
      progress.clear()
      if isSilent() { return }
      state.withLock { state in
        if case .expectations(let unmet, let exchange) = error.fact {
          steps.write(failed: exchange, number: state.exchangeCount, unmet: unmet, isBrief: false)
          printer.result(StyledText(separator))
        } else if let exchange = state.unfinished {
          steps.write(exchange, number: state.exchangeCount, isRecorded: false)
          if exchange.isEndedStream { steps.write(savedBodyOf: exchange) }
        }
        state.unfinished = nil
        state.errors.print(error)
      }
    case .recorded, .stopped, .queue, .wrote: break
    case .ended: progress.clear()
    }
  }
}
