public import Diagnostics
internal import JSONValue

// Texts that are not a file: the text after a word that was given in another way, by a command of the prompt or in the
// style of another tool.

extension Parser {
  /// How a text is to be read.
  public enum Beginning: Sendable, Hashable {
    /// `name = value`, as after `let`.
    case binding
    /// `name(arguments)`, as after `run`.
    case call
    /// A target and what follows, as after this method; a body, a file and a header may be written as for other tools:
    /// `/x {"a": 1}`, `/x < file`.
    case request(method: String)
  }

  /// Parses a text that follows something that was not typed.
  public static func parse(_ source: SourceText, as beginning: Beginning) -> ParsedScript {
    var parser = Parser(source)
    parser.itemStyle = .typed
    var statements: [StatementSyntax] = []
    do throws(SyntaxError) {
      switch beginning {
      case .binding: statements.append(.binding(try parser.binding(from: 0)))
      case .call: statements.append(.run(try parser.call(label: nil, from: 0)))
      case .request(let method):
        parser.readsOtherTools = true
        parser.lexer.skipTrivia()
        statements.append(.step(try parser.step(label: nil, method: NameSyntax(method), from: parser.lexer.position)))
      }
      try parser.statementEnd()
    } catch {
      parser.report(error)
      parser.recover()
    }
    parser.readsOtherTools = false
    statements += parser.statements()
    return parser.finish(statements)
  }

  /// Parses `[every D] [for D] [until condition]`; without `until` it has no end.
  ///
  /// - Returns: nil if it is something else.
  public static func parseRepetition(_ source: SourceText) -> (repetition: RepeatSyntax, hasEnd: Bool)? {
    var parser = Parser(source)
    do throws(SyntaxError) {
      let read = try parser.typedRepetition()
      parser.lexer.skipTrivia()
      return parser.lexer.isAtEnd && parser.errors.isEmpty ? read : nil
    } catch {
      return nil
    }
  }

  /// What is wrong with the beginning of such a text; nil: nothing.
  public static func repetitionError(in source: SourceText) -> SyntaxError? {
    var parser = Parser(source)
    do throws(SyntaxError) {
      _ = try parser.typedRepetition()
      return parser.errors.first
    } catch {
      return error
    }
  }

  private mutating func typedRepetition() throws(SyntaxError) -> (repetition: RepeatSyntax, hasEnd: Bool) {
    let interval = takeKeyword("every") ? try operand() : nil
    let limit = takeKeyword("for") ? try operand() : nil
    let hasEnd = takeKeyword("until")
    allowsMembers = true
    let never = ExpressionSyntax.literal(LiteralSyntax(kind: .false, range: .nowhere))
    let condition = hasEnd ? try expression() : never
    return (RepeatSyntax(interval: interval, limit: limit, condition: condition), hasEnd)
  }

  /// What other tools accept after a target; nil if it is one of our own words.
  ///
  /// A text in quotes is a body if it is JSON, as `POST /x '{"a": 1}'` is typed for a shell.
  ///
  /// `foreign = object | array | string | "@"·path | "<" path | ">" path | field·":" space rest of the line`
  mutating func foreignClause() throws(SyntaxError) -> ClauseSyntax? {
    lexer.skipTrivia()
    let start = lexer.position
    let kind: ClauseSyntax.Kind
    switch lexer.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): kind = .json(try expression())
    case UInt8(ascii: "@"), UInt8(ascii: "<"):
      lexer.take(.punctuation, 1)
      kind = .body(.call("file", .text(try path())), TypedSyntax())
    case UInt8(ascii: "'") where isQuotedItem(at: 0), UInt8(ascii: "\"") where isQuotedItem(at: 0): return nil
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let text = try string()
      guard let plain = text.plainText, let first = plain.first(where: { !$0.isWhitespace }), "[{".contains(first),
        (try? JSON(parsing: Array(plain.utf8))) != nil
      else { throw SyntaxError(fact: .expected("a clause or the end of the line"), range: text.range) }
      kind = .body(.string(text), TypedSyntax(type: "application/json"))
    case UInt8(ascii: ">"):
      lexer.take(.punctuation, 1)
      kind = .save(.text(try path()))
    default:
      let length = keyLength(at: 0)
      guard length > 0, lexer.peek(length) == UInt8(ascii: ":"), !lexer.isWhiteSpace(at: 0),
        let blank = lexer.peek(length + 1), blank == UInt8(ascii: " "), lexer.peek().map(Lexer.isUppercase) ?? false
      else { return nil }
      let name = NameSyntax(text: lexer.text(length), range: lexer.take(.name, length))
      lexer.take(.punctuation, 1)
      kind = .header(.field(name, try value()))
    }
    var clause = ClauseSyntax(kind)
    clause.range = SourceRange(start, lexer.triviaStart)
    return clause
  }

  /// Whether what other tools take for a body, or for a file to save one to, is next: what may be after items, too.
  var beginsForeignBody: Bool {
    var ahead = self
    ahead.lexer.skipTrivia()
    return ahead.lexer.peek().map("{[@<>".utf8.contains) ?? false
  }

  /// After `@`, `<` and `>`, which are read as other tools read them if the line is not one of ours.
  mutating func expectsForeignFile() {
    lexer.skipTrivia()
    guard lexer.peek().map("@<>".utf8.contains) ?? false else { return }
    var length = 1
    while lexer.peek(length) == UInt8(ascii: " ") { length += 1 }
    expects(.filePath, at: length)
  }

  /// The path of a file, optionally in quotation marks.
  private mutating func path() throws(SyntaxError) -> String {
    lexer.skipTrivia()
    if lexer.peek() == UInt8(ascii: "\"") || lexer.peek() == UInt8(ascii: "'"), let text = try string().plainText {
      return text
    }
    var length = 0
    while !lexer.isWhiteSpace(at: length) { length += 1 }
    guard length > 0 else { throw expected("the name of a file") }
    let text = lexer.text(length)
    lexer.take(.word, length)
    return text
  }
}
