internal import JSONValue

/// JSON in colors, one member per line, with keys, numbers and escapes as the server wrote them.
enum JSONRenderer {
  /// The text, pretty-printed; nil if it is not JSON after all.
  static func pretty(_ bytes: [UInt8]) -> StyledText? {
    var text = StyledText()
    let isJSON = JSONPrinter.pretty.reprint(asFarAsItGoes: bytes) { piece, role in
      text.append(piece, style(of: role))
    }
    return isJSON ? text : nil
  }

  /// The beginning of a larger text, pretty-printed. A number that may be cut off at the end is left out.
  static func pretty(beginning bytes: [UInt8]) -> StyledText {
    var text = StyledText()
    let end = bytes.lastIndex { !"0123456789+-.eE".utf8.contains($0) } ?? 0
    _ = JSONPrinter.pretty.reprint(asFarAsItGoes: bytes[...end]) { piece, role in
      text.append(piece, style(of: role))
    }
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
