import Diagnostics

extension Parser {
  /// `{ clauseline }`, `clauseline = { NL } clause`. An error ends only its own clause.
  mutating func clauseLines() throws(SyntaxError) -> [ClauseSyntax] {
    var clauses: [ClauseSyntax] = []
    while true {
      lexer.skipTrivia()
      expects(.words(Keywords.clauses))
      var length = lexer.isAtLineEnd ? 0 : clauseWordLength()
      if !lexer.isAtLineEnd, length == 0 {
        if lexer.peek() == UInt8(ascii: "}"), blockDepth > 0 { return clauses }
        do throws(SyntaxError) {
          try statementEnd()
        } catch {
          report(error)
          recover()
        }
        length = clauseWordLength()
      }
      if lexer.isAtLineEnd {
        let offset = lexer.offsetBehindLineEnds
        expects(.words(Keywords.clauses), at: offset)
        length = clauseWordLength(at: offset)
        if length > 0 { lexer.takeLineEnds() }
      }
      guard length > 0 else { return clauses }
      lastWordValue = nil
      do throws(SyntaxError) {
        let clause = try clause(lexer.takeName(length))
        if clauses.isEmpty { clauses.reserveCapacity(3) }
        clauses.append(clause)
      } catch {
        report(error)
        recover()
      }
    }
  }

  /// The length of the word that begins a clause; 0 if none is here.
  private func clauseWordLength(at offset: Int = 0) -> Int {
    let length = lexer.nameLength(at: offset)
    let isClause =
      length > 0 && lexer.peek(offset + length) != UInt8(ascii: ":")
      && lexer.isName(length, in: Keywords.clauseSet, at: offset)
    return isClause ? length : 0
  }

  /// What follows the word that begins a clause.
  mutating func clause(_ keyword: NameSyntax) throws(SyntaxError) -> ClauseSyntax {
    let kind = try clauseKind(keyword)
    allowsMembers = false
    return ClauseSyntax(
      kind: kind, keyword: keyword, range: SourceRange(keyword.range.lowerBound, lexer.triviaStart))
  }

  private mutating func clauseKind(_ keyword: NameSyntax) throws(SyntaxError) -> ClauseSyntax.Kind {
    allowsMembers = false
    // The most common ones first, since each is compared.
    switch keyword.text {
    case "expect":
      if takeAnyStatus() { return .expectStatus([.any]) }
      if let statuses = try statuses() { return .expectStatus(statuses) }
      return .expect(try condition())
    case "json": return .json(try expression())
    case "form": return .form(try expression())
    case "multipart": return .multipart(try expression())
    case "text": return .text(try expression())
    case "body": return .body(try expression(), try typed())
    case "graphql":
      let query = try string()
      return .graphql(query, variables: takeKeyword("variables") ? try expression() : nil)
    case "header": return .header(try fields("the name of a header", .headerName, mayBeOmitted: true))
    case "query": return .query(try fields("the name of a query item"))
    case "auth": return .auth(try auth())
    case "when": return .when(try expression())
    case "repeat": return .repetition(try repetition())
    case "stream": return .stream(try stream())
    case "retry": return .retry(try retry())
    case "timeout": return .timeout(try operand())
    case "limit": return .limit(try operand())
    case "redirects": return .redirects(takeKeyword("none") ? nil : try integer())
    case "save":
      try self.keyword("body")
      try self.keyword("to")
      return .save(try expression())
    case "effect":
      let word = try name("once or idempotent", .words(["once", "idempotent"]))
      guard let effect = EffectSyntax(rawValue: word.text) else {
        throw SyntaxError(fact: .expected("once or idempotent"), range: word.range)
      }
      return .effect(effect)
    case "wait": return .wait(try operand())
    case "with":
      try self.keyword("profile")
      return .profile(try name("the name of a profile", .profile))
    default:
      throw SyntaxError(fact: .unknownClause(keyword.text), range: keyword.range)
    }
  }

  /// An expression in which the exchange's members are written without `$`.
  private mutating func condition() throws(SyntaxError) -> ExpressionSyntax {
    allowsMembers = true
    return try expression()
  }

  /// `object | token·":" [ value ]`
  ///
  /// - Parameter mayBeOmitted: whether nothing after the colon, up to the end of the line or of the block, leaves the
  ///   field out.
  private mutating func fields(
    _ wanted: String, _ item: ExpectedSyntax.Item? = nil, mayBeOmitted: Bool = false
  ) throws(SyntaxError) -> FieldsSyntax {
    lexer.skipTrivia()
    expects(item)
    if lexer.peek() == UInt8(ascii: "{") { return .object(try object()) }
    let length = keyLength(at: 0)
    guard length > 0 else { throw expected(wanted) }
    guard lexer.peek(length) == UInt8(ascii: ":") else {
      lexer.take(.name, length)
      throw expected(": after the name")
    }
    let text = lexer.text(length)
    let name = NameSyntax(text: text, range: lexer.take(.name, length))
    lexer.take(.punctuation, 1)
    if mayBeOmitted {
      lexer.skipTrivia()
      if lexer.isAtLineEnd || lexer.peek() == UInt8(ascii: "}") { return .omitted(name) }
    }
    return .field(name, try value())
  }

