import Diagnostics

extension Parser {
  /// `'"' … '"' | "'" … "'" | '"""' … '"""'`
  mutating func string() throws(SyntaxError) -> StringSyntax {
    lexer.skipTrivia()
    if lexer.isAt("\"\"\"") { return try blockString() }
    switch lexer.peek() {
    case UInt8(ascii: "\""): return try quotedString()
    case UInt8(ascii: "'"): return try rawString()
    default: throw expected("a string")
    }
  }

  private mutating func rawString() throws(SyntaxError) -> StringSyntax {
    let start = lexer.position
    var text = try rawText()
    var style = StringSyntax.Style.raw
    // A quotation mark as a shell wants it: `'O'\''Neil'`.
    while itemStyle == .typed, lexer.isAt("\\''") {
      lexer.take(.string, 2)
      text += "'" + (try rawText())
      style = .quoted
    }
    let pieces: [StringSyntax.Piece] = text.isEmpty ? [] : [.text(text)]
    return StringSyntax(style: style, pieces: pieces, range: SourceRange(start, lexer.position))
  }

  private mutating func rawText() throws(SyntaxError) -> String {
    let opened = lexer.take(.string, 1)
    var length = 0
    while let byte = lexer.peek(length), byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\n") {
      if byte < 0x20, byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r") { break }
      length += 1
    }
    let text = lexer.text(length)
    if length > 0 { lexer.take(.string, length) }
    guard lexer.peek() == UInt8(ascii: "'") else { throw unclosedString("'", opened) }
    lexer.take(.string, 1)
    return text
  }

  private mutating func quotedString() throws(SyntaxError) -> StringSyntax {
    let start = lexer.position
    let opened = lexer.take(.string, 1)
    var builder = StringBuilder()
    while true {
      switch lexer.peek() {
      case UInt8(ascii: "\""):
        lexer.take(.string, 1)
        return StringSyntax(style: .quoted, pieces: builder.finish(), range: SourceRange(start, lexer.position))
      case UInt8(ascii: "\\"):
        builder.append(escape())
      case UInt8(ascii: "{") where lexer.peek(1) == UInt8(ascii: "$"):
        builder.append(try interpolation(isMultiline: false))
      case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        throw unclosedString("\"", opened)
      case .some:
        builder.append(try plainText())
      }
    }
  }

  /// `"""` to `"""`: a line end right after the opening quotes and one before the closing ones are not part of the
  /// text, nor is the indentation of the closing line.
  private mutating func blockString() throws(SyntaxError) -> StringSyntax {
    let start = lexer.position
    let opened = lexer.take(.string, 3)
    lexer.depth += 1
    var blanks = 0
    while let byte = lexer.peek(blanks), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { blanks += 1 }
    var builder = BlockStringBuilder()
    if let byte = lexer.peek(blanks), byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"), blanks > 0 {
      lexer.take(.string, blanks)
    }
    while true {
      if lexer.isAt("\"\"\"") {
        lexer.depth -= 1
        lexer.take(.string, 3)
        let (pieces, shallow) = builder.finish()
        errors += shallow.map { SyntaxError(fact: .shallowLine, range: SourceRange(at: $0)) }
        return StringSyntax(style: .block, pieces: pieces, range: SourceRange(start, lexer.position))
      }
      switch lexer.peek() {
      case nil:
        isIncomplete = true
        throw failure(.unclosed("\"\"\"", opened: opened))
      case UInt8(ascii: "\""):
        lexer.take(.string, 1)
        builder.append("\"")
      case UInt8(ascii: "\\"):
        builder.append(escape())
      case UInt8(ascii: "{") where lexer.peek(1) == UInt8(ascii: "$"):
        builder.append(try interpolation(isMultiline: true))
      case UInt8(ascii: "\n"):
        lineStart(1, &builder)
      case UInt8(ascii: "\r") where lexer.peek(1) == UInt8(ascii: "\n"):
        lineStart(2, &builder)
      case .some:
        builder.append(try plainText())
      }
    }
  }

  private mutating func lineStart(_ length: Int, _ builder: inout BlockStringBuilder) {
    lexer.take(.string, length)
    var blanks = 0
    while let byte = lexer.peek(blanks), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { blanks += 1 }
    let indentation = lexer.text(blanks)
    builder.startLine(indentation: indentation, offset: lexer.position)
    if blanks > 0 { lexer.take(.string, blanks) }
  }

  /// A run of characters that stand for themselves.
  private mutating func plainText() throws(SyntaxError) -> String {
    var length = lexer.peek() == UInt8(ascii: "{") ? 1 : 0
    while let byte = lexer.peek(length), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
      byte != UInt8(ascii: "{"), !Lexer.isControl(byte) || byte == UInt8(ascii: "\t")
    {
      length += 1
    }
    if length == 0 {
      errors.append(failure(.controlCharacter, 1))
      lexer.take(.skipped, 1)
      return ""
    }
    let text = lexer.text(length)
    lexer.take(.string, length)
    return text
  }

  /// `"{"·"$"… expr "}"`
  private mutating func interpolation(isMultiline: Bool) throws(SyntaxError) -> ExpressionSyntax {
    let opened = lexer.take(.punctuation, 1)
    let outerDepth = lexer.depth
    lexer.depth = isMultiline ? outerDepth + 1 : 0
    let expression = try expression()
    lexer.skipTrivia()
    guard lexer.peek() == UInt8(ascii: "}") else { throw unclosed("{", opened) }
    lexer.depth = outerDepth
    lexer.take(.punctuation, 1)
    return expression
  }

  /// A backslash and what it escapes; an invalid escape is reported and yields nothing.
  mutating func escape() -> String {
    let simple: String? =
      switch lexer.peek(1) {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      case UInt8(ascii: "/"): "/"
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{C}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      case UInt8(ascii: "{"): "{"
      default: nil
      }
    if let simple {
      lexer.take(.string, 2)
      return simple
    }
    guard lexer.peek(1) == UInt8(ascii: "u"), let unit = hexadecimal(at: 2) else {
      errors.append(failure(.invalidEscape, 1))
      lexer.take(.string, 1)
      return ""
    }
    if let scalar = Unicode.Scalar(unit) {
      lexer.take(.string, 6)
      return String(Character(scalar))
    }
    if unit < 0xDC00, lexer.peek(6) == UInt8(ascii: "\\"), lexer.peek(7) == UInt8(ascii: "u"),
      let low = hexadecimal(at: 8), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      lexer.take(.string, 12)
      return String(Character(scalar))
    }
    errors.append(failure(.loneSurrogate, 6))
    lexer.take(.string, 6)
    return ""
  }

  private func hexadecimal(at offset: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let byte = lexer.peek(offset + index), let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 0x80
      else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private func unclosedString(_ quote: String, _ opened: SourceRange) -> SyntaxError {
    failure(.unclosed(quote, opened: opened), lexer.isAtLineEnd ? 0 : 1)
  }
}

