internal import JSONValue

/// JSON in colours, a member a line, keys in their order and numbers exact.
enum JSONRenderer {
  /// The text, pretty; nil if it is no JSON after all.
  static func pretty(_ bytes: [UInt8]) -> StyledText? {
    guard let value = try? JSON(parsing: bytes) else { return nil }
    var text = StyledText()
    JSONPrinter.pretty.print(value) { piece, role in text.append(piece, style(of: role)) }
    return text
  }

  private static func style(of role: JSONPrinter.Role) -> StyledText.Style {
    switch role {
    case .punctuation: .plain
    case .key: .key
    case .string: .string
    case .number: .number
    case .literal: .literal
    }
  }
}
