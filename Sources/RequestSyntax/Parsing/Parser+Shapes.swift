public import Diagnostics

extension Parser {
  /// Parses a text that is one shape: the file of a snapshot.
  public static func parseShape(_ source: SourceText) -> (shape: ShapeSyntax?, errors: [SyntaxError]) {
    var parser = Parser(source)
    parser.lexer.depth = 1
    var shape: ShapeSyntax?
    do throws(SyntaxError) {
      shape = try parser.shape()
      parser.lexer.skipTrivia()
      if !parser.lexer.isAtEnd { throw parser.failure(.expected("the end of the shape")) }
    } catch {
      parser.errors.append(error)
    }
    let errors = parser.finish([]).errors
    return (errors.isEmpty ? shape : nil, errors)
  }

  /// `"snapshot" | shape`
  mutating func testedShape() throws(SyntaxError) -> ShapeSyntax {
    lexer.skipTrivia()
    guard isAtKeyword("snapshot") else { return try shape() }
    let start = lexer.position
    lexer.take(.name, ShapeSyntax.snapshotWord.utf8.count)
    let end = lexer.triviaStart
    if takePunctuation("|") { throw failure(.partialSnapshot) }
    return ShapeSyntax(kind: .snapshot, range: SourceRange(start, end))
  }

  /// `shape = shape1 { "|" shape1 }`
  mutating func shape() throws(SyntaxError) -> ShapeSyntax {
    try nested { parser throws(SyntaxError) in
      let first = try parser.singleShape()
      guard parser.takePunctuation("|") else { return first }
      var choices = [first]
      repeat { choices.append(try parser.singleShape()) } while parser.takePunctuation("|")
      let range = SourceRange(choices[0].range.lowerBound, parser.lexer.triviaStart)
      return ShapeSyntax(kind: .either(choices), range: range)
    }
  }

  private mutating func singleShape() throws(SyntaxError) -> ShapeSyntax {
    lexer.skipTrivia()
    let start = lexer.position
    let kind = try shapeKind()
    return ShapeSyntax(kind: kind, range: SourceRange(start, lexer.triviaStart))
  }

  private mutating func shapeKind() throws(SyntaxError) -> ShapeSyntax.Kind {
    switch lexer.peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try string())
    case UInt8(ascii: "-"):
      lexer.take(.punctuation, 1)
      return .number("-" + (try number().text))
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return .number(try number().text)
    case UInt8(ascii: "["):
      let opened = lexer.take(.punctuation, 1)
      lexer.depth += 1
      lexer.skipTrivia()
      let element = lexer.peek() == UInt8(ascii: "]") ? nil : try shape()
      lexer.skipTrivia()
      guard lexer.peek() == UInt8(ascii: "]") else { throw unclosed("[", opened) }
      lexer.depth -= 1
      lexer.take(.punctuation, 1)
      return .array(element)
    case UInt8(ascii: "{"):
      return try objectShape()
    default:
      let length = lexer.nameLength()
      guard length > 0 else { throw expected("a shape") }
      if let index = lexer.index(ofName: length, in: ShapeSyntax.names) {
        lexer.take(.name, length)
        return .named(ShapeSyntax.Named.allCases[index])
      }
      let word = lexer.text(length)
      if word == "true" || word == "false" {
        lexer.take(.name, length)
        return .boolean(word == "true")
      }
      if word == ShapeSyntax.snapshotWord { throw failure(.partialSnapshot, length) }
      throw failure(.unknownShape(word), length)
    }
  }

  private mutating func objectShape() throws(SyntaxError) -> ShapeSyntax.Kind {
    var isOpen = false
    let members = try commaSeparated("{", "}") { parser throws(SyntaxError) -> ShapeSyntax.Member? in
      if parser.takePunctuation("...") {
        isOpen = true
        return nil
      }
      let key = try parser.key("a key, ... or }")
      let isOptional = parser.lexer.peek() == UInt8(ascii: "?")
      if isOptional { parser.lexer.take(.punctuation, 1) }
      try parser.punctuation(":")
      return ShapeSyntax.Member(key: key, isOptional: isOptional, shape: try parser.shape())
    }
    return .object(members, isOpen: isOpen)
  }
}

extension ShapeSyntax {
  /// The words for its names, in the order of the cases.
  fileprivate static let names = WordSet(Named.allCases.map(\.rawValue))
}
