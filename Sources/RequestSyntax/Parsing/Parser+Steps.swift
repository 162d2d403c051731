import Diagnostics

extension Parser {
  /// `step = METHOD B target [ "form" | "multipart" ] { B item } { clauseline }`
  ///
  /// - Parameter length: that of the method.
  mutating func step(label: NameSyntax?, methodLength length: Int, from start: Int) throws(SyntaxError) -> StepSyntax {
    let method = lexer.takeName(length)
    lexer.skipTrivia()
    expects(.target)
    guard lexer.isAfterTrivia, !lexer.isAtLineEnd else { throw expected("a target") }
    return try step(label: label, method: method, from: start)
  }

  /// The text after the method.
  mutating func step(label: NameSyntax?, method: NameSyntax, from start: Int) throws(SyntaxError) -> StepSyntax {
    let target = try target()
    var step = StepSyntax(
      label: label, method: method, target: target, itemBody: nil, items: [], clauses: [], range: target.range)
    var foreign = readsOtherTools ? try foreignClause() : nil
    let body = foreign == nil ? itemBody() : nil
    var typed: [RequestItem] = []
    while true {
      if let item = try quotedItem() {
        typed.append(item)
        continue
      }
      if let kind = peekItem() {
        switch itemStyle {
        case .script:
          let item = try item(kind)
          if let error = unquotedHeader(item) {
            report(error)
            lexer.take(.skipped, error.range.upperBound - lexer.position)
          } else {
            step.items.append(item)
          }
        case .typed: typed.append(try typedItem(kind))
        }
        continue
      }
      guard readsOtherTools, foreign == nil, beginsForeignBody else { break }
      foreign = try foreignClause()
    }
    step.itemBody = step.items.isEmpty ? nil : body
    if !step.items.isEmpty { reportAmbiguousItems(of: step) }
    let items = typed.reduce(nil) { $0?.union($1.range) ?? $1.range }
    if expectation != nil, itemStyle == .typed {
      lexer.skipTrivia()
      expects(.headerItem)
      expectsForeignFile()
    }
    step.clauses = try clauseLines()
    if let foreign { step.clauses.insert(foreign, at: 0) }
    do throws(ItemError) {
      if !typed.isEmpty {
        try RequestItem.checkValues(of: typed)
        try step.take(typed, as: body)
      }
    } catch {
      report(SyntaxError(fact: .item(error), range: items ?? step.range))
    }
    step.range = SourceRange(start, lexer.triviaStart)
    return step
  }

