internal import RequestSyntax
internal import Requests

/// Where `continue` stops.
package struct Breakpoint: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Before the step with that label or number, if the condition holds.
    case step(String, condition: String?)
    /// After a response with one of these statuses.
    case status([Int])
    /// After a step that failed.
    case fail
    /// Before a request that goes to another origin than the one before it.
    case originChange
  }

  package var place: Place

  /// What can follow `on`, as it is typed.
  package static let events = ["fail", "status 4xx", "origin-change"]

  /// Why a text is not a breakpoint.
  package struct ParseError: Error, Hashable, Sendable {
    package var text: String
  }

  /// Reads `upload`, `3`, `upload if $i > 2`, `on fail`, `on status 4xx`, `on origin-change`.
  package init(parsing text: String) throws(ParseError) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { throw ParseError(text: text) }
    if first == "on" {
      place = try Self.event(Array(words.dropFirst()), text)
    } else if words.count == 1 {
      place = .step(first, condition: nil)
    } else {
      guard words[1] == "if", let range = text.firstRange(of: " if ") else { throw ParseError(text: text) }
      place = .step(first, condition: String(text[range.upperBound...]))
    }
  }

  private static func event(_ words: [String], _ text: String) throws(ParseError) -> Place {
    switch words.first {
    case "fail" where words.count == 1: return .fail
    case "origin-change" where words.count == 1: return .originChange
    case "status" where words.count >= 2:
      var codes: [Int] = []
      for word in words.dropFirst() where word != "|" {
        if let code = Int(word), (100...599).contains(code) {
          codes.append(code)
        } else if word.count == 3, word.hasSuffix("xx"), let digit = Int(word.prefix(1)), (1...5).contains(digit) {
          codes += digit * 100..<digit * 100 + 100
        } else {
          throw ParseError(text: text)
        }
      }
      return .status(codes)
    default: throw ParseError(text: text)
    }
  }

  package var description: String {
    switch place {
    case .step(let name, nil): "before \(name)"
    case .step(let name, let condition?): "before \(name) if \(condition)"
    case .status(let codes): "on status \(Self.compact(codes))"
    case .fail: "on fail"
    case .originChange: "on origin-change"
    }
  }

  private static func compact(_ codes: [Int]) -> String {
    var rest = codes
    var words: [String] = []
    for digit in 1...5 where Set(digit * 100..<digit * 100 + 100).isSubset(of: rest) {
      words.append("\(digit)xx")
      rest.removeAll { $0 / 100 == digit }
    }
    return (words + rest.map(String.init)).joined(separator: " | ")
  }
}
