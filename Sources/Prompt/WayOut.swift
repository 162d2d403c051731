internal import Formats
internal import Presentation
internal import Requests
internal import Sessions
internal import Synchronization

/// Sends a body, or what would be shown, through a program that was typed after `|`, at the prompt and in the debugger.
struct WayOut {
  let world: World
  let printer: Printer

  /// Why it did not go well.
  enum Failure: Hashable {
    /// The user has seen it.
    case said
    case report(ErrorReport)
  }

  /// The body of a response.
  ///
  /// - Parameters:
  ///   - head: what is before it.
  ///   - hasBody: false: there is nothing but that.
  func send(
    _ exchange: Exchange, number: Int?, after head: StyledText = StyledText(), hasBody: Bool = true,
    through command: String
  ) -> Failure? {
    if !hasBody { return send(head, through: command) }
    if let obstacle = obstacle(to: command) { return obstacle }
    let body = exchange.response.body
    let heading = printer.plain(head)
    let readsJSON = PipedProgram.readsJSON(command)
    let program = PipedProgram(command) { write in
      if !heading.isEmpty, !write(heading) { return }
      // What the program needs is the data itself, as with `:body > file`.
      struct Enough: Error {}
      var events = readsJSON ? EventLines(of: exchange.response) : nil
      do {
        try body.forEachChunk { piece throws(Enough) in if !write(events?.take(piece) ?? piece) { throw Enough() } }
      } catch is Enough {}
    }
    guard program.needsTerminal else {
      let failure = run(program, isEmpty: body.isEmpty && heading.isEmpty)
      if failure == .said, readsJSON, exchange.response.hasValues, command.contains(/[\s'"]\.\[\]/) {
        printer.error(StyledText("it gets one value after another, not an array of them: without .[]\n", .faint))
      }
      return failure
    }
    do {
      let limit = ExchangeRenderer.Limit(bytes: REPL.pagedBytes, lines: .max)
      return send(head + (try ExchangeRenderer(limit: limit).body(of: exchange, number: number)), through: command)
    } catch {
      return .report(ErrorReport("\(error)"))
    }
  }

  /// What a command would show.
  func send(_ text: StyledText, through command: String) -> Failure? {
    if let obstacle = obstacle(to: command) { return obstacle }
    let shown = printer.plain(text)
    return run(PipedProgram(command) { write in _ = write(shown) })
  }

  /// What comes bit by bit.
  ///
  /// - Parameter ended: called when the program has ended, also while there may be more to read.
  func send(
    through command: String, ended: @escaping @Sendable () -> Void,
    _ input: @escaping @Sendable (_ write: ([UInt8]) -> Bool) -> Void
  ) -> Failure? {
    if let obstacle = obstacle(to: command) { return obstacle }
    return run(PipedProgram(command, isLive: true, ended: ended, input: input))
  }

  private func obstacle(to command: String) -> Failure? {
    if command.isEmpty {
      return .report(
        ErrorReport("a program is missing after \"|\"", notes: ["| jq .   sends it the body of the last response"]))
    }
    if world.runProgram == nil {
      return .report(ErrorReport("no program can be run here", notes: [":body > file writes the body to a file"]))
    }
    return nil
  }

  /// - Parameter isEmpty: whether it gets nothing.
  private func run(_ program: PipedProgram, isEmpty: Bool = false) -> Failure? {
    guard let runProgram = world.runProgram else { return nil }
    let screen = ProgramScreen(printer)
    do {
      let end = try runProgram(program, screen.result, screen.error)
      screen.finish()
      switch end {
      case .exited(0):
        if isEmpty, screen.isEmpty { printer.error(StyledText("the body is empty\n", .faint)) }
        return nil
      // ^C, or it wanted no more.
      case .signalled(2), .signalled(13), .exited(130):
        if end != .signalled(13), screen.isEmpty {
          let ways = "grep --line-buffered, jq --unbuffered, mawk -W interactive"
          printer.error(
            StyledText(
              "the program wrote nothing before ^C: many programs keep what they write until they end; \(ways)\n",
              .faint))
        }
        return nil
      case .exited(let code):
        printer.error(StyledText("exit code \(code)\n", .faint))
        return .said
      case .signalled(let signal):
        printer.error(StyledText("ended by signal \(signal)\n", .faint))
        return .said
      case .failed(let error): return .report(ErrorReport("\"\(program.command)\" was not started: \(error)"))
      }
    } catch {
      return .report(ErrorReport("\(error)"))
    }
  }
}

/// Shows what a program writes, cleaned like everything else.
private final class ProgramScreen: Sendable {
  private struct State {
    var result = HeldText()
    var error = HeldText()
    var endsLine = true
    /// Whether nothing has come.
    var isEmpty = true
  }

  private let printer: Printer
  private let state = Mutex(State())

  init(_ printer: Printer) {
    self.printer = printer
  }

  @Sendable func result(_ piece: [UInt8]) {
    let text = state.withLock { state in
      state.isEmpty = state.isEmpty && piece.isEmpty
      let text = state.result.take(piece, hiding: printer.secrets)
      if let last = text.utf8.last { state.endsLine = last == UInt8(ascii: "\n") }
      return text
    }
    printer.result(StyledText(text))
  }

  var isEmpty: Bool { state.withLock(\.isEmpty) }

  @Sendable func error(_ piece: [UInt8]) {
    printer.error(StyledText(state.withLock { $0.error.take(piece, hiding: printer.secrets) }))
  }

  func finish() {
    let (result, error, endsLine) = state.withLock { state in
      let rest = state.result.finish(hiding: printer.secrets)
      let endsLine = rest.isEmpty ? state.endsLine : rest.hasSuffix("\n")
      return (rest, state.error.finish(hiding: printer.secrets), endsLine)
    }
    printer.result(StyledText(result + (endsLine ? "" : "\n")))
    printer.error(StyledText(error))
  }
}
