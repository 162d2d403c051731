package import Diagnostics
package import Requests
package import Sessions
package import UploaderCore

/// Writes down what happens in a run, for people or for programs.
package protocol Reporter: Sendable {
  /// Steps of a group may run at the same time, and report from several threads.
  func on(_ event: RunEvent)
}

/// The format in which a run's steps are written.
package enum ReportFormat: Hashable, Sendable {
  /// Lines for people.
  case lines
  /// A JSON object per step, on a line of its own.
  case json
}

/// How much is written of each step.
package enum ReportAmount: Hashable, Sendable {
  /// Nothing but errors.
  case quiet
  /// A line; of a failed step its headers and body too.
  case normal
  /// The status line and the body, as at the prompt.
  case body
  /// What somebody asked to see of the exchange, and nothing else.
  case parts(ShownParts)
  /// The request, the headers and the body.
  case verbose

  package init(_ parts: ShownParts) {
    self = parts.isSuperset(of: .everything) ? .verbose : .parts(parts)
  }

  /// Whether this part of an exchange is shown.
  package func shows(_ part: ShownParts) -> Bool {
    switch self {
    case .quiet, .normal: false
    case .body: part == .body
    case .parts(let parts): parts.contains(part)
    case .verbose: true
    }
  }
}

/// How a run is reported.
package struct ReportStyle: Hashable, Sendable {
  package var format: ReportFormat
  package var amount: ReportAmount

  package init(_ format: ReportFormat = .lines, _ amount: ReportAmount = .normal) {
    self.format = format
    self.amount = amount
  }
}

/// Writes what became of one step. A format is one of these.
package protocol StepWriter: Sendable {
  /// - Parameters:
  ///   - number: of the step in its script, or of the exchange at the prompt; nil if it has none.
  ///   - isRecorded: whether the response is from an earlier run, and nothing was sent now.
  func write(_ exchange: Exchange, number: Int?, isRecorded: Bool)

  /// One round of a step that continues.
  func write(round exchange: Exchange, number: Int?, isRecorded: Bool)

  /// A step whose response was not what was expected.
  ///
  /// - Parameter isBrief: whether one that failed the same way was shown before.
  func write(failed exchange: Exchange, number: Int?, unmet: [UnmetExpectation], isBrief: Bool)

  /// The file that the body of the response was saved to, if it was.
  func write(savedBodyOf exchange: Exchange)

  /// A step that got no response.
  func write(unanswered error: UploadError, message: String)

  func write(skipped label: String?, reason: String)

  /// What keeps the run from beginning. People read it elsewhere.
  ///
  /// - Parameter place: where it is in a text; nil: it is not about one.
  func write(problem message: String, at place: Diagnostic?)
}

extension StepWriter {
  /// What became of a step that is as expected, or was left out.
  package func write(_ record: StepRecord, isRecorded: Bool) {
    switch record {
    case .exchange(let exchange):
      write(exchange, number: exchange.description.head.number, isRecorded: isRecorded)
      if !isRecorded { write(savedBodyOf: exchange) }
    case .round(let exchange):
      write(round: exchange, number: exchange.description.head.number, isRecorded: isRecorded)
    case .skipped(let label, let reason): write(skipped: label, reason: reason)
    case .failed, .group: break
    }
  }
}

extension ReportStyle {
  /// - Parameter streams: what shows bodies as they come, if anything does.
  func writer(_ printer: Printer, streams: StreamDisplay?) -> any StepWriter {
    switch format {
    case .lines: StepLines(printer, amount, streams: streams)
    case .json: StepObjects(printer, isWhole: amount == .verbose)
    }
  }
}
