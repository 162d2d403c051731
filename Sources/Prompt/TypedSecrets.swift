internal import Formats
internal import RequestSyntax
internal import Requests

/// Text as it may be written down: without anything in the places of passwords, tokens and keys, however the line was
/// meant (a request, a command, JSON, a line for curl).
enum TypedSecrets {
  static let mask = "••••"

  static func masked(_ text: String) -> String {
    let own = TypedStatement(spoken(text))
    var hidden = own.ranges + TypedURL.secrets(in: text) + lexical(text)
    guard let meant = meaning(of: text) else { return masking(text, hidden) }
    // A line for another program has its own syntax: the values found by meaning are looked for in it.
    let meaning = TypedStatement(meant)
    let values = meaning.values.union(own.values)
    for value in values where value.utf8.count >= 4 { hidden += places(of: value, in: text) }
    let result = masking(text, hidden)
    let isFound = meaning.values.allSatisfy { $0.utf8.count < 4 || !places(of: $0, in: text).isEmpty }
    return isFound ? result : masking(meant, meaning.ranges + TypedURL.secrets(in: meant) + lexical(meant))
  }

  /// The text as a statement of the same length: `:set` is a `let`, and the argument of another command may be a
  /// request.
  private static func spoken(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: ":") else { return text }
    if text.hasPrefix(":set ") { return " let " + text.dropFirst(5) }
    let command = text.prefix { !$0.isWhitespace }
    return String(repeating: " ", count: command.utf8.count) + text[command.endIndex...]
  }

  /// The request that a line for another program means.
  private static func meaning(of text: String) -> String? {
    var line = text.drop(while: \.isWhitespace)
    if line.hasPrefix(":import ") { line = line.dropFirst(8).drop(while: \.isWhitespace) }
    switch ForeignInput(String(line)) {
    case .script(let script)?, .offline(let script)?: return SyntaxPrinter.print(script)
    case .curl(let line)?: return (try? CurlCommand(line)).map { SyntaxPrinter.print($0.script) }
    case .hint?, .open?, nil: return nil
    }
  }

  /// For what no parser understands, since it is unfinished or not ours.
  private static func lexical(_ text: String) -> [Range<Int>] {
    let named =
      /(?<name>[A-Za-z][\w-]*)\\?["']?\s*(?:==|:=|=|:(?!\/\/))\s*(?<value>"(?:[^"\\]|\\.)*"|'[^']*'|\\"(?:[^"\\]|\\[^"])*|[^\s,;&"'{}()\[\]\\]+)/
    let scheme = /(?i:\bbearer)\s+(?<value>"(?:[^"\\]|\\.)*"|[^\s,"'{}()]+)/
    let login =
      /(?i:\bbasic)\s+(?:"[^"]*"|[^\s,]+)\s*,\s*(?<value>"(?:[^"\\]|\\.)*")|\s(?:-u|-a|--user|--auth)\s+['"]?[^\s:'"]+:(?<word>[^\s'"]+)/
    var hidden: [Range<String.Index>] = []
    for match in text.matches(of: named) where SensitiveName.contains(String(match.name)) {
      if isLiteral(match.value) { hidden.append(match.value.startIndex..<match.value.endIndex) }
    }
    for match in text.matches(of: scheme) where isLiteral(match.value) {
      hidden.append(match.value.startIndex..<match.value.endIndex)
    }
    for match in text.matches(of: login) {
      if let value = match.value ?? match.word, isLiteral(value) { hidden.append(value.startIndex..<value.endIndex) }
    }
    return hidden.map { range in
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      // The quotation mark of a string within a string stays.
      let quote = text[range].utf8.starts(with: #"\""#.utf8) ? 2 : 0
      return start + quote..<start + text[range].utf8.count
    }
  }

  /// Not a reference, a question, or the shape of a value.
  private static func isLiteral(_ value: Substring) -> Bool {
    let text = value.drop { "\"'\\".contains($0) }
    if text.hasPrefix("$") || text.hasPrefix("{") || text.hasPrefix("ask") { return false }
    return ![
      "", "any", "null", "bool", "int", "number", "string", "url", "true", "false", "bearer", "basic", "on", "off",
    ].contains(text.lowercased().prefix { !"\"'\\".contains($0) })
  }

  private static func places(of value: String, in text: String) -> [Range<Int>] {
    Array(text.utf8).ranges(of: Array(value.utf8))
  }

  private static func masking(_ text: String, _ hidden: [Range<Int>]) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    for range in hidden.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }) {
      // A range that extends beyond the previous one is masked with it.
      if range.lowerBound < position {
        position = max(position, range.upperBound)
        continue
      }
      let text = bytes[range]
      let quote = text.first.flatMap { "\"'".utf8.contains($0) && text.count > 1 && text.last == $0 ? $0 : nil }
      result += bytes[position..<range.lowerBound] + (quote.map { [$0] } ?? []) + mask.utf8 + (quote.map { [$0] } ?? [])
      position = range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }
}
