internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// The way out: `| jq .`, `:body | less`, `:show headers | grep x`.
extension REPL {
  /// The parts of a line on both sides of the first `|` outside of quotes; nil without one.
  static func pipeline(_ line: String) -> (command: String, program: String)? {
    bars(in: line).first.map { parts(of: line, at: $0.index) }
  }

  /// A request and the program that its response goes through, `GET /x | jq .`; nil: no `|`, or what follows it is a
  /// function of the language, applied to a value of the request.
  func requestPipeline(_ line: String) -> (request: String, program: String)? {
    let unlabelled = ForeignInput.labelled(line)?.rest ?? line
    guard let first = unlabelled.split(maxSplits: 1, whereSeparator: \.isWhitespace).first else {
      return nil
    }
    let isWritten = Keywords.commonMethods.contains(String(first)) || first.hasPrefix("/")
    let bars = Self.bars(in: line).filter { $0.depth == 0 }.map(\.index)
    for (index, bar) in bars.enumerated() {
      let (request, program) = Self.parts(of: line, at: bar)
      let name = String(program.prefix { !$0.isWhitespace && $0 != "|" })
      guard !name.isEmpty, !name.contains("("), isWritten || Self.isRequest(request) else { continue }
      let end = index + 1 < bars.count ? bars[index + 1] : line.endIndex
      if Function(named: name) == nil || hasProgram(named: name) && !isTaken(String(line[..<end])) {
        return (request, program)
      }
    }
    return nil
  }

  /// The beginning of a program after the last `|` of a line that runs programs; nil: there is none.
  static func lastProgram(in line: String) -> Substring? {
    guard let bar = bars(in: line).last, bar.depth == 0, let first = pipeline(line)?.command else { return nil }
    let unlabelled = ForeignInput.labelled(first)?.rest ?? first
    // What these take is an expression, whose `|` is the language's.
    let isExpression = first.hasPrefix(":print ") || first.hasPrefix(":set ")
    return first.isEmpty || first.hasPrefix(":") && !isExpression || isRequestLine(unlabelled)
      ? line[line.index(after: bar.index)...].drop(while: \.isWhitespace) : nil
  }

  /// Whether a line begins with a method or a path, or is one of another tool.
  private static func isRequestLine(_ line: String) -> Bool {
    let first = line.prefix { !$0.isWhitespace }
    return Keywords.commonMethods.contains(String(first)) || first.hasPrefix("/") || isRequest(line)
  }

  /// `$5.body | jq .id`: a response, and the program that its body goes through; nil: an expression, or no such program.
  func responsePipeline(_ text: String) -> (name: Substring, program: String)? {
    guard world.runProgram != nil, let (value, program) = Self.pipeline(text),
      let name = value.wholeMatch(of: /(\$[\w\-]+)(?:\.body)?/)?.output.1,
      let exchange = exchange(called: String(name.dropFirst()))?.exchange,
      // Of events and of lines, it is an array, and what came is none.
      !exchange.response.hasValues || !value.hasSuffix(".body"),
      let first = program.split(whereSeparator: \.isWhitespace).first.map(String.init), Function(named: first) == nil,
      hasProgram(named: first)
    else { return nil }
    return (name, program)
  }

  /// `$p.rounds[*].body[*].id | jq length`: an expression, and the program that its value goes through; nil: no such
  /// program, or no such expression before it.
  func valuePipeline(_ text: String) -> (value: String, program: String)? {
    guard world.runProgram != nil else { return nil }
    for bar in Self.bars(in: text).filter({ $0.depth == 0 }) {
      let (value, program) = Self.parts(of: text, at: bar.index)
      guard let first = program.split(whereSeparator: \.isWhitespace).first.map(String.init),
        Function(named: first) == nil
      else { continue }
      let parsed = Parser.parseExpression(SourceText(name: "", text: value))
      return parsed.0 != nil && parsed.1.isEmpty && hasProgram(named: first) ? (value, program) : nil
    }
    return nil
  }

  /// What to type if a line that is wrong pipes into a program; nil: it does not.
  func programAdvice(on line: String) -> String? {
    guard world.runProgram != nil, let (value, whole) = Self.pipeline(line),
      case let program = Self.withoutClosed(whole),
      // `| upper(…)` was meant as a function.
      let first = program.split(whereSeparator: \.isWhitespace).first, !first.contains("("),
      Function(named: String(first.prefix { $0.isLetter || $0.isNumber || "-_".contains($0) })) == nil,
      world.environment["PATH"] == nil || hasProgram(named: String(first))
    else { return nil }
    if program != whole {
      let each = Self.withEach(program.lines[0])
      return "a block runs no programs: label its request, o: GET …, then type $o[*].body | \(each)"
    }
    var way = "type it next: |"
    if let name = value.prefixMatch(of: /\$[\w\-]+/)?.output, let named = exchange(called: String(name.dropFirst())),
      named.number < run.exchanges.count
    {
      way = "type :body \(name) |"
    }
    return "to send the body of a response through a program, \(way) \(program.lines[0])"
  }

