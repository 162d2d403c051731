import Diagnostics

extension Parser {
  /// `operand = reference | bare·segments | name·args·segments | "(" expr ")"·segments | number·[ unit ] | string |
  /// object | array | "true" | "false" | "null"`
  mutating func operand() throws(SyntaxError) -> ExpressionSyntax {
    lexer.skipTrivia()
    if allowsMembers { expects(.member) }
    guard let byte = lexer.peek() else { throw expected("a value") }
    switch byte {
    case UInt8(ascii: "$"): return .reference(try reference())
    case UInt8(ascii: "("): return try path(after: try parenthesized())
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: return try named()
    }
  }

  /// Whatever starts with a name: a literal, a call, a member of the exchange.
  private mutating func named() throws(SyntaxError) -> ExpressionSyntax {
    let length = lexer.nameLength()
    guard length > 0 else { throw expected("a value") }
    let word = lexer.recentText(length)
    let start = lexer.position
    if lexer.peek(length) == UInt8(ascii: "(") {
      if word == "file", lexer.peek(length + 1) == UInt8(ascii: "\"") { expects(.fileName, at: length + 2) }
      let name = NameSyntax(text: word, range: lexer.take(.name, length))
      let arguments = try arguments()
      let call = CallSyntax(name: name, arguments: arguments, range: SourceRange(start, lexer.triviaStart))
      return try path(after: .call(call))
    }
    if "tfn".utf8.contains(lexer.bytes[start]), let literal = LiteralSyntax.Kind(rawValue: word) {
      return .literal(LiteralSyntax(kind: literal, range: lexer.take(.name, length)))
    }
    guard lexer.isName(length, in: Keywords.memberSet) else { throw failure(.bareName(word), length) }
    guard allowsMembers else { throw failure(.memberOutsideExpectation(word), length) }
    let name = NameSyntax(text: word, range: lexer.take(.name, length))
    return try path(after: .member(name))
  }

  mutating func parenthesized() throws(SyntaxError) -> ExpressionSyntax {
    let start = lexer.position
    let opened = lexer.take(.punctuation, 1)
    lexer.depth += 1
    let inner = try expression()
    lexer.skipTrivia()
    guard lexer.peek() == UInt8(ascii: ")") else { throw unclosed("(", opened) }
    lexer.depth -= 1
    lexer.take(.punctuation, 1)
    return .parenthesized(ParenthesizedSyntax(inner: inner, range: SourceRange(start, lexer.triviaStart)))
  }

  private mutating func path(after base: ExpressionSyntax) throws(SyntaxError) -> ExpressionSyntax {
    let segments = try segments()
    if segments.isEmpty { return base }
    return .path(
      PathSyntax(base: base, segments: segments, range: SourceRange(base.range.lowerBound, lexer.triviaStart)))
  }

  /// A JSON number (RFC 8259 §6) without a sign, optionally with a unit.
  mutating func number() throws(SyntaxError) -> NumberSyntax {
    let start = lexer.position
    let length = numberLength()
    guard length > 0 else { throw expected("a number") }
    let text = lexer.text(length)
    lexer.take(.number, length)
    var unit: NumberSyntax.Unit?
    let unitLength = lexer.nameLength()
    if unitLength > 0 {
      let name = lexer.text(unitLength)
      unit = NumberSyntax.Unit(rawValue: name)
      if unit == nil { throw failure(.unknownUnit(name), unitLength) }
      lexer.take(.name, unitLength)
    } else if let byte = lexer.peek(), Lexer.isDigit(byte) || byte == UInt8(ascii: ".") {
      throw expected("the end of the number")
    }
    return NumberSyntax(text: text, unit: unit, range: SourceRange(start, lexer.triviaStart))
  }

  private func numberLength() -> Int {
    func digits(at offset: Int) -> Int {
      var count = 0
      while let byte = lexer.peek(offset + count), Lexer.isDigit(byte) { count += 1 }
      return count
    }
    var length = lexer.peek() == UInt8(ascii: "0") ? 1 : digits(at: 0)
    if length == 0 { return 0 }
    if lexer.peek(length) == UInt8(ascii: "."), case let fraction = digits(at: length + 1), fraction > 0 {
      length += 1 + fraction
    }
    if let byte = lexer.peek(length), byte | 0x20 == UInt8(ascii: "e") {
      let sign = lexer.peek(length + 1)
      let signLength = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 1 : 0
      let exponent = digits(at: length + 1 + signLength)
      if exponent > 0 { length += 1 + signLength + exponent }
    }
    return length
  }

  /// `object = "{" [ member { "," member } [ "," ] ] "}"`
  mutating func object() throws(SyntaxError) -> ObjectSyntax {
    let start = lexer.position
    let members = try commaSeparated("{", "}") { parser throws(SyntaxError) in
      if parser.takePunctuation("...") { return ObjectSyntax.Member.spread(try parser.expression()) }
      let key = try parser.key("a key, ... or }")
      try parser.punctuation(":")
      let value = try parser.expression()
      return .field(key: key, value: value, try parser.typed())
    }
    return ObjectSyntax(members: members, range: SourceRange(start, lexer.triviaStart))
  }

  /// `string | name`
  mutating func key(_ wanted: String) throws(SyntaxError) -> KeySyntax {
    lexer.skipTrivia()
    switch lexer.peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    default: return .name(try name(wanted))
    }
  }

  private mutating func array() throws(SyntaxError) -> ArraySyntax {
    let start = lexer.position
    let elements = try commaSeparated("[", "]") { parser throws(SyntaxError) in
      parser.takePunctuation("...")
        ? ArraySyntax.Element.spread(try parser.expression()) : .value(try parser.expression())
    }
    return ArraySyntax(elements: elements, range: SourceRange(start, lexer.triviaStart))
  }
}
