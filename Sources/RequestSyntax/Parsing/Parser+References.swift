import Diagnostics

extension Parser {
  /// `reference = "$"·( name | digits | "_" )·segments`
  mutating func reference() throws(SyntaxError) -> ReferenceSyntax {
    let start = lexer.position
    lexer.take(.punctuation, 1)
    expects(.root)
    var length = lexer.nameLength()
    if length == 0 {
      while let byte = lexer.peek(length), Lexer.isDigit(byte) { length += 1 }
    }
    guard length > 0 || allowsDocument else { throw expected("a name or a number after $") }
    let name = lexer.recentText(length)
    if length > 0 { lexer.take(.name, length) }
    let root = NameSyntax(text: name, range: SourceRange(start, lexer.position))
    let segments = try segments(of: name)
    return ReferenceSyntax(root: root, segments: segments, range: SourceRange(start, lexer.triviaStart))
  }

  /// `{ "."·name | ".*" | ".."·name | "..*" | [ ".." ]·"[" selector { "," selector } "]" }`, without white space
  /// outside the brackets.
  mutating func segments(of root: String? = nil) throws(SyntaxError) -> [SegmentSyntax] {
    var segments: [SegmentSyntax] = []
    while let byte = lexer.peek(), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") {
      let start = lexer.position
      if let root { expectsSegment(of: root, segments) }
      let kind = try segmentKind()
      if segments.isEmpty { segments.reserveCapacity(2) }
      segments.append(SegmentSyntax(kind: kind, range: SourceRange(start, lexer.triviaStart)))
    }
    if let root, case .bracket? = segments.last?.kind { expectsSegment(of: root, segments) }
    return segments
  }

  private mutating func segmentKind() throws(SyntaxError) -> SegmentSyntax.Kind {
    if lexer.peek() == UInt8(ascii: "[") { return .bracket(try selectors(), isDescendant: false) }
    let isDescendant = lexer.peek(1) == UInt8(ascii: ".")
    lexer.take(.punctuation, isDescendant ? 2 : 1)
    if lexer.peek() == UInt8(ascii: "*") {
      lexer.take(.punctuation, 1)
      return isDescendant ? .descendantWildcard : .wildcard
    }
    if isDescendant, lexer.peek() == UInt8(ascii: "[") { return .bracket(try selectors(), isDescendant: true) }
    guard let name = lexer.takeName() else { throw expected("a name after the dot") }
    return isDescendant ? .descendantName(name.text) : .name(name.text)
  }

  private mutating func selectors() throws(SyntaxError) -> [SelectorSyntax] {
    try nested { parser throws(SyntaxError) in
      let start = parser.lexer.position
      let selectors = try parser.commaSeparated("[", "]") { parser throws(SyntaxError) in try parser.selector() }
      if selectors.isEmpty {
        throw SyntaxError(fact: .expected("an index, a key, * or ?"), range: SourceRange(start + 1, start + 2))
      }
      return selectors
    }
  }

  /// `selector = "*" | int | [ int ] ":" [ int ] [ ":" [ int ] ] | rfc-string | "?" rfc-filter | reference`
  private mutating func selector() throws(SyntaxError) -> SelectorSyntax {
    let start = lexer.position
    let kind: SelectorSyntax.Kind
    switch lexer.peek() {
    case UInt8(ascii: "*"):
      lexer.take(.punctuation, 1)
      kind = .wildcard
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      kind = .name(try pathString())
    case UInt8(ascii: "?"):
      return try filter()
    case UInt8(ascii: "$"):
      kind = .reference(try reference())
    default:
      let first = try pathInteger()
      guard takePunctuation(":") else {
        guard let first else { throw expected("an index, a key, * or ?") }
        kind = .index(first)
        break
      }
      let end = try pathInteger()
      let step = takePunctuation(":") ? try pathInteger() : nil
      kind = .slice(start: first, end: end, step: step)
    }
    return SelectorSyntax(kind: kind, range: SourceRange(start, lexer.triviaStart))
  }

  /// An integer as defined by RFC 9535 §2.1: within ±(2^53 - 1), no `-0`, no leading zeros.
  private mutating func pathInteger() throws(SyntaxError) -> Int? {
    lexer.skipTrivia()
    var length = lexer.peek() == UInt8(ascii: "-") ? 1 : 0
    let digitsStart = length
    while let byte = lexer.peek(length), Lexer.isDigit(byte) { length += 1 }
    if length == digitsStart {
      if digitsStart == 1 { throw expected("a whole number") }
      return nil
    }
    let isPadded = lexer.peek(digitsStart) == UInt8(ascii: "0") && length > 1
    guard !isPadded, let value = Int(lexer.text(length)), value.magnitude < 1 << 53 else {
      throw failure(.numberOutOfRange, length)
    }
    lexer.take(.number, length)
    return value
  }

  /// The text of a filter, up to the `,` or `]` that ends it. Its content is parsed by `JSONPath`.
  private mutating func filter() throws(SyntaxError) -> SelectorSyntax {
    let opened = lexer.take(.punctuation, 1)
    lexer.skipTrivia()
    var open = 0
    var length = 0
    var end = 0
    scan: while let byte = lexer.peek(length) {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        length += 1
        while let inner = lexer.peek(length), inner != byte {
          if inner == UInt8(ascii: "\n") { break scan }
          length += inner == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "["), UInt8(ascii: "("):
        open += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"):
        if open == 0 { break scan }
        open -= 1
      case UInt8(ascii: ",") where open == 0:
        break scan
      default: break
      }
      length += 1
      if !Lexer.isWhiteSpace(byte) { end = length }
    }
    if lexer.peek(length) == nil {
      lexer.skip(to: lexer.bytes.count)
      throw unclosed("[", opened)
    }
    guard end > 0 else { throw expected("a condition") }
    let text = lexer.text(end)
    return SelectorSyntax(kind: .filter(text), range: lexer.take(.word, end))
  }

  /// A string as defined by RFC 9535 §2.3.1: both quotes, JSON's escapes, `\'`.
  private mutating func pathString() throws(SyntaxError) -> String {
    let quote = lexer.bytes[lexer.position]
    let opened = lexer.take(.string, 1)
    var text: [UInt8] = []
    while let byte = lexer.peek() {
      if byte == quote {
        lexer.take(.string, 1)
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        if lexer.peek(1) == UInt8(ascii: "'") || lexer.peek(1) == quote {
          text.append(lexer.bytes[lexer.position + 1])
          lexer.take(.string, 2)
        } else {
          text += Array(escape().utf8)
        }
      } else if Lexer.isControl(byte) {
        break
      } else {
        text.append(byte)
        lexer.take(.string, 1)
      }
    }
    throw unclosed(quote == UInt8(ascii: "'") ? "'" : "\"", opened)
  }
}
