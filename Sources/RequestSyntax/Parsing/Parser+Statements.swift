import Diagnostics

extension Parser {
  /// `{ NL } { statement }`, up to the end of the text or the `}` of the block.
  mutating func statements() -> [StatementSyntax] {
    var statements: [StatementSyntax] = []
    while true {
      if lexer.takeLineEnds() || statements.isEmpty { expects(.words(Keywords.commonMethods + Keywords.statements)) }
      if lexer.isAtEnd || (lexer.position >= end && blockDepth == 0) { return statements }
      if lexer.peek() == UInt8(ascii: "}") {
        if blockDepth > 0 { return statements }
        if strayBraces > 0 { strayBraces -= 1 } else { errors.append(failure(.unopenedBrace, 1)) }
        lexer.take(.skipped, 1)
        continue
      }
      do throws(SyntaxError) {
        let statement = try statement()
        statements.append(statement)
        try statementEnd()
      } catch {
        report(error)
        recover()
      }
    }
  }

  /// A line end, the `}` of the block, or the end of the text.
  mutating func statementEnd() throws(SyntaxError) {
    lexer.skipTrivia()
    if lexer.isAtLineEnd || (lexer.peek() == UInt8(ascii: "}") && blockDepth > 0) { return }
    if let value = lastWordValue { throw failure(.valueOfSeveralWords(value: value), runLength) }
    throw unexpectedRest()
  }

  private mutating func unexpectedRest() -> SyntaxError {
    if let name = lexer.peekedName { return failure(.unknownClause(name), name.utf8.count) }
    if let byte = lexer.peek(), "+-*/".utf8.contains(byte) {
      return failure(.operatorWithoutSpaces(lexer.text(1)), 1)
    }
    return expected("the end of the line")
  }

  /// `block = "{" { NL } { statement } "}"`
  mutating func block(from start: Int) throws(SyntaxError) -> BlockSyntax {
    try nested { parser throws(SyntaxError) in
      let opened = try parser.openBlock()
      let statements = parser.statements()
      try parser.closeBlock(opened)
      return BlockSyntax(statements: statements, range: SourceRange(start, parser.lexer.triviaStart))
    }
  }

  /// Takes `{`; what follows is read line by line again.
  mutating func openBlock() throws(SyntaxError) -> SourceRange {
    lexer.skipTrivia()
    guard lexer.peek() == UInt8(ascii: "{") else { throw expected("{") }
    blockDepth += 1
    return lexer.take(.punctuation, 1)
  }

  mutating func closeBlock(_ opened: SourceRange) throws(SyntaxError) {
    lexer.takeLineEnds()
    guard lexer.peek() == UInt8(ascii: "}") else {
      let error = unclosed("{", opened)
      blockDepth -= 1
      throw error
    }
    blockDepth -= 1
    lexer.take(.punctuation, 1)
  }

  private mutating func statement() throws(SyntaxError) -> StatementSyntax {
    lastWordValue = nil
    allowsMembers = false
    let start = lexer.position
    let label = try label()
    let length = lexer.nameLength()
    guard length > 0 else {
      if label != nil { throw expected("a request or run after the label") }
      throw unknownStatement()
    }
    let word = lexer.recentText(length)
    if Keywords.isMethod(word) { return .step(try step(label: label, methodLength: length, from: start)) }
    if word == "run" { return .run(try run(label: label, from: start)) }
    if label != nil { throw expected("a request or run after the label") }
    guard Keywords.statementSet.contains(word),
      lexer.isWhiteSpace(at: length) || lexer.peek(length) == UInt8(ascii: "{")
    else { throw unknownStatement() }
    lexer.take(.name, length)
    switch word {
    case "let": return .binding(try binding(from: start))
    case "secret": return .secret(try secret(from: start))
    case "sequence": return .sequence(try sequence(from: start))
    case "for": return .loop(try loop(from: start))
    case "parallel": return .parallel(try block(from: start))
    case "finally": return .finally(try block(from: start))
    case "tags": return .tags(try tags(from: start))
    case "use": return .use(UseSyntax(path: try string(), range: SourceRange(start, lexer.triviaStart)))
    default: return .profile(try profile(from: start))
    }
  }

  private func unknownStatement() -> SyntaxError {
    failure(.unknownStatement(lexer.text(runLength)), runLength)
  }

  /// The distance to the next whitespace.
  private var runLength: Int {
    var length = 0
    while let byte = lexer.peek(length), !Lexer.isWhiteSpace(byte) { length += 1 }
    return length
  }

  /// `label = name·":" B-or-NL`
  private mutating func label() throws(SyntaxError) -> NameSyntax? {
    let length = lexer.nameLength()
    guard length > 0, lexer.peek(length) == UInt8(ascii: ":"), lexer.isWhiteSpace(at: length + 1) else { return nil }
    let name = lexer.takeName(length)
    lexer.take(.punctuation, 1)
    lexer.takeLineEnds()
    expects(.words(Keywords.commonMethods + ["run"]))
    if lexer.isAtEnd {
      isIncomplete = true
      throw failure(.expected("a request or run after the label"))
    }
    return name
  }

  /// `"run" name args { clauseline }`
  private mutating func run(label: NameSyntax?, from start: Int) throws(SyntaxError) -> RunSyntax {
    lexer.take(.name, 3)
    return try call(label: label, from: start)
  }

  /// The text after `run`.
  mutating func call(label: NameSyntax?, from start: Int) throws(SyntaxError) -> RunSyntax {
    let name = try name("the name of a sequence", .sequence)
    let arguments = try arguments()
    let clauses = try clauseLines()
    return RunSyntax(
      label: label, name: name, arguments: arguments, clauses: clauses, range: SourceRange(start, lexer.triviaStart))
  }

