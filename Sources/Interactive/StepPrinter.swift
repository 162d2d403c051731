internal import JSONValue
internal import Presentation
internal import Requests
internal import UploaderCore

/// How much a run prints of each step.
public enum Verbosity: Hashable, Sendable {
  /// Nothing but errors.
  case quiet
  /// A line a step; of a failed one its headers and body too.
  case normal
  /// The request, the headers and the body of each.
  case verbose
  /// The status line and the body, as at the prompt.
  case prompt
  /// A JSON object a step; whole: with headers and bodies.
  case json(isWhole: Bool)
}

/// Prints what happened in a step.
struct StepPrinter: Sendable {
  let printer: Printer
  let verbosity: Verbosity
  private let renderer = ExchangeRenderer()

  init(_ printer: Printer, _ verbosity: Verbosity) {
    self.printer = printer
    self.verbosity = verbosity
  }

  /// What became of a step that is as expected. The rounds of a repeated one are counted by its last.
  ///
  /// - Parameter isRecorded: whether it was answered in an earlier run, and nothing was sent now.
  func print(_ record: StepRecord, isRecorded: Bool = false) {
    switch record {
    case .exchange(let exchange):
      print(exchange, number: exchange.description.head.number, isRecorded: isRecorded)
    case .round(let exchange):
      if case .verbose = verbosity {
        print(exchange, number: exchange.description.head.number, isRecorded: isRecorded)
      }
    case .skipped(let label, let reason): printSkipped(label: label, reason: reason)
    case .failed, .group: break
    }
  }

  /// - Parameters:
  ///   - number: of the step in its script, or of the exchange at the prompt; nil if it has none.
  ///   - unmet: what was expected of the exchange and is not so.
  ///   - isRecorded: whether it was answered in an earlier run, and nothing was sent now.
  ///   - isBrief: whether one that failed just so was shown before.
  func print(
    _ exchange: Exchange, number: Int?, unmet: [UnmetExpectation] = [], isRecorded: Bool = false, isBrief: Bool = false
  ) {
    if isRecorded, unmet.isEmpty { return printRecorded(exchange, number: number) }
    switch (verbosity, unmet.isEmpty) {
    case (.quiet, _):
      break
    case (.normal, let isMet) where isMet || isBrief:
      printer.result(renderer.summary(of: exchange, number: number))
    case (.prompt, _):
      printer.result(renderer.summary(of: exchange, number: number))
      printBody(of: exchange, number: number)
    case (.normal, _):
      printer.result(renderer.summary(of: exchange, number: number))
      printer.result(renderer.headers(of: exchange))
      printBody(of: exchange, number: number)
    case (.verbose, _):
      printer.result(renderer.request(of: exchange))
      printer.result(renderer.connection(of: exchange))
      printer.result(renderer.summary(of: exchange, number: number))
      printer.result(renderer.headers(of: exchange))
      printBody(of: exchange, number: number)
      printer.result("\n")
    case (.json(let isWhole), _):
      print(StepReport(exchange, unmet: unmet, isWhole: isWhole))
    }
  }

  private func printRecorded(_ exchange: Exchange, number: Int?) {
    switch verbosity {
    case .quiet: break
    case .normal, .verbose, .prompt: printer.result(renderer.recorded(exchange, number: number))
    case .json(let isWhole): print(StepReport(exchange, isWhole: isWhole, isRecorded: true))
    }
  }

  func printSkipped(label: String?, reason: String) {
    switch verbosity {
    case .quiet: break
    case .normal, .verbose, .prompt:
      printer.result(StyledText("-- \(label ?? "step")  skipped: \(reason)\n", .faint))
    case .json: print(StepReport(skipped: label, reason: reason))
    }
  }

  /// Programs read of a step that got no answer where they read of the others; people read its error.
  func printUnanswered(_ error: UploadError, message: String) {
    if case .json = verbosity { print(StepReport(error, message: message)) }
  }

  private func print(_ report: StepReport) {
    let line = String(decoding: JSONPrinter.compact.print(report.json), as: UTF8.self)
    printer.result(StyledText(JSONPrinter.visible(line) + "\n"))
  }

  private func printBody(of exchange: Exchange, number: Int?) {
    do {
      printer.result(try renderer.body(of: exchange, number: number))
    } catch {
      printer.error(StyledText("\(error)\n", .warning))
    }
  }
}