  /// `target = reference·[ tail ] | "(" expr ")" | string | word`
  private mutating func target() throws(SyntaxError) -> TargetSyntax {
    switch lexer.peek() {
    case UInt8(ascii: "$"):
      let reference = try reference()
      switch lexer.peek() {
      case UInt8(ascii: "/"), UInt8(ascii: "?"): return .reference(reference, tail: try word())
      default:
        if !lexer.isWhiteSpace(at: 0), lexer.peek() != UInt8(ascii: "}") {
          throw expected("/, ? or a space after the reference")
        }
        return .reference(reference, tail: nil)
      }
    case UInt8(ascii: "("):
      return .expression(try parenthesized())
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try string())
    default:
      let target = try word()
      if target.pieces.isEmpty { throw expected("a target") }
      return .word(target)
    }
  }

  /// `word = { any but white space and unmatched "}" | "{" [ "+" ] expr "}" }`; may be empty.
  mutating func word() throws(SyntaxError) -> WordSyntax {
    let start = lexer.position
    var pieces: [WordSyntax.Piece] = []
    while true {
      var length = 0
      while let byte = lexer.peek(length), !Lexer.isWhiteSpace(byte), byte != UInt8(ascii: "{"),
        byte != UInt8(ascii: "}")
      {
        if Lexer.isControl(byte) {
          lexer.take(.word, length)
          throw failure(.controlCharacter, 1)
        }
        length += 1
      }
      if length > 0 {
        // Mostly a value follows, or nothing.
        if pieces.isEmpty { pieces.reserveCapacity(2) }
        pieces.append(.text(lexer.text(length)))
        lexer.take(.word, length)
      }
      guard lexer.peek() == UInt8(ascii: "{") else { break }
      let opened = lexer.take(.punctuation, 1)
      let keepsReserved = lexer.peek() == UInt8(ascii: "+")
      if keepsReserved { lexer.take(.punctuation, 1) }
      lexer.depth += 1
      let expression = try expression()
      lexer.skipTrivia()
      guard lexer.peek() == UInt8(ascii: "}") else { throw unclosed("{", opened) }
      lexer.depth -= 1
      lexer.take(.punctuation, 1)
      pieces.append(.interpolation(expression, keepsReserved: keepsReserved))
    }
    return WordSyntax(pieces: pieces, range: SourceRange(start, lexer.position))
  }

  // MARK: Request items

  /// `form` or `multipart` followed by an item; otherwise they start a clause.
  private mutating func itemBody() -> StepSyntax.ItemBody? {
    lexer.skipTrivia()
    // Mostly the first byte tells.
    guard let first = lexer.peek(), first == UInt8(ascii: "f") || first == UInt8(ascii: "m"),
      let word = lexer.peekedName, let body = StepSyntax.ItemBody(rawValue: word)
    else { return nil }
    var offset = word.utf8.count
    guard let blank = lexer.peek(offset), blank == UInt8(ascii: " ") || blank == UInt8(ascii: "\t") else { return nil }
    while let byte = lexer.peek(offset), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
    guard itemKind(at: offset) != nil || isQuotedItem(at: offset) else { return nil }
    lexer.take(.name, word.utf8.count)
    return body
  }

  /// Whether a typed item in quotes is there.
  func isQuotedItem(at offset: Int) -> Bool {
    var ahead = self
    if offset > 0 { ahead.lexer.take(.skipped, offset) }
    return ((try? ahead.quotedItem()) ?? nil) != nil
  }

  /// A typed item in quotes, as a shell takes it: `"note=hi there"`; nil: there is none.
  private mutating func quotedItem() throws(SyntaxError) -> RequestItem? {
    lexer.skipTrivia()
    guard itemStyle == .typed, lexer.peek() == UInt8(ascii: "\"") || lexer.peek() == UInt8(ascii: "'") else {
      return nil
    }
    var ahead = self
    guard let string = try? ahead.string(), ahead.lexer.isWhiteSpace(at: 0) || ahead.lexer.peek() == UInt8(ascii: "}")
    else { return nil }
    do throws(ItemError) {
      guard let item = try RequestItem(quoted: string) else { return nil }
      self = ahead
      return item
    } catch {
      throw SyntaxError(fact: .item(error), range: string.range)
    }
  }

  private mutating func peekItem() -> (kind: RequestItemSyntax.Kind, keyLength: Int)? {
    lexer.skipTrivia()
    return itemKind(at: 0)
  }

  /// `item = key·( "=" | "==" | ":" | "@" )·itemvalue | key·":="·operand`
  private func itemKind(at offset: Int) -> (kind: RequestItemSyntax.Kind, keyLength: Int)? {
    let length = keyLength(at: offset)
    guard length > 0 else { return nil }
    // `--name=value` is an option of another tool.
    if itemStyle == .typed, lexer.peek(offset) == UInt8(ascii: "-") { return nil }
    if itemStyle == .typed, lexer.isWhiteSpace(at: offset + length),
      lexer.peek(offset + length - 1) == UInt8(ascii: ";"), length > 1
    {
      return (.header, length)
    }
    let next = lexer.peek(offset + length + 1)
    switch lexer.peek(offset + length) {
    case UInt8(ascii: "="): return (next == UInt8(ascii: "=") ? .query : .text, length)
    case UInt8(ascii: ":"): return (next == UInt8(ascii: "=") ? .json : .header, length)
    case UInt8(ascii: "@"): return (.file, length)
    default: return nil
    }
  }

  /// `key = any run but white space = : @ { } " ' # ( )`
  func keyLength(at offset: Int) -> Int {
    var length = 0
    while let byte = lexer.peek(offset + length), !Lexer.isWhiteSpace(byte), !Lexer.isControl(byte),
      !"=:@{}\"'#()".utf8.contains(byte)
    {
      // A backslash keeps a separator in a typed key.
      let next = lexer.peek(offset + length + 1)
      let isEscaped =
        itemStyle == .typed && byte == UInt8(ascii: "\\") && next.map { ":;=@".utf8.contains($0) } ?? false
      length += isEscaped ? 2 : 1
    }
    return length
  }

  /// The same for a separate text.
  static func keyLength(of text: String) -> Int {
    Parser(SourceText(name: "", text: text)).keyLength(at: 0)
  }

  /// An item of a script says what is written; what HTTPie means by something else is an error.
  private mutating func reportAmbiguousItems(of step: StepSyntax) {
    let body = step.itemBody ?? (step.items.contains { $0.kind == .file } ? .multipart : nil)
    let parts = step.items.filter(\.isBody)
    var isBodyReported = false
    for item in step.items where !(item.isBody && isBodyReported) {
      guard let meanings = item.meanings(in: body, with: item.isBody ? parts : [item]) else { continue }
      isBodyReported = isBodyReported || item.isBody
      let fact: SyntaxError.Fact =
        item.isQuotedJSON ? .quotedJSON(meanings: meanings) : .ambiguousItem(meanings: meanings)
      report(SyntaxError(fact: fact, range: item.range))
    }
  }

  /// `Accept: text/plain` as documentation has it: an item without a value, and words that are neither items nor clauses.
  private func unquotedHeader(_ item: RequestItemSyntax) -> SyntaxError? {
    guard item.kind == .header, case .word(let word) = item.value, word.pieces.isEmpty else { return nil }
    var start = 0
    while lexer.peek(start) == UInt8(ascii: " ") || lexer.peek(start) == UInt8(ascii: "\t") { start += 1 }
    var end = start
    while let byte = lexer.peek(end), !Lexer.isControl(byte), byte != UInt8(ascii: "#"), byte != UInt8(ascii: "}") {
      end += 1
    }
    while end > start, lexer.isWhiteSpace(at: end - 1) { end -= 1 }
    let value = lexer.text(end - start, at: start)
    let first = value.prefix { !$0.isWhitespace }
    guard let begin = first.first, begin.isLetter || begin.isNumber || begin == "*", itemKind(at: start) == nil,
      !Keywords.clauses.contains(String(first))
    else { return nil }
    let name = item.key.text
    let isCredential = ["authorization", "cookie"].contains(name.lowercased())
    let meant =
      name.lowercased() == "authorization" && first == "Bearer"
      ? ClauseSyntax(.auth(.scheme(.bearer, [.text("…")])))
      : ClauseSyntax.header(name, .value(isCredential ? "…" : value))
    let range = SourceRange(item.key.range.lowerBound, lexer.position + end)
    return SyntaxError(fact: .ambiguousItem(meanings: [SyntaxPrinter.print(meant)]), range: range)
  }

  /// An item that means what it means for HTTPie.
  private mutating func typedItem(
    _ kind: (kind: RequestItemSyntax.Kind, keyLength: Int)
  ) throws(SyntaxError) -> RequestItem {
    let start = lexer.position
    let isEmptyHeader = lexer.isWhiteSpace(at: kind.keyLength)
    let item: RequestItemSyntax
    if isEmptyHeader {
      let name = NameSyntax(text: lexer.text(kind.keyLength - 1), range: lexer.take(.name, kind.keyLength - 1))
      lexer.take(.punctuation, 1)
      item = RequestItemSyntax(key: name, kind: .header, value: .text(""), range: SourceRange(start, lexer.triviaStart))
    } else {
      item = try self.item(kind)
    }
    do throws(ItemError) {
      return try RequestItem(typed: item, isEmptyHeader: isEmptyHeader)
    } catch {
      throw SyntaxError(fact: .item(error), range: item.range)
    }
  }

  private mutating func item(
    _ item: (kind: RequestItemSyntax.Kind, keyLength: Int)
  ) throws(SyntaxError) -> RequestItemSyntax {
    let text = lexer.text(item.keyLength)
    let key = NameSyntax(text: text, range: lexer.take(.name, item.keyLength))
    lexer.take(.punctuation, item.kind.rawValue.utf8.count)
    if item.kind == .file {
      expects(.filePath)
    } else if itemStyle == .typed, lexer.peek() == UInt8(ascii: "@") {
      expects(.filePath, at: 1)
    }
    let value = item.kind == .json ? try jsonValue() : try value(isItem: true)
    if !lexer.isWhiteSpace(at: 0), lexer.peek() != UInt8(ascii: "}") { throw expected("a space after the value") }
    if case .word(let word) = value { lastWordValue = word.range }
    return RequestItemSyntax(
      key: key, kind: item.kind, value: value, range: SourceRange(key.range.lowerBound, lexer.triviaStart))
  }

  /// An operand, or a negative number; typed, `@path` is the JSON in a file.
  private mutating func jsonValue() throws(SyntaxError) -> ExpressionSyntax {
    let start = lexer.position
    switch lexer.peek() {
    case UInt8(ascii: "-"):
      lexer.take(.punctuation, 1)
      let number = ExpressionSyntax.number(try number())
      return .unary(UnarySyntax(operator: .negate, operand: number, range: SourceRange(start, lexer.triviaStart)))
    case UInt8(ascii: "@") where itemStyle == .typed && !lexer.isWhiteSpace(at: 1):
      lexer.take(.punctuation, 1)
      return ExpressionSyntax.call("file", ExpressionSyntax.word(try word()).unquotedAsString).path([.member("json")])
    default: return try operand()
    }
  }

  /// `value = expr, if next is $ " ' ( [ or name·"("; else word`; in an item an operand, possibly empty.
  mutating func value(isItem: Bool = false) throws(SyntaxError) -> ExpressionSyntax {
    if !isItem { lexer.skipTrivia() }
    let nameLength = lexer.nameLength()
    let isExpression =
      switch lexer.peek() {
      case UInt8(ascii: "$"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: "["): true
      default: nameLength > 0 && lexer.peek(nameLength) == UInt8(ascii: "(")
      }
    if isExpression { return isItem ? try operand() : try expression() }
    let word = try word()
    if word.pieces.isEmpty, !isItem { throw expected("a value") }
    if !isItem { lastWordValue = word.range }
    return .word(word)
  }
}
