public import Diagnostics

/// The result of parsing a text.
public struct ParsedScript: Sendable {
  public var source: SourceText
  /// What could be read; complete only if there are no errors.
  public var script: ScriptSyntax
  /// In the order of the text.
  public var errors: [SyntaxError]
  /// Whether the text ends inside brackets, a block or `"""`, so that more lines could complete it.
  public var isIncomplete: Bool
  /// What the reader of another tool's file has to say about it.
  public var remarks: [Diagnostic] = []
  /// Whether it is another tool's file, whose readers cannot write what this language has.
  public var isImported = false
  /// What in it is secret without being declared, by names for it: only another tool's file has any.
  public var secrets: [String: String] = [:]

  public var diagnostics: [Diagnostic] {
    errors.map { $0.diagnostic(in: source) }
  }
}

extension ParsedScript {
  /// What was read from another tool's file.
  public init(source: SourceText, script: ScriptSyntax, remarks: [Diagnostic]) {
    self.init(source: source, script: script, errors: [], isIncomplete: false, remarks: remarks, isImported: true)
  }
}

/// A recursive-descent parser: one method per production of the grammar, no backtracking. After an error it continues
/// with the next line that can start a statement or clause, so that all errors of a text are found.
public struct Parser {
  var lexer: Lexer
  var errors: [SyntaxError] = []
  var isIncomplete = false
  /// Open brackets, blocks and prefix operators.
  private var nesting = 0
  /// The height of the tree in the current bracket so far; chains of operators make it grow too.
  var height = 0
  /// Blocks that are open.
  var blockDepth = 0
  /// At or after which place no other statement of the top level is read.
  var end = Int.max
  /// `}` that an earlier error made meaningless.
  var strayBraces = 0
  /// Whether `status`, `body`, … stand for members of the exchange.
  var allowsMembers = false
  /// Whether `$` alone stands for a document.
  var allowsDocument = false
  /// Whether a request may have a body, a file or a header after its target, written as for other tools.
  var readsOtherTools = false
  /// What the items of a request mean.
  var itemStyle = ItemStyle.script
  /// The unquoted value that was read last in this clause.
  var lastWordValue: SourceRange?
  /// What may follow at the end of the text; nil unless it is asked for.
  var expectation: ExpectedSyntax?
  private var lastUnknownLine = -2
  /// Where the last recovery found a statement; after a second error there it must be skipped.
  private var resumedAt = -1

  init(_ source: SourceText, keepsTokens: Bool = false) {
    lexer = Lexer(source, keepsTokens: keepsTokens)
  }

  /// What `a[]=1`, `f=@file`, `f@file;type=t`, `Header:` and `Header;` mean.
  public enum ItemStyle: Sendable, Hashable {
    /// In a file they are errors that offer the clause for either meaning, since they once meant what is written.
    case script
    /// Where a person types a request, they mean what they mean for HTTPie.
    case typed
  }

  /// Parses a file, or everything that was typed together.
  public static func parse(_ source: SourceText, items: ItemStyle = .script) -> ParsedScript {
    var parser = Parser(source)
    parser.itemStyle = items
    let statements = parser.statements()
    return parser.finish(statements)
  }

  /// The kinds of all pieces of a text, with or without errors; the last is the end of the file.
  public static func tokens(of source: SourceText) -> [Token] {
    var parser = Parser(source, keepsTokens: true)
    _ = parser.finish(parser.statements())
    return parser.lexer.tokens
  }

  /// Parses one expression that is the whole text; nil if there are errors.
  ///
  /// - Parameter allowsDocument: `$` alone may be used in it, a reference to the empty name.
  public static func parseExpression(
    _ source: SourceText, allowsDocument: Bool = false
  ) -> (expression: ExpressionSyntax?, errors: [SyntaxError]) {
    var parser = Parser(source)
    parser.lexer.depth = 1
    parser.allowsDocument = allowsDocument
    var expression: ExpressionSyntax?
    do throws(SyntaxError) {
      expression = try parser.expression()
      parser.lexer.skipTrivia()
      if !parser.lexer.isAtEnd { throw parser.failure(.expected("the end of the expression")) }
    } catch {
      parser.errors.append(error)
    }
    let errors = parser.finish([]).errors
    return (errors.isEmpty ? expression : nil, errors)
  }