  private mutating func auth() throws(SyntaxError) -> AuthSyntax {
    let wanted = "none, bearer, basic, digest, oauth or a signer such as sigv4"
    let word = try name(wanted, .authScheme)
    let scheme: AuthSyntax.Scheme
    switch word.text {
    case "none": return .none
    case "bearer": scheme = .bearer
    case "basic": scheme = .basic
    case "digest": scheme = .digest
    default:
      lexer.skipTrivia()
      guard let next = lexer.peek(), "{$(".utf8.contains(next) else {
        throw SyntaxError(fact: .expected(wanted), range: word.range)
      }
      scheme = .signer(word.text)
    }
    var values = [try expression()]
    while takePunctuation(",") { values.append(try expression()) }
    return .scheme(scheme, values)
  }

  /// `"any" "status"`; consumes nothing if that is not what follows.
  private mutating func takeAnyStatus() -> Bool {
    lexer.skipTrivia()
    guard isAtKeyword("any") else { return false }
    lexer.take(.name, 3)
    return takeKeyword("status")
  }

  /// `"repeat" [ operand "times" ] [ "every" operand ] [ "for" operand ] "until" expr`
  private mutating func repetition() throws(SyntaxError) -> RepeatSyntax {
    lexer.skipTrivia()
    var rounds: ExpressionSyntax?
    if !isAtKeyword("every"), !isAtKeyword("for"), !isAtKeyword("until"), let next = lexer.peek(),
      Lexer.isDigit(next) || "$(".utf8.contains(next)
    {
      rounds = try operand()
      try keyword("times")
    }
    let interval = takeKeyword("every") ? try operand() : nil
    let limit = takeKeyword("for") ? try operand() : nil
    try keyword("until")
    return RepeatSyntax(rounds: rounds, interval: interval, limit: limit, condition: try condition())
  }

  /// `"stream" [ "for" operand ] [ "until" expr ]`
  private mutating func stream() throws(SyntaxError) -> StreamSyntax {
    let limit = takeKeyword("for") ? try operand() : nil
    return StreamSyntax(limit: limit, condition: takeKeyword("until") ? try condition() : nil)
  }

  /// `"none" | int [ "on" statuses ]`
  private mutating func retry() throws(SyntaxError) -> RetrySyntax {
    if takeKeyword("none") { return .none }
    let attempts = try integer()
    guard takeKeyword("on") else { return .attempts(attempts, on: []) }
    guard let statuses = try statuses() else { throw expected("a status such as 429 or 5xx") }
    return .attempts(attempts, on: statuses)
  }

  /// `status { "|" status }`, `status = [1-5]·( digit digit | "xx" )`; nil if there is none here.
  private mutating func statuses() throws(SyntaxError) -> [StatusSyntax]? {
    guard let first = takeStatus() else { return nil }
    var statuses = [first]
    while takePunctuation("|") {
      guard let next = takeStatus() else { throw expected("a status such as 204 or 2xx") }
      statuses.append(next)
    }
    return statuses
  }

  private mutating func takeStatus() -> StatusSyntax? {
    lexer.skipTrivia()
    guard let first = lexer.peek(), (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(first),
      let second = lexer.peek(1), let third = lexer.peek(2)
    else { return nil }
    if let next = lexer.peek(3), Lexer.isNamePart(next) || next == UInt8(ascii: ".") { return nil }
    if second == UInt8(ascii: "x"), third == UInt8(ascii: "x") {
      lexer.take(.number, 3)
      return .statusClass(Int(first - UInt8(ascii: "0")))
    }
    guard Lexer.isDigit(second), Lexer.isDigit(third) else { return nil }
    lexer.take(.number, 3)
    return .code([first, second, third].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
  }

  /// `typed = [ "as" string ] [ "named" string ]`
  mutating func typed() throws(SyntaxError) -> TypedSyntax {
    lexer.skipTrivia()
    if expectation == nil, isBehindExpression { return TypedSyntax() }
    let type = takeKeyword("as") ? try string() : nil
    let fileName = takeKeyword("named") ? try string() : nil
    return TypedSyntax(type: type, fileName: fileName)
  }
}