  /// A program without what closes a block around it, `jq .id }` in a loop of one line.
  private static func withoutClosed(_ program: String) -> String {
    var depth = 0
    for (index, character) in unquoted(in: program) {
      depth += depthChange(at: character)
      if depth < 0 { return String(program[..<index]).trimmingSpace }
    }
    return program
  }

  /// A program for one response as it is for an array of them: `jq .id` is `jq '.[] | .id'`.
  private static func withEach(_ program: String) -> String {
    // Without the options that take a value, which is no filter.
    let call =
      /(jq(?:\s+(?!-[fL]|--arg|--from|--rawf|--slurpf|--indent)-\S+)*\s+)(?:'([^']*)'|([^\s'"|\-][^\s'"|]*))(.*)/
    guard let found = program.wholeMatch(of: call)?.output, let filter = found.2 ?? found.3 else { return program }
    return "\(found.1)'.[]\(filter == "." ? "" : " | \(filter)")'\(found.4)"
  }

  /// Whether a line without a method in uppercase is a request: `get /x`, `:8080/x`, `-i GET /x`.
  private static func isRequest(_ line: String) -> Bool {
    if case .foreign(.script)? = HabitualInput(line) { true } else { false }
  }

  /// Whether the request is one as it stands.
  private func isTaken(_ line: String) -> Bool {
    var source = SourceText(name: "<input>", text: line)
    if case .foreign(.script(let meaning))? = HabitualInput(line) {
      source = SourceText(name: source.name, text: SyntaxPrinter.print(meaning.script))
    }
    let parsed = Parser.parse(source, items: .typed)
    guard parsed.errors.isEmpty else { return false }
    return ScriptLoader(world).appending(parsed, to: run.sequence, directory: "", mayRunCommands: true).value != nil
  }

  private func hasProgram(named name: String) -> Bool {
    world.programDirectories.contains { world.listDirectory($0).contains(name) }
  }

  /// Every `|` outside of quotes, and how many brackets are open there.
  private static func bars(in line: String) -> [(index: String.Index, depth: Int)] {
    var bars: [(String.Index, Int)] = []
    var depth = 0
    for (index, character) in unquoted(in: line) {
      depth += depthChange(at: character)
      if character == "|" { bars.append((index, depth)) }
    }
    return bars
  }

  /// How many more brackets are open after a character than before it.
  private static func depthChange(at character: Character) -> Int {
    switch character {
    case "(", "[", "{": 1
    case ")", "]", "}": -1
    default: 0
    }
  }

  /// The characters outside of quotes, without the quotes.
  private static func unquoted(in text: String) -> [(String.Index, Character)] {
    var quote: Character?
    var isEscaped = false
    return text.indices.compactMap { index in
      let character = text[index]
      // `\'` between two quoted texts is a shell's mark.
      defer { isEscaped = quote == nil && character == "\\" && !isEscaped }
      if isEscaped { return (index, character) }
      if let open = quote {
        if character == open { quote = nil }
        return nil
      }
      guard character != "\"", character != "'" else {
        quote = character
        return nil
      }
      return (index, character)
    }
  }

  private static func parts(of line: String, at bar: String.Index) -> (String, String) {
    (String(line[..<bar]).trimmingSpace, String(line[line.index(after: bar)...]).trimmingSpace)
  }

  /// `| jq .`: the last response's body.
  mutating func pipeBody(of name: Substring? = nil, through command: String) {
    guard let (number, exchange) = exchange(named: name) else { return }
    finish(wayOut.send(exchange, number: number, through: command))
  }

  /// What the line that was just performed asks for of its response.
  mutating func pipe(_ parts: PipedParts, through command: String) {
    guard let (number, exchange) = exchange(named: nil) else { return }
    // Of HEAD, the headers are all there is.
    let parts = exchange.request.method == .head && parts.shown == .normal ? PipedParts(.headers) : parts
    var head = StyledText()
    if let amount = parts.head {
      head = StepLines(printer, amount, isForProgram: true).head(of: exchange, number: number)
      if parts.hasBody { head = head + "\n" }
    }
    finish(wayOut.send(exchange, number: number, after: head, hasBody: parts.hasBody, through: command))
  }

  /// What a command would show.
  mutating func pipe(_ text: StyledText, through command: String) {
    finish(wayOut.send(text, through: command))
  }

  /// The program for a response that comes bit by bit; nil: it reads the whole of it, after it has come.
  func livePipe(_ command: String) -> LivePipe? {
    guard world.runProgram != nil, !PipedProgram(command, input: { _ in }).needsTerminal else { return nil }
    return LivePipe(wayOut, command) { [world] in world.interrupts.interrupt() }
  }

  var wayOut: WayOut { WayOut(world: world, printer: printer) }

  mutating func finish(_ failure: WayOut.Failure?) {
    switch failure {
    case nil: return
    case .said?: isFailed = true
    case .report(let report)?: fail(report)
    }
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