  mutating func finish(_ statements: [StatementSyntax]) -> ParsedScript {
    lexer.skipTrivia()
    lexer.skip(to: lexer.bytes.count)
    lexer.take(.endOfFile, 0)
    let invalid = Parser.invalidUTF8(in: lexer.bytes)
    // Anything else that is wrong in such a line follows from that.
    let invalidLines = Set(invalid.map { lexer.source.lineIndex(at: $0.range.lowerBound) })
    let others = errors.filter { !invalidLines.contains(lexer.source.lineIndex(at: $0.range.lowerBound)) }
    // A picture is no text at all: that is said once.
    let isBinary = !invalid.isEmpty && lexer.bytes.contains(0)
    let all = isBinary ? [invalid[0]] : invalid + (invalid.isEmpty ? errors : others)
    return ParsedScript(
      source: lexer.source, script: ScriptSyntax(statements: statements, comments: lexer.comments),
      errors: all.sorted { $0.range.lowerBound < $1.range.lowerBound },
      isIncomplete: isIncomplete && (all.count <= 1 || all.allSatisfy { $0.range.lowerBound >= lexer.bytes.count }))
  }

  // MARK: Errors

  func failure(_ fact: SyntaxError.Fact, _ length: Int = 0) -> SyntaxError {
    SyntaxError(fact: fact, range: SourceRange(lexer.position, min(lexer.position + length, lexer.bytes.count)))
  }

  /// The error that `wanted` is not at the cursor; at the end of the text more lines could still supply it, if brackets
  /// or blocks are open.
  mutating func expected(_ wanted: String) -> SyntaxError {
    if lexer.isAtEnd, lexer.depth > 0 || blockDepth > 0 { isIncomplete = true }
    return failure(.expected(wanted), wordLength)
  }

  mutating func unclosed(_ bracket: String, _ opened: SourceRange) -> SyntaxError {
    if lexer.isAtEnd, lexer.depth > 0 || blockDepth > 0 { isIncomplete = true }
    return failure(.unclosed(bracket, opened: opened), wordLength)
  }

  /// The length of the name or the number at the cursor, or of one character.
  private var wordLength: Int {
    var digits = 0
    while let byte = lexer.peek(digits), Lexer.isDigit(byte) { digits += 1 }
    return Swift.max(lexer.nameLength(), digits, lexer.isAtLineEnd ? 0 : 1)
  }

  /// Reports an unknown statement, unless the line above was reported for the same reason.
  mutating func report(_ error: SyntaxError) {
    let line = lexer.source.lineIndex(at: error.range.lowerBound)
    if case .unknownStatement = error.fact {
      defer { lastUnknownLine = line }
      if line == lastUnknownLine + 1 { return }
    }
    errors.append(error)
  }

  /// Runs `body` one level deeper.
  mutating func nested<Node>(
    _ body: (inout Parser) throws(SyntaxError) -> Node
  ) throws(SyntaxError) -> Node {
    nesting += 1
    let outerHeight = height
    height = 0
    defer {
      nesting -= 1
      height = Swift.max(outerHeight, height + 1)
    }
    if nesting > SyntaxError.nestingLimit { throw failure(.nestedTooDeeply) }
    return try body(&self)
  }

  /// Counts one more operator in a chain, which is one more level of the tree.
  mutating func growChain() throws(SyntaxError) {
    height += 1
    if height > SyntaxError.nestingLimit { throw failure(.nestedTooDeeply) }
  }