  mutating func binding(from start: Int) throws(SyntaxError) -> LetSyntax {
    let name = try name("a name")
    try punctuation("=")
    let value = try expression()
    return LetSyntax(name: name, value: value, range: SourceRange(start, lexer.triviaStart))
  }

  private mutating func secret(from start: Int) throws(SyntaxError) -> SecretSyntax {
    let name = try name("a name")
    try punctuation("=")
    let value = try expression()
    try keyword("for")
    var profiles = [try self.name("the name of a profile", .profile)]
    while takePunctuation(",") { profiles.append(try self.name("the name of a profile", .profile)) }
    return SecretSyntax(name: name, value: value, profiles: profiles, range: SourceRange(start, lexer.triviaStart))
  }

  private mutating func tags(from start: Int) throws(SyntaxError) -> TagsSyntax {
    var names = [try name("a tag")]
    while takePunctuation(",") { names.append(try name("a tag")) }
    return TagsSyntax(names: names, range: SourceRange(start, lexer.triviaStart))
  }

  private mutating func sequence(from start: Int) throws(SyntaxError) -> SequenceSyntax {
    let name = try name("the name of the sequence")
    let parameters = try commaSeparated("(", ")") { parser throws(SyntaxError) in try parser.parameter() }
    let body = try block(from: lexer.position)
    return SequenceSyntax(
      name: name, parameters: parameters, body: body, range: SourceRange(start, lexer.triviaStart))
  }

  /// `param = name [ ":" name ] [ "=" expr ]`
  private mutating func parameter() throws(SyntaxError) -> ParameterSyntax {
    let name = try name("the name of a parameter")
    let type = takePunctuation(":") ? try self.name("a type") : nil
    let defaultValue = takePunctuation("=") ? try expression() : nil
    return ParameterSyntax(name: name, type: type, defaultValue: defaultValue)
  }

  private mutating func loop(from start: Int) throws(SyntaxError) -> LoopSyntax {
    let name = try itemName()
    try keyword("in")
    let items = try expression()
    let limit = takeKeyword("parallel") ? try integer() : nil
    let body = try block(from: lexer.position)
    return LoopSyntax(name: name, items: items, limit: limit, body: body, range: SourceRange(start, lexer.triviaStart))
  }

  // MARK: Pieces

  /// `"$"·name`, the name of each item in turn.
  mutating func itemName() throws(SyntaxError) -> NameSyntax {
    lexer.skipTrivia()
    guard lexer.peek() == UInt8(ascii: "$"), lexer.nameLength(at: 1) > 0 else { throw expected("$name") }
    lexer.take(.punctuation, 1)
    return try name("a name")
  }

  mutating func name(
    _ wanted: String, _ item: @autoclosure () -> ExpectedSyntax.Item? = nil
  ) throws(SyntaxError) -> NameSyntax {
    lexer.skipTrivia()
    expects(item())
    guard let name = lexer.takeName() else { throw expected(wanted) }
    return name
  }

  mutating func keyword(_ word: StaticString) throws(SyntaxError) {
    guard takeKeyword(word) else { throw expected("\(word)") }
  }

  @inline(__always)
  mutating func takeKeyword(_ word: StaticString) -> Bool {
    lexer.skipTrivia()
    expects(.words(["\(word)"]))
    guard isAtKeyword(word) else { return false }
    lexer.take(.name, word.utf8CodeUnitCount)
    return true
  }

  @inline(__always)
  func isAtKeyword(_ word: StaticString) -> Bool {
    // Mostly the first byte tells.
    lexer.peek() == word.utf8Start.pointee && lexer.isAt(word) && lexer.nameLength() == word.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func punctuation(_ text: StaticString) throws(SyntaxError) {
    guard takePunctuation(text) else { throw expected("\(text)") }
  }

  @inline(__always)
  mutating func takePunctuation(_ text: StaticString) -> Bool {
    lexer.skipTrivia()
    guard lexer.isAt(text) else { return false }
    lexer.take(.punctuation, text.utf8CodeUnitCount)
    return true
  }

  /// A decimal number without a sign that fits into an `Int32`.
  mutating func integer() throws(SyntaxError) -> Int {
    lexer.skipTrivia()
    var length = 0
    while let byte = lexer.peek(length), Lexer.isDigit(byte) { length += 1 }
    guard length > 0 else { throw expected("a whole number") }
    guard let value = Int32(lexer.text(length)) else { throw failure(.numberOutOfRange, length) }
    lexer.take(.number, length)
    return Int(value)
  }

  /// `open [ element { "," element } [ "," ] ] close`; line ends inside are whitespace.
  ///
  /// - Parameters:
  ///   - open, close: one byte each.
  ///   - element: reads one; nil: it is not kept.
  mutating func commaSeparated<Element>(
    _ open: StaticString, _ close: StaticString,
    _ element: (inout Parser) throws(SyntaxError) -> Element?
  ) throws(SyntaxError) -> [Element] {
    lexer.skipTrivia()
    let opened = SourceRange(lexer.position, lexer.position + 1)
    try punctuation(open)
    lexer.depth += 1
    let end = close.utf8Start.pointee
    var elements: [Element] = []
    while true {
      lexer.skipTrivia()
      if lexer.peek() == end { break }
      if let element = try element(&self) {
        // There is seldom only one, and seldom are there more than four.
        if elements.isEmpty { elements.reserveCapacity(4) }
        elements.append(element)
      }
      lexer.skipTrivia()
      if lexer.peek() == end { break }
      if !takePunctuation(",") { throw unclosed("\(open)", opened) }
    }
    lexer.depth -= 1
    lexer.take(.punctuation, 1)
    return elements
  }
}
