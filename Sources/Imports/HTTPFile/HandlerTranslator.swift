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

  var needsLabel: Bool { !values.isEmpty }

  init(_ translator: HTTPFileTranslator, label: String) {
    self.label = label
  }

  mutating func read(_ handler: HTTPFileText) {
    if handler.text.hasPrefix(">") {
      return notes.append(ImportNote(.warning, "a script in another file is not read", at: handler.range))
    }
    for statement in Self.statements(in: handler.text) {
      guard take(statement, handler.range) else {
        notes.append(
          ImportNote(.warning, "this script is not translated: \(statement.prefix(80))", at: handler.range))
        continue
      }
    }
  }

  /// The statements inside of tests too, one after another.
  private static func statements(in script: String) -> [String] {
    let text = script.replacing(/\/\*.*?\*\//.dotMatchesNewlines(), with: "").replacing(/(^|\s)\/\/[^\n]*/, with: " ")
      .replacing(/client\.test\([^{]*\{/, with: ";").replacing(/\}\s*\)\s*;?/, with: ";")
    var statements: [String] = []
    var statement = ""
    var depth = 0
    for character in text {
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth = max(0, depth - 1)
      default: break
      }
      if character == ";" || character == "\n" && depth == 0 {
        statements.append(statement.trimmed)
        statement = ""
      } else {
        statement.append(character)
      }
    }
    return (statements + [statement.trimmed]).filter { !$0.isEmpty }
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