  /// After an error: skips the rest of the line, and further lines while brackets are open, up to one that starts a
  /// statement or a clause.
  mutating func recover() {
    let bytes = lexer.bytes
    if isAtFreshStatement {
      strayBraces += lexer.depth
      lexer.depth = 0
      resumedAt = lexer.position
      return
    }
    var open = Swift.max(0, lexer.depth)
    lexer.depth = 0
    var position = lexer.position
    scan: while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"):
        if open == 0 { break scan }
        if beginsStatementOrClause(at: position + 1) {
          strayBraces += open
          break scan
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
        open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
        if open > 0 {
          open -= 1
        } else if byte == UInt8(ascii: "}"), blockDepth > 0 {
          break scan
        }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        position = Parser.endOfQuoted(bytes, position)
        continue
      default:
        break
      }
      position += 1
    }
    let isLineEnd = position < bytes.count && bytes[position] == UInt8(ascii: "\n")
    if isLineEnd, position > lexer.position, bytes[position - 1] == UInt8(ascii: "\r") { position -= 1 }
    lexer.skip(to: position)
    if lexer.isAtEnd { expectation?.isOver = true }
  }

  /// Whether the error is that brackets are still open where a line starts the next statement.
  private var isAtFreshStatement: Bool {
    let line = lexer.source.lineRange(lexer.source.lineIndex(at: lexer.position))
    let isFirst = lexer.bytes[line.lowerBound..<lexer.position].allSatisfy { Lexer.isWhiteSpace($0) }
    return isFirst && lexer.depth > 0 && lexer.position > resumedAt && beginsStatementOrClause(at: lexer.position)
  }

  /// The offset after a quoted text that ends on its line, otherwise that of the line end.
  private static func endOfQuoted(_ bytes: [UInt8], _ start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
      if bytes[position] == bytes[start] { return position + 1 }
      position += bytes[position] == UInt8(ascii: "\\") && bytes[start] == UInt8(ascii: "\"") ? 2 : 1
    }
    return Swift.min(position, bytes.count)
  }

  private func beginsStatementOrClause(at offset: Int) -> Bool {
    var offset = offset - lexer.position
    while let byte = lexer.peek(offset), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
    var length = lexer.nameLength(at: offset)
    guard length > 0 else { return false }
    if lexer.peek(offset + length) == UInt8(ascii: ":") {
      offset += length + 1
      guard lexer.isWhiteSpace(at: offset) else { return false }
      while let byte = lexer.peek(offset), Lexer.isWhiteSpace(byte) { offset += 1 }
      length = lexer.nameLength(at: offset)
      let name = name(at: offset, length)
      return lexer.isWhiteSpace(at: offset + length) && (Keywords.isMethod(name) || name == "run")
    }
    let name = name(at: offset, length)
    return lexer.isWhiteSpace(at: offset + length)
      && (Keywords.isMethod(name) || Keywords.statementSet.contains(name)
        || lexer.isName(length, in: Keywords.clauseSet, at: offset))
  }

  private func name(at offset: Int, _ length: Int) -> String {
    lexer.source[SourceRange(lexer.position + offset, lexer.position + offset + length)]
  }

  /// One error for each line with invalid UTF-8, at its first bad byte.
  private static func invalidUTF8(in bytes: [UInt8]) -> [SyntaxError] {
    if bytes.withUnsafeBufferPointer({ UTF8Validation.firstInvalid($0, from: 0) }) == nil { return [] }
    var errors: [SyntaxError] = []
    bytes.withUnsafeBufferPointer { buffer in
      var position = 0
      while let offset = UTF8Validation.firstInvalid(buffer, from: position) {
        errors.append(SyntaxError(fact: .invalidUTF8, range: SourceRange(offset, offset + 1)))
        position = offset + 1
        while position < buffer.count, buffer[position] != UInt8(ascii: "\n") { position += 1 }
      }
    }
    return errors
  }
}
