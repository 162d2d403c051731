import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// What a script after a response does, as far as it is one of the things that such scripts usually do: keep a value,
/// and assert something. There is no JavaScript here: anything else is said and left out.
struct HandlerTranslator {
  let label: String
  private(set) var expectations: [ClauseSyntax] = []
  private(set) var values: [(name: String, value: ExpressionSyntax)] = []
  private(set) var notes: [ImportNote] = []
  private(set) var namesStatus = false
  /// Local names for parts of the response.
  private var aliases: [String: String] = [:]

  /// Nobody writes a longer one that is translated.
  private static let longestStatement = 1_000

  var needsLabel: Bool { !values.isEmpty }

  init(label: String) {
    self.label = label
  }

  mutating func read(_ handler: HTTPFileText) {
    if handler.text.hasPrefix(">") {
      return notes.append(ImportNote(.warning, "a script in another file is not read", at: handler.range))
    }
    for statement in Self.statements(in: handler.text) {
      guard statement.utf8.count <= Self.longestStatement, take(statement, handler.range) else {
        notes.append(
          ImportNote(.warning, "this script is not translated: \(statement.prefix(80))", at: handler.range))
        continue
      }
    }
  }

  /// The statements inside of tests too, one after another.
  private static func statements(in script: String) -> [String] {
    var statements: [String] = []
    var statement = ""
    var depth = 0
    func end() {
      statements.append(statement.trimmed)
      statement = ""
    }
    var text = HandlerText(script)
    while let character = text.next() {
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth = max(0, depth - 1)
      default: break
      }
      if character == ";" || character == "\n" && depth == 0 { end() } else { statement.append(character) }
    }
    end()
    return statements.filter { !$0.isEmpty }
  }

  private mutating func take(_ statement: String, _ range: SourceRange) -> Bool {
    if statement.hasPrefix("client.log") || statement.hasPrefix("console.log") { return true }
    let set = /client\.global\.set\(\s*["']([^"']+)["']\s*,\s*(.+)\)/.dotMatchesNewlines()
    if let match = statement.wholeMatch(of: set) {
      guard let value = expression(String(match.output.2).trimmed, label: label) else { return false }
      values.append((String(match.output.1), value))
      return true
    }
    if let match = statement.wholeMatch(of: /(?:let|const|var)\s+(\w+)\s*=\s*(.+)/.dotMatchesNewlines()) {
      let value = String(match.output.2).trimmed
      guard expression(value, label: label) != nil else { return false }
      aliases[String(match.output.1)] = value
      return true
    }
    guard let match = statement.wholeMatch(of: /client\.assert\((.+)\)/.dotMatchesNewlines()) else { return false }
    guard let condition = condition(Self.firstArgument(String(match.output.1))) else { return false }
    expectations.append(ClauseSyntax(.expect(condition)).placed(at: range))
    return true
  }

  private static func firstArgument(_ arguments: String) -> String {
    var depth = 0
    var quote: Character?
    for index in arguments.indices {
      let character = arguments[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "'", "`": quote = character
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "," where depth == 0: return arguments[..<index].trimmed
      default: break
      }
    }
    return arguments.trimmed
  }

  private mutating func condition(_ text: String) -> ExpressionSyntax? {
    if let match = text.wholeMatch(of: /(.+?)\s*(===|!==|==|!=|>=|<=|>|<)\s*(.+)/) {
      guard let left = expression(String(match.output.1), label: nil),
        let right = expression(String(match.output.3), label: nil)
      else { return nil }
      let symbol = String(match.output.2)
      let usual = ["===": "==", "!==": "!="][symbol] ?? symbol
      guard let operation = BinarySyntax.Operator(rawValue: usual) else { return nil }
      if case .member(let name) = left, name.text == "status" { namesStatus = true }
      if case .literal(let literal) = right, literal.kind == .null, operation == .notEqual {
        return .binary(BinarySyntax(.fallback(FallbackSyntax(left, or: right)), operation, right))
      }
      return .binary(BinarySyntax(left, operation, right))
    }
    if let match = text.wholeMatch(of: /(.+)\.(includes|startsWith|endsWith)\((.+)\)/) {
      let operations: [Substring: BinarySyntax.Operator] = [
        "includes": .contains, "startsWith": .startsWith, "endsWith": .endsWith,
      ]
      guard let left = expression(String(match.output.1), label: nil),
        let right = expression(String(match.output.3), label: nil),
        let operation = operations[match.output.2]
      else { return nil }
      return .binary(BinarySyntax(left, operation, right))
    }
    if let match = text.wholeMatch(of: /(.+)\.hasOwnProperty\(["'](\w+)["']\)/) {
      guard let left = expression(String(match.output.1), label: nil) else { return nil }
      return .shapeTest(ShapeTestSyntax(left.selecting([.member(String(match.output.2))]), is: .named(.any)))
    }
    return nil
  }

  /// A part of the response, or a literal.
  ///
  /// - Parameter label: the step that it is a part of; nil: the one that is judged.
  private func expression(_ text: String, label: String?) -> ExpressionSyntax? {
    var text = text.trimmed
    let first = String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    if let alias = aliases[first] { text = alias + text.dropFirst(first.count) }
    if let match = text.wholeMatch(of: /"([^"\\]*)"|'([^'\\]*)'/) {
      return .text(String(match.output.1 ?? match.output.2 ?? ""))
    }
    if let literal = LiteralSyntax.Kind(rawValue: text) {
      return ExpressionSyntax(literal == .null ? .null : .bool(literal == .true))
    }
    if let number = JSONNumber(text) { return ExpressionSyntax(.number(number)) }
    func member(_ name: String, _ segments: [SegmentSyntax] = []) -> ExpressionSyntax {
      if let label { return .reference(label, [.member(name)] + segments) }
      let member = ExpressionSyntax.member(NameSyntax(name))
      return segments.isEmpty ? member : member.path(segments)
    }
    if text == "response.status" { return member("status") }
    if let match = text.wholeMatch(of: /response\.headers\.valueOf\(["']([^"']+)["']\)/) {
      return member("headers", [.bracketed(String(match.output.1))])
    }
    if text == "response.contentType.mimeType" {
      return member("headers", [.bracketed("content-type")])
    }
    guard text.hasPrefix("response.body") else { return nil }
    let path = "$" + text.dropFirst("response.body".count)
    if path.hasSuffix(".length"), let value = body(String(path.dropLast(7))) {
      return member("body", value).through("count")
    }
    return body(path).map { member("body", $0) }
  }

  /// The segments after `response.body`.
  private func body(_ path: String) -> [SegmentSyntax]? {
    let parsed = Parser.parseExpression(SourceText(name: "", text: path), allowsDocument: true)
    guard case .reference(let reference)? = parsed.expression, reference.root.text.isEmpty else { return nil }
    return reference.segments.map(\.unplaced)
  }
}

/// The characters of a script without its comments, and without what encloses the statements of its tests: each is
/// looked at a fixed number of times.
private struct HandlerText {
  private var rest: Substring
  private var isAfterSpace = true
  /// What is not in the rest anymore, and is not looked for again.
  private var missing: Set<String> = []

  init(_ script: String) { rest = script[...] }

  mutating func next() -> Character? {
    while let first = rest.first {
      if first == "/", rest.hasPrefix("/*"), skip(past: "*/") { continue }
      if first == "/", isAfterSpace, rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
        continue
      }
      isAfterSpace = first.isWhitespace
      if first == "c", rest.hasPrefix("client.test("), skip(past: "{") { return ";" }
      rest.removeFirst()
      if first == "}" {
        let after = rest.drop(while: \.isWhitespace)
        if after.first == ")" {
          rest = after.dropFirst()
          return ";"
        }
      }
      return first
    }
    return nil
  }

  /// - Returns: false if it is not there.
  private mutating func skip(past text: String) -> Bool {
    guard !missing.contains(text) else { return false }
    guard let found = rest.firstRange(of: text) else {
      missing.insert(text)
      return false
    }
    rest = rest[found.upperBound...]
    return true
  }
}
