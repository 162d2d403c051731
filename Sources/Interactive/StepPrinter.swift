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

  /// A line a step; the rounds of a repeated one are counted by its last.
  ///
  /// - Parameter number: of its exchange; nil: the one it has in the script.
  func print(_ record: StepRecord, number: Int? = nil) {
    let number = number ?? record.exchange?.description.head.number
    switch record {
    case .exchange(let exchange): print(exchange, number: number)
    case .round(let exchange): if verbosity == .verbose || verbosity == .prompt { print(exchange, number: number) }
    case .failed(_, let exchange?): print(exchange, number: number, failed: true)
    case .skipped(let label, let reason): printSkipped(label: label, reason: reason)
    case .failed(_, nil), .group: break
    }
  }

  /// - Parameters:
  ///   - number: of the exchange, from 1; nil if it has a label only.
  ///   - failed: whether it is not what was expected.
  func print(_ exchange: Exchange, number: Int?, failed: Bool = false) {
    switch (verbosity, failed) {
    case (.quiet, _):
      break
    case (.normal, false):
      printer.result(renderer.summary(of: exchange, number: number))
    case (.prompt, _):
      printer.result(renderer.summary(of: exchange, number: number))
      printBody(of: exchange, number: number)
    case (.normal, true):
      printer.result(renderer.summary(of: exchange, number: number))
      printer.result(renderer.headers(of: exchange))
      printBody(of: exchange, number: number)
    case (.verbose, _):
      printer.result(renderer.request(of: exchange))
      printer.result(renderer.summary(of: exchange, number: number))
      printer.result(renderer.headers(of: exchange))
      printBody(of: exchange, number: number)
      printer.result("\n")
    }
  }

  func printSkipped(label: String?, reason: String) {
    guard verbosity != .quiet else { return }
    printer.result(StyledText("-- \(label ?? "step")  skipped: \(reason)\n", .faint))
  }

  private func printBody(of exchange: Exchange, number: Int?) {
    do {
      printer.result(try renderer.body(of: exchange, number: number))
    } catch {
      printer.error(StyledText("\(error)\n", .warning))
    }
  }
}
