internal import Formats
internal import Presentation
internal import Requests
internal import Sessions
internal import Synchronization

/// The way out: `| jq .`, `:body | less`, `:show headers | grep x`.
extension REPL {
  /// The parts of a line on both sides of the first `|` outside of quotes; nil without one.
  static func pipeline(_ line: String) -> (command: String, program: String)? {
    var quote: Character?
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "|" {
        return (
          String(line[..<index]).trimmingSpace, String(line[line.index(after: index)...]).trimmingSpace
        )
      }
    }
    return nil
  }

  /// `| jq .`: the last response's body.
  mutating func pipeBody(of name: Substring? = nil, through command: String) {
    guard let (number, exchange) = exchange(named: name), isProgram(command) else { return }
    let body = exchange.response.body
    let program = PipedProgram(command) { write in
      // What the program needs is the data itself, as with `:body > file`.
      struct Enough: Error {}
      do { try body.forEachChunk { piece throws(Enough) in if !write(piece) { throw Enough() } } } catch is Enough {}
    }
    guard program.needsTerminal else { return run(program) }
    do {
      let limit = ExchangeRenderer.Limit(bytes: Self.pagedBytes, lines: .max)
      pipe(try ExchangeRenderer(limit: limit).body(of: exchange, number: number), through: command)
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  /// What a command would show.
  mutating func pipe(_ text: StyledText, through command: String) {
    guard isProgram(command) else { return }
    let shown = text.mapText { secrets.redact($0) }.rendered(isColored: false)
    run(PipedProgram(command) { write in _ = write(Array(shown.utf8)) })
  }

  private mutating func isProgram(_ command: String) -> Bool {
    guard !command.isEmpty else {
      fail(ErrorReport("a program is missing after \"|\"", notes: ["| jq .   sends it the body of the last response"]))
      return false
    }
    guard world.runProgram != nil else {
      fail(ErrorReport("no program can be run here", notes: [":body > file writes the body to a file"]))
      return false
    }
    return true
  }

  private mutating func run(_ program: PipedProgram) {
    guard let runProgram = world.runProgram else { return }
    let screen = ProgramScreen(printer)
    do {
      let end = try runProgram(program, screen.result, screen.error)
      screen.finish()
      switch end {
      case .exited(0): return
      case .exited(let code):
        isFailed = true
        printer.error(StyledText("exit code \(code)\n", .faint))
      // ^C, or it wanted no more.
      case .signalled(2), .signalled(13): return
      case .signalled(let signal):
        isFailed = true
        printer.error(StyledText("ended by signal \(signal)\n", .faint))
      case .failed(let error): fail(ErrorReport("\"\(program.command)\" was not started: \(error)"))
      }
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }
}

/// Shows what a program writes, cleaned like everything else.
private final class ProgramScreen: Sendable {
  private struct State {
    var result = HeldText()
    var error = HeldText()
    var endsLine = true
  }

  private let printer: Printer
  private let state = Mutex(State())

  init(_ printer: Printer) {
    self.printer = printer
  }

  @Sendable func result(_ piece: [UInt8]) {
    let text = state.withLock { state in
      let text = state.result.take(piece, hiding: printer.secrets)
      if let last = text.utf8.last { state.endsLine = last == UInt8(ascii: "\n") }
      return text
    }
    printer.result(StyledText(text))
  }

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

extension String {
  /// At least one.
  var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  fileprivate var trimmingSpace: String {
    var text = self[...].drop(while: \.isWhitespace)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
