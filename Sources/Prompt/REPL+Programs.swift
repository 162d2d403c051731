internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions

/// The way out: `| jq .`, `:body | less`, `:show headers | grep x`.
extension REPL {
  /// The parts of a line on both sides of the first `|` outside of quotes; nil without one.
  static func pipeline(_ line: String) -> (command: String, program: String)? {
    bars(in: line).first.map { parts(of: line, at: $0.index) }
  }

  /// A request and the program that its response goes through, `GET /x | jq .`; nil: no `|`, or what follows it is a
  /// function of the language.
  static func requestPipeline(_ line: String) -> (request: String, program: String)? {
    guard let method = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).first,
      Keywords.commonMethods.contains(String(method)) || method.hasPrefix("/")
    else { return nil }
    for bar in bars(in: line) where bar.depth == 0 {
      let (request, program) = parts(of: line, at: bar.index)
      let name = program.prefix { !$0.isWhitespace && $0 != "|" }
      if !name.isEmpty, !name.contains("("), Function(named: String(name)) == nil { return (request, program) }
    }
    return nil
  }

  /// Every `|` outside of quotes, and how many brackets are open there.
  private static func bars(in line: String) -> [(index: String.Index, depth: Int)] {
    var bars: [(String.Index, Int)] = []
    var quote: Character?
    var depth = 0
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "'": quote = character
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "|": bars.append((index, depth))
      default: break
      }
    }
    return bars
  }

  private static func parts(of line: String, at bar: String.Index) -> (String, String) {
    (String(line[..<bar]).trimmingSpace, String(line[line.index(after: bar)...]).trimmingSpace)
  }

  /// `| jq .`: the last response's body.
  mutating func pipeBody(of name: Substring? = nil, through command: String) {
    guard let (number, exchange) = exchange(named: name) else { return }
    finish(wayOut.send(exchange, number: number, through: command))
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

  private var wayOut: WayOut { WayOut(world: world, printer: printer) }

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
