package import Diagnostics
internal import HTTPTypes
package import Presentation
package import Requests
package import UploaderCore

/// The steps of a run as lines for people.
package struct StepLines: StepWriter {
  private let printer: Printer
  private let amount: ReportAmount
  private let isForProgram: Bool
  private let spacesRequest: Bool
  private let renderer: ExchangeRenderer
  /// What has shown bodies as they came.
  private let streams: StreamDisplay?

  /// - Parameters:
  ///   - isForProgram: whether a program reads it: headers begin with the status line of HTTP.
  ///   - spacesRequest: whether a line is left empty between a request and its response, and not after the response.
  package init(
    _ printer: Printer, _ amount: ReportAmount, isForProgram: Bool = false, spacesRequest: Bool = false,
    streams: StreamDisplay? = nil, renderer: ExchangeRenderer = ExchangeRenderer()
  ) {
    self.printer = printer
    self.renderer = renderer
    self.amount = amount
    self.isForProgram = isForProgram
    self.spacesRequest = spacesRequest
    self.streams = streams
  }

  package func write(_ exchange: Exchange, number: Int?, isRecorded: Bool) {
    write(exchange, number: number, isRecorded: isRecorded, isLast: true)
  }

  /// - Parameter isLast: whether it is not followed by another round.
  package func write(_ exchange: Exchange, number: Int?, isRecorded: Bool = false, isLast: Bool) {
    if isRecorded {
      if amount != .quiet {
        printer.result(renderer.recorded(exchange, number: number, showsToken: amount == .verbose))
      }
      return
    }
    if streams?.finish(exchange, number: number) ?? false {
      return printer.result(renderer.summary(of: exchange, number: number, isLast: isLast))
    }
    switch amount {
    case .quiet: break
    case .normal:
      // Of what a program takes, there is nothing more to say after its first line.
      if streams?.hasPassed(exchange) ?? false, !renderer.hasNotes(on: exchange) { return }
      printer.result(renderer.summary(of: exchange, number: number, isLast: isLast))
    case .body:
      printer.result(renderer.summary(of: exchange, number: number, isLast: isLast))
      // Of what they ask for, nothing else is in the response.
      if [.head, .options].contains(exchange.request.method) {
        printer.result(renderer.headers(of: exchange))
      } else {
        printer.result(renderer.destination(of: exchange))
      }
      if !exchange.isForFile { printBody(of: exchange, number: number) }
    case .parts(let parts):
      printer.result(head(of: exchange, number: number))
      if parts.contains(.body), !exchange.isForFile {
        printBody(of: exchange, number: number, afterHeaders: parts.contains(.headers))
      }
    case .verbose:
      printer.result(head(of: exchange, number: number))
      printBody(of: exchange, number: number, afterHeaders: true)
      // At the prompt, the next line begins with the prompt.
      if !spacesRequest { printer.result("\n") }
    }
  }

  /// The rounds of a repeated step are counted by its last.
  package func write(round exchange: Exchange, number: Int?, isRecorded: Bool) {
    if amount == .verbose { write(exchange, number: number, isRecorded: isRecorded) }
  }

  package func write(failed exchange: Exchange, number: Int?, unmet: [UnmetExpectation], isBrief: Bool) {
    // Storage repeats what it does not take.
    printer.learn(exchange.writtenCredential)
    guard amount == .normal, !isBrief else { return write(exchange, number: number, isRecorded: false) }
    printer.result(renderer.summary(of: exchange, number: number))
    printer.result(renderer.headers(of: exchange))
    printBody(of: exchange, number: number, afterHeaders: true)
    write(unsavedBodyOf: exchange)
  }

  package func write(savedBodyOf exchange: Exchange) {
    guard amount != .quiet || exchange.isEndedStream, let path = exchange.savedPath else { return }
    printer.result(renderer.saved(exchange.response, in: path))
  }

  /// The file that the body of a response that is not as expected was not saved to.
  package func write(unsavedBodyOf exchange: Exchange) {
    guard amount != .quiet, let path = exchange.savedPath else { return }
    printer.result(StyledText("    \(path): not written, since the response is not as expected\n", .warning))
  }

  /// People read its error.
  package func write(unanswered error: UploadError, message: String) {}

  package func write(skipped label: String?, reason: String) {
    if amount != .quiet { printer.result(StyledText("-- \(label ?? "step")  skipped: \(reason)\n", .faint)) }
  }

  /// People read its error.
  package func write(problem message: String, at place: Diagnostic?) {}

  /// What is shown before the body.
  package func head(of exchange: Exchange, number: Int?) -> StyledText {
    var text = StyledText()
    let (head, body) = (amount.shows(.requestHeaders), amount.shows(.requestBody))
    if head, amount.shows(.headers) { text = renderer.redirects(of: exchange) }
    if head || body { text = text + renderer.request(of: exchange, hasHead: head, hasBody: body) }
    if spacesRequest, head, [.headers, .body, .metadata].contains(where: amount.shows) { text.append("\n") }
    if head, amount.shows(.headers) { text = text + renderer.connection(of: exchange) }
    if isForProgram, amount.shows(.headers) {
      text = text + renderer.statusLine(of: exchange.response)
    } else if [.headers, .body, .metadata].contains(where: amount.shows) || amount == .parts([]) && !isForProgram {
      text = text + renderer.summary(of: exchange, number: number)
    }
    return amount.shows(.headers) ? text + renderer.headers(of: exchange) : text
  }

  /// - Parameter afterHeaders: whether a line is left empty before it, as on the wire.
  private func printBody(of exchange: Exchange, number: Int?, afterHeaders: Bool = false) {
    do {
      let body = try renderer.body(of: exchange, number: number)
      printer.result(afterHeaders && !body.isEmpty ? "\n" + body : body)
    } catch {
      printer.error(StyledText("\(error)\n", .warning))
    }
  }
}

extension Exchange {
  /// The credential that was sent, hidden without being declared a secret; nothing if there is none to hide.
  fileprivate var writtenCredential: [Secret] {
    guard let value = self.request.headers[.authorization] else { return [] }
    let credential = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
    return credential.utf8.count < Secret.fewestBytes ? [] : [Secret(hidden: credential, name: "Authorization")]
  }

  /// Where its body is saved; nil: in no file.
  fileprivate var savedPath: String? { self.description.head.savesBodyTo.flatMap { $0 == "-" ? nil : $0 } }

  /// Whether its body goes into a file and not on the screen. What a server says about an error is read.
  fileprivate var isForFile: Bool { savedPath != nil && self.response.status.code < 400 }
}