/// Joins adjacent texts.
private struct StringBuilder {
  private var pieces: [StringSyntax.Piece] = []
  private var text = ""

  mutating func append(_ more: String) {
    // Mostly there is nothing to join.
    if text.isEmpty { text = more } else { text += more }
  }

  mutating func append(_ expression: ExpressionSyntax) {
    if pieces.isEmpty, !text.isEmpty {
      // Made at its usual size.
      pieces = [.text(text), .interpolation(expression)]
    } else {
      if !text.isEmpty { pieces.append(.text(text)) }
      pieces.append(.interpolation(expression))
    }
    text = ""
  }

  consuming func finish() -> [StringSyntax.Piece] {
    if text.isEmpty { return pieces }
    if pieces.isEmpty { return [.text(text)] }
    pieces.append(.text(text))
    return pieces
  }
}

/// Keeps line starts separate until the closing line shows how much indentation is not part of the text.
private struct BlockStringBuilder {
  private enum Part {
    case text(String)
    case interpolation(ExpressionSyntax)
    case lineStart(indentation: String, offset: Int)
  }

  private var parts: [Part] = []

  mutating func append(_ text: String) {
    parts.append(.text(text))
  }

  mutating func append(_ expression: ExpressionSyntax) {
    parts.append(.interpolation(expression))
  }

  mutating func startLine(indentation: String, offset: Int) {
    parts.append(.lineStart(indentation: indentation, offset: offset))
  }

  /// The pieces, and the offsets of the lines that are not indented far enough.
  func finish() -> (pieces: [StringSyntax.Piece], shallow: [Int]) {
    var parts = parts[...]
    var margin = ""
    if case .lineStart(let indentation, _) = parts.last {
      margin = indentation
      parts.removeLast()
    }
    var builder = StringBuilder()
    var shallow: [Int] = []
    for index in parts.indices {
      switch parts[index] {
      case .text(let text): builder.append(text)
      case .interpolation(let expression): builder.append(expression)
      case .lineStart(let indentation, let offset):
        if index > parts.startIndex { builder.append("\n") }
        if indentation.hasPrefix(margin) {
          builder.append(String(indentation.dropFirst(margin.count)))
        } else if !isLineEnd(parts, at: index + 1) {
          shallow.append(offset)
        }
      }
    }
    return (builder.finish(), shallow)
  }

  private func isLineEnd(_ parts: ArraySlice<Part>, at index: Int) -> Bool {
    guard index < parts.endIndex else { return true }
    if case .lineStart = parts[index] { return true }
    return false
  }
}
