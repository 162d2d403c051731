internal import HTTPTypes
internal import Presentation
package import Requests
internal import Sessions
internal import Synchronization
package import UploaderCore

/// Shows what comes of a response bit by bit, as it comes. Of several at the same time, it shows the first; the others
/// are shown when they are complete.
///
/// The beginning of a secret at the end of a piece waits for the next one. What comes faster than anybody can read is
/// counted and not shown.
package final class StreamDisplay: Sendable {
  /// So many lines and bytes are shown at once, and in each second.
  private static let fastest = ExchangeRenderer.Limit()

  private struct Shown {
    let response: StreamedResponse
    var text = HeldText()
    var endsLine = true
    /// How many lines and bytes may be shown now.
    var lines = Double(StreamDisplay.fastest.lines)
    var bytes = Double(StreamDisplay.fastest.bytes)
    var last: Duration
    /// Lines that were not shown.
    var omitted = 0
    /// Whether what comes next belongs to a line whose beginning was not shown.
    var isInOmitted = false
    var isOver = false
  }

  private let printer: Printer
  private let amount: Mutex<ReportAmount>
  /// Whether a response begins with where its request went.
  private let namesTarget = Mutex(false)
  private let isForProgram: Bool
  private let namesCommand: Bool
  private let now: @Sendable () -> Duration
  private let clear: @Sendable () -> Void
  private let shown = Mutex<Shown?>(nil)
  /// What takes what comes, in place of the screen; at the end nil.
  private struct Taker {
    var take: (@Sendable ([UInt8]?) -> Void)?
    /// What it takes before the body; nil: the screen shows that a response begins.
    var head: ReportAmount?
    /// Whether it takes events as lines of JSON.
    var readsJSON = false
    var events: EventLines?
    /// What it takes.
    var response: StreamedResponse?
  }

  private let taker = Mutex(Taker())

  /// - Parameters:
  ///   - amount: how much is shown of each step.
  ///   - isForProgram: whether a program reads it: headers begin with the status line of HTTP.
  ///   - namesCommand: whether what is not shown is said with the prompt's command that shows it.
  ///   - clear: removes a progress line.
  package init(
    _ printer: Printer, _ amount: ReportAmount, isForProgram: Bool = false, namesCommand: Bool = false,
    now: @escaping @Sendable () -> Duration, clear: @escaping @Sendable () -> Void
  ) {
    self.printer = printer
    self.amount = Mutex(amount)
    self.isForProgram = isForProgram
    self.namesCommand = namesCommand
    self.now = now
    self.clear = clear
  }

  /// From now on this much is shown; `quiet`: nothing until a response is complete.
  package func show(_ amount: ReportAmount) {
    self.amount.withLock { $0 = amount }
  }

  /// From now on a response begins with where its request went, or does not.
  package func nameTarget(_ isNamed: Bool) {
    namesTarget.withLock { $0 = isNamed }
  }

  /// From now on this takes what comes of a response, in place of the screen, and nil at its end; nil: nothing does.
  ///
  /// - Parameters:
  ///   - head: what it takes before the body; nil: nothing.
  ///   - readsJSON: whether it takes the events of an event stream as lines of JSON.
  package func pass(
    to take: (@Sendable (_ piece: [UInt8]?) -> Void)?, after head: ReportAmount? = nil, readsJSON: Bool = false
  ) {
    taker.withLock { $0 = Taker(take: take, head: head, readsJSON: readsJSON) }
  }

  /// Whether something is being shown, by whatever takes it too, so that nothing else may be written over it.
  package var isShowing: Bool {
    taker.withLock { $0.response != nil } || shown.withLock { $0.map { !$0.isOver } ?? false }
  }

  package func on(_ event: StreamEvent) {
    let taker = taker.withLock { $0 }
    if let take = taker.take {
      switch event {
      case .began(let response):
        self.taker.withLock {
          $0.response = response
          $0.events = $0.readsJSON ? EventLines(of: response.response) : nil
        }
        clear()
        if let amount = taker.head {
          take(printer.plain(Self.head(of: response, amount, isForProgram: true) + "\n"))
        } else {
          printer.result(ExchangeRenderer().beginning(of: response))
        }
      case .piece(let bytes, _): take(self.taker.withLock { $0.events?.take(bytes) } ?? bytes)
      case .continuing: self.taker.withLock { $0.events?.startAgain() }
      case .ended: break
      }
      return
    }
    switch event {
    case .began(let response):
      if amount.withLock({ $0 }) == .quiet { return }
      let begins = shown.withLock { shown in
        if let other = shown, !other.isOver { return false }
        shown = Shown(response: response, last: now())
        return true
      }
      guard begins else { return }
      clear()
      if namesTarget.withLock({ $0 }) { printer.result(ExchangeRenderer().target(of: response.request)) }
      printer.result(Self.head(of: response, amount.withLock { $0 }, isForProgram: isForProgram))
    case .piece(let bytes, let response):
      if case .parts(let parts) = amount.withLock({ $0 }), !parts.contains(.body) { return }
      show(bytes, of: response)
    case .continuing(let id, let wait, let response):
      guard isShown(response) else { return }
      endLine()
      printer.error(
        StyledText("    broken off, continuing after \"\(id)\" in \(NumberFormat.duration(wait))\n", .faint))
    case .ended(let response):
      shown.withLock { shown in if shown?.response == response { shown?.isOver = true } }
    }
  }

  private static func head(of response: StreamedResponse, _ amount: ReportAmount, isForProgram: Bool) -> StyledText {
    let renderer = ExchangeRenderer()
    let request = amount.shows(.requestHeaders) ? renderer.request(response.request) : StyledText()
    let headers = amount.shows(.headers) ? renderer.headers(response.response) : StyledText()
    let hasStatusLine = isForProgram && amount.shows(.headers)
    let first = hasStatusLine ? renderer.statusLine(of: response.response) : renderer.beginning(of: response)
    let hasBody = amount.shows(.headers) && amount.shows(.body) && !isForProgram
    return request + first + headers + (hasBody ? "\n" : "")
  }

  /// Ends what was shown of the exchange.
  ///
  /// - Returns: whether its body was shown as it came.
  package func finish(_ exchange: Exchange, number: Int?) -> Bool {
    guard
      var last = shown.withLock({ shown -> Shown? in
        guard let last = shown, last.response.isBeginning(of: exchange) else { return nil }
        shown = nil
        return last
      })
    else { return false }
    var rest = ""
    // What may be the beginning of a secret was not kept either.
    if exchange.response.cut == nil { rest = last.text.finish(hiding: printer.secrets) }
    if last.isInOmitted {
      rest = ""
      last.omitted += 1
    }
    if !rest.isEmpty { printer.result(StyledText(rest)) }
    if !(rest.isEmpty ? last.endsLine : rest.hasSuffix("\n")) { printer.result("\n") }
    if last.omitted > 0 {
      let owner = number.map { " of $\($0)\(namesCommand ? "; :body $\($0) shows all" : "")" } ?? ""
      printer.result(StyledText("\(CutText.mark) \(Self.lines(last.omitted)) more\(owner)\n", .faint))
    }
    return true
  }

  /// Whether it is being shown.
  package func isShown(_ exchange: Exchange) -> Bool {
    shown.withLock { $0?.response.isBeginning(of: exchange) ?? false }
  }

  /// Whether its first line was shown before something else took what came.
  package func hasPassed(_ exchange: Exchange) -> Bool {
    taker.withLock { $0.head == nil && $0.response?.isBeginning(of: exchange) ?? false }
  }

  private func isShown(_ response: StreamedResponse) -> Bool { shown.withLock { $0?.response == response } }

  private func endLine() {
    let isOpen = shown.withLock { shown in
      defer { shown?.endsLine = true }
      return shown.map { !$0.endsLine } ?? false
    }
    if isOpen { printer.result("\n") }
  }

  private func show(_ bytes: [UInt8], of response: StreamedResponse) {
    let secrets = printer.secrets
    let text: String? = shown.withLock { shown in
      guard var state = shown, state.response == response else { return nil }
      defer { shown = state }
      return Self.take(state.text.take(bytes, hiding: secrets), from: &state, at: now())
    }
    if let text, !text.isEmpty { printer.result(StyledText(text)) }
  }

  private static func lines(_ count: Int) -> String {
    "\(NumberFormat.grouped(count)) \(count == 1 ? "line" : "lines")"
  }

  /// As much of the text as may be shown now.
  private static func take(_ text: String, from state: inout Shown, at now: Duration) -> String {
    let passed = max(0, now.subtracting(state.last) / .seconds(1))
    state.last = now
    state.lines = min(Double(fastest.lines), state.lines + passed * Double(fastest.lines))
    state.bytes = min(Double(fastest.bytes), state.bytes + passed * Double(fastest.bytes))
    var kept = ""
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")).map { rest.utf8.index(after: $0) } ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...]
      let isNew = state.endsLine
      // After a gap there is enough to read at once, and not a line between gaps.
      let enough = state.omitted > 0 ? Double(fastest.lines / 4) : 1
      let isWhole = line.utf8.last == UInt8(ascii: "\n")
      if state.isInOmitted || isNew && (state.lines < enough || state.bytes < 1) {
        state.omitted += isWhole ? 1 : 0
        // The rest of a line that is not shown is not shown either.
        state.isInOmitted = !isWhole
        continue
      }
      if isNew { state.lines -= 1 }
      if isNew, state.omitted > 0 {
        kept += "\(CutText.mark) \(lines(state.omitted)) not shown\n"
        state.omitted = 0
      }
      state.bytes -= Double(line.utf8.count)
      kept += line
      state.endsLine = isWhole
    }
    return kept
  }
}

extension StreamedResponse {
  fileprivate func isBeginning(of exchange: Exchange) -> Bool {
    started == exchange.started && request.url == exchange.request.url
  }
}
