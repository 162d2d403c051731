/// Text as it may be written down: without what stands where passwords, tokens and keys do, however the line was meant
/// (a request, JSON, a curl line).
enum TypedSecrets {
  static let mask = "••••"

  static func masked(_ text: String) -> String {
    let named = /(?<name>[A-Za-z][\w-]*)["']?\s*(?:==|:=|=|:)\s*(?<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&"'{}()\[\]]+)/
    let scheme = /(?i:\bbearer)\s+(?<value>"(?:[^"\\]|\\.)*"|[^\s,"'{}()]+)/
    let login =
      /(?i:\bbasic)\s+(?:"[^"]*"|[^\s,]+)\s*,\s*(?<value>"(?:[^"\\]|\\.)*")|\s(?:-u|-a|--user|--auth)\s+['"]?[^\s:'"]+:(?<word>[^\s'"]+)/
    var hidden: [Range<String.Index>] = []
    for match in text.matches(of: named) where SavedSecrets.isSensitive(String(match.name)) {
      if isLiteral(match.value) { hidden.append(match.value.startIndex..<match.value.endIndex) }
    }
    for match in text.matches(of: scheme) where isLiteral(match.value) {
      hidden.append(match.value.startIndex..<match.value.endIndex)
    }
    for match in text.matches(of: login) {
      if let value = match.value ?? match.word, isLiteral(value) { hidden.append(value.startIndex..<value.endIndex) }
    }
    var result = ""
    var position = text.startIndex
    for range in hidden.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= position {
      let quote = text[range].first.flatMap { "\"'".contains($0) ? String($0) : nil } ?? ""
      result += text[position..<range.lowerBound] + quote + mask + quote
      position = range.upperBound
    }
    return result + text[position...]
  }

  /// Not a reference, a question, or the shape of a value.
  private static func isLiteral(_ value: Substring) -> Bool {
    let text = value.drop { "\"'".contains($0) }
    if text.hasPrefix("$") || text.hasPrefix("{") || text.hasPrefix("ask") { return false }
    return ![
      "", "any", "null", "bool", "int", "number", "string", "url", "true", "false", "bearer", "basic", "on", "off",
    ].contains(text.lowercased().prefix { !"\"'".contains($0) })
  }
}
