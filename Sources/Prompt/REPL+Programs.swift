internal import Presentation
internal import Requests

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
    guard let (number, exchange) = exchange(named: name) else { return }
    finish(wayOut.send(exchange, number: number, through: command))
  }

  /// What a command would show.
  mutating func pipe(_ text: StyledText, through command: String) {
    finish(wayOut.send(text, through: command))
  }

  private var wayOut: WayOut { WayOut(world: world, printer: printer) }

  private mutating func finish(_ failure: WayOut.Failure?) {
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
