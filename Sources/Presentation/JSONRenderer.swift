internal import Diagnostics
internal import JSONValue

/// JSON in colors, one member per line: keys in their order and numbers as the server wrote them, texts as they read.
package enum JSONRenderer {
  /// The text, pretty-printed; nil if it is not JSON after all.
  static func pretty(_ bytes: [UInt8]) -> StyledText? {
    var text = StyledText()
    let isJSON = JSONPrinter.pretty.reprint(asFarAsItGoes: bytes) { piece, role in
      text.append(readable(piece), style(of: role))
    }
    return isJSON ? text : nil
  }

  /// The beginning of a larger text, pretty-printed. A number that may be cut off at the end is left out.
  static func pretty(beginning bytes: [UInt8]) -> StyledText {
    var text = StyledText()
    let end = bytes.lastIndex { !"0123456789+-.eE".utf8.contains($0) } ?? 0
    _ = JSONPrinter.pretty.reprint(asFarAsItGoes: bytes[...end]) { piece, role in
      text.append(readable(piece), style(of: role))
    }
    return text
  }

  /// JSON without the escapes that hide what it says: `caf\u00e9`, `a\u0026b`, `http:\/\/`. What is no printable
  /// character stays escaped, and so does what would end a text.
  package static func readable(_ json: String) -> String {
    var text = ""
    var rest = json[...]
    while let backslash = rest.utf8.firstIndex(of: UInt8(ascii: "\\")) {
      text += rest[..<backslash]
      let escape = rest[backslash...]
      let letter = escape.dropFirst().first
      if letter == "u", let (scalar, end) = scalar(at: escape.dropFirst(2)), isReadable(scalar) {
        text.unicodeScalars.append(scalar)
        rest = rest[end...]
        continue
      }
      let end = escape.index(escape.startIndex, offsetBy: 2, limitedBy: escape.endIndex) ?? escape.endIndex
      text += letter == "/" ? "/" : escape[..<end]
      rest = rest[end...]
    }
    return text + rest
  }

  /// What the digits of an escape stand for, of which a pair of surrogates has two, and where they end.
  private static func scalar(at text: Substring) -> (Unicode.Scalar, Substring.Index)? {
    func unit(_ text: Substring) -> UInt32? {
      let digits = text.prefix(4)
      return digits.utf8.count == 4 ? UInt32(digits, radix: 16) : nil
    }
    guard let first = unit(text) else { return nil }
    let end = text.index(text.startIndex, offsetBy: 4)
    if let scalar = Unicode.Scalar(first) { return (scalar, end) }
    let next = text[end...]
    guard first < 0xDC00, next.hasPrefix("\\u"), let second = unit(next.dropFirst(2)), 0xDC00...0xDFFF ~= second else {
      return nil
    }
    let code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    return Unicode.Scalar(code).map { ($0, text.index(end, offsetBy: 6)) }
  }

  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\"" || scalar == "\\" { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
      .currencySymbol, .modifierSymbol, .otherSymbol:
      return VisibleText.escape(String(scalar)) == String(scalar)
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
      return false
    @unknown default: return false
    }
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
