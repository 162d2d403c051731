import Diagnostics
import JSONValue

/// A request item with the meaning that it has for HTTPie, wherever it comes from: a word of a shell, or what was typed
/// at the prompt. A step takes several together (`StepSyntax.take`).
public struct RequestItem: Sendable, Hashable {
  enum Meaning: Hashable {
    case header(ExpressionSyntax)
    /// `Header:`: what the program or the profile would send is left out.
    case omittedHeader
    /// `Header;`
    case emptyHeader
    case query(ExpressionSyntax)
    case text(ExpressionSyntax)
    case json(ExpressionSyntax)
    case file(ExpressionSyntax, type: String?)
  }

  /// Without the backslashes before separators.
  let key: NameSyntax
  let meaning: Meaning
  @Unequal var range: SourceRange = .nowhere

  /// A word that a shell hands over; its value is literal.
  ///
  /// - Parameter value: what stands for a value in the place of JSON; nil: it is only text.
  public init(
    word text: String, _ value: (String) -> ExpressionSyntax? = { _ in nil }
  ) throws(ItemError) {
    guard let word = ItemWord(text) else { throw .notAnItem(text) }
    try self.init(word, of: text, at: .nowhere, value)
  }

  /// An item that was typed in quotes, as for a shell: `"note=hi there"`, `'a[]=1'`, `"id={$1.body.id}"`.
  ///
  /// Nil if it is not one: it has no separator, or may be JSON.
  init?(quoted string: StringSyntax) throws(ItemError) {
    guard string.style != .block, case .text(let text)? = string.pieces.first, let word = ItemWord(text),
      !word.key.isEmpty, word.key.first != "-", let first = text.first(where: { !$0.isWhitespace }),
      !"[{".contains(first)
    else { return nil }
    var place = string.range
    // Without escapes, what is in the quotes is what was typed.
    if string.plainText?.utf8.count == place.upperBound - place.lowerBound - 2, text.hasSuffix(word.value) {
      place = SourceRange(place.upperBound - 1 - word.value.utf8.count, place.upperBound - 1)
    }
    try self.init(word, of: text, followedBy: Array(string.pieces.dropFirst()), at: place)
    range = string.range
  }

  /// - Parameters:
  ///   - tail: what follows the word's text in its value.
  ///   - place: where the value is.
  private init(
    _ word: ItemWord, of text: String, followedBy tail: [StringSyntax.Piece] = [], at place: SourceRange,
    _ meant: (String) -> ExpressionSyntax? = { _ in nil }
  ) throws(ItemError) {
    let value = word.value
    func literal(_ value: String, _ tail: [StringSyntax.Piece]) -> ExpressionSyntax {
      tail.isEmpty ? Self.literal(value, at: place) : ExpressionSyntax(value, followedBy: tail, at: place)
    }
    func path() throws(ItemError) -> ExpressionSyntax {
      if value.isEmpty, tail.isEmpty { throw .missingPath(text) }
      return tail.isEmpty && place == .nowhere ? .text(value) : ExpressionSyntax(value, followedBy: tail, at: place)
    }
    key = NameSyntax(word.key)
    switch word.separator {
    case .text: meaning = .text(literal(value, tail))
    case .embeddedText: meaning = .text(Self.contents(of: try path()))
    case .json:
      guard tail.isEmpty, let json = meant(value) ?? (try? JSON(parsing: Array(value.utf8))).map(ExpressionSyntax.init)
      else { throw .notJSON(key: word.key, value) }
      meaning = .json(json)
    case .embeddedJSON: meaning = .json(ExpressionSyntax.call("file", try path()).path([.member("json")]))
    case .query: meaning = .query(literal(value, tail))
    case .embeddedQuery: meaning = .query(Self.contents(of: try path()).piped(to: "trim"))
    case .header:
      // The ends of the whole value, and not those of the text before its first reference.
      let (value, tail) = Self.trimmingBlanks(value, followedBy: tail)
      meaning = value.isEmpty && tail.isEmpty ? .omittedHeader : .header(literal(value, tail))
    case .embeddedHeader: meaning = .header(Self.contents(of: try path()).piped(to: "trim"))
    case .emptyHeader:
      if !value.isEmpty || !tail.isEmpty { throw .valueOfEmptyHeader(text) }
      meaning = .emptyHeader
    case .file:
      let parts = value.components(separatedBy: ";type=")
      if parts[0].isEmpty, tail.isEmpty { throw .missingPath(text) }
      meaning =
        parts.count > 1 && tail.isEmpty
        ? .file(literal(parts[0], []), type: parts[1].isEmpty ? nil : parts[1]) : .file(literal(value, tail), type: nil)
    }
  }

  /// An item that was typed: an unquoted value is read as HTTPie reads it, any other is an expression.
  ///
  /// - Parameter isEmptyHeader: whether it is `Header;`.
  init(typed item: RequestItemSyntax, isEmptyHeader: Bool = false) throws(ItemError) {
    key = NameSyntax(text: ItemWord.unescaped(item.key.text), range: item.key.range)
    range = item.range
    var value = item.value
    if case .word(var word) = value {
      word.pieces = word.pieces.map { if case .text(let text) = $0 { .text(ItemWord.unescaped(text)) } else { $0 } }
      value = .word(word)
    }
    let path = try value.embeddedPath(of: item)
    switch item.kind {
    case .header where isEmptyHeader: meaning = .emptyHeader
    case .header where value.isEmptyWord: meaning = .omittedHeader
    case .header: meaning = .header(path.map { Self.contents(of: $0).piped(to: "trim") } ?? value)
    case .query: meaning = .query(path.map { Self.contents(of: $0).piped(to: "trim") } ?? value)
    case .text: meaning = .text(path.map { Self.contents(of: $0) } ?? value)
    case .json:
      if let text = value.brokenJSON { throw .notJSON(key: item.key.text, text) }
      meaning = .json(value)
    case .file:
      let (path, type) = value.pathAndType
      meaning = .file(path, type: type)
    }
  }

  /// - Parameter tail: what follows the text.
  private static func trimmingBlanks(
    _ text: String, followedBy tail: [StringSyntax.Piece]
  ) -> (String, [StringSyntax.Piece]) {
    var tail = tail
    if case .text(let last)? = tail.last {
      let rest = last.trimmingTrailingBlanks
      tail = tail.dropLast() + (rest.isEmpty ? [] : [.text(rest)])
    }
    let start = String(text.drop(while: \.isBlank))
    return (tail.isEmpty ? start.trimmingTrailingBlanks : start, tail)
  }

  private static func literal(_ value: String, at place: SourceRange) -> ExpressionSyntax {
    let isPlain = value.allSatisfy { $0.isLetter || $0.isNumber || "-_.:/+%".contains($0) }
    guard place == .nowhere else { return ExpressionSyntax(value, followedBy: [], at: place) }
    return isPlain ? .value(value) : .text(value)
  }

  private static func contents(of path: ExpressionSyntax) -> ExpressionSyntax {
    .call("file", path).path([.member("text")])
  }

  /// Whether it is a part of the body.
  public var isBody: Bool {
    switch meaning {
    case .text, .json, .file: true
    case .header, .omittedHeader, .emptyHeader, .query: false
    }
  }

  /// Headers that are left out, because the program would send them.
  private static let sent: Set<String> = [
    "accept", "accept-encoding", "connection", "content-type", "host", "user-agent",
  ]

  /// A header's value may go on after a space, and what follows is an item of its own: for HTTPie, too, and nobody means it.
  public static func checkValues(of items: [RequestItem]) throws(ItemError) {
    for (item, next) in zip(items, items.dropFirst()) {
      let isAddress = if case .header = next.meaning { ["http", "https"].contains(next.key.text) } else { false }
      let isOmitted = item.meaning == .omittedHeader
      let isSent = sent.contains(item.key.text.lowercased()) && !next.key.text.contains("/")
      guard isOmitted ? isAddress || next.isBody && !isSent : item.endsWithSemicolon && next.isBody else { continue }
      throw .separateValue(
        header: item.key.text, item: "\(next.key.text)\(isAddress ? ":" : "=")…", isOmitted: isOmitted)
    }
  }

  private var endsWithSemicolon: Bool {
    if case .header(let value) = meaning { value.plainText?.hasSuffix(";") ?? false } else { false }
  }

  var isFile: Bool { if case .file = meaning { true } else { false } }

  /// Whether the brackets of its key say where in a JSON body it goes.
  var isNested: Bool { isBody && key.text.contains { "[]\\".contains($0) } }
}

extension RequestItem {
  /// The item of a script that says the same; nil if none does.
  ///
  /// - Parameter isJSON: whether the items are the members of a JSON body.
  func written(isJSON: Bool) -> RequestItemSyntax? {
    if isJSON, isNested { return nil }
    let (kind, value): (RequestItemSyntax.Kind, ExpressionSyntax)
    switch meaning {
    case .header(let content): (kind, value) = (.header, content)
    case .query(let content): (kind, value) = (.query, content)
    case .text(let content): (kind, value) = (.text, content)
    case .json(let content): (kind, value) = (.json, content)
    case .file(let path, nil): (kind, value) = (.file, path)
    case .file, .omittedHeader, .emptyHeader: return nil
    }
    var item = RequestItemSyntax(key.text, kind, value)
    item?.key = key
    item?.range = range
    return item
  }

  /// The clause that it stands for; nil if it is a part of the body.
  var clause: ClauseSyntax? {
    switch meaning {
    case .header(let value): field(FieldsSyntax(key.text, value.asFieldValue), "header")
    // As HTTPie leaves out the credential that a session has.
    case .omittedHeader where key.text.lowercased() == "authorization":
      ClauseSyntax(.auth(.none)).placed(at: range)
    case .omittedHeader: field(.omitting(key.text), "header")
    case .emptyHeader: field(FieldsSyntax(key.text, .text("")), "header")
    case .query(let value): field(FieldsSyntax(key.text, value.asFieldValue), "query")
    case .text, .json, .file: nil
    }
  }

  private func field(_ fields: FieldsSyntax, _ keyword: String) -> ClauseSyntax {
    var fields = fields
    switch fields {
    case .field(_, let value): fields = .field(key, value)
    case .omitted: fields = .omitted(key)
    case .object(let object):
      // No bare word is a value there.
      let members = object.members.map { member -> ObjectSyntax.Member in
        guard case .field(let name, let value, let typed) = member else { return member }
        return .field(key: name, value: value.unquotedAsString, typed)
      }
      fields = .object(ObjectSyntax(members))
    }
    return ClauseSyntax(
      kind: keyword == "header" ? .header(fields) : .query(fields),
      keyword: NameSyntax(text: keyword, range: key.range), range: range)
  }

  /// What it is in a body.
  fileprivate var content: (value: ExpressionSyntax, type: TypedSyntax)? {
    switch meaning {
    case .text(let value): (value.unquotedAsString, TypedSyntax())
    // What HTTPie means is meant: quotes around JSON are those of a shell.
    case .json(let value): (value.quotedJSON.map { ExpressionSyntax($0) } ?? value.unquotedAsString, TypedSyntax())
    case .file(let path, let type):
      (path.asFile, TypedSyntax(type: type))
    case .header, .omittedHeader, .emptyHeader, .query: nil
    }
  }
}

extension StepSyntax {
  /// Takes items with HTTPie's meaning: as items where a script's items mean the same, otherwise as clauses, before
  /// those that are there.
  ///
  /// A form with a file is sent in parts.
  public mutating func take(_ items: [RequestItem], as body: ItemBody?) throws(ItemError) {
    let hasFile = items.contains(where: \.isFile)
    let body = hasFile && body == .form ? .multipart : body
    let isJSON = body == nil && !hasFile
    // A word that begins with `-` is read as an option.
    let written = items.compactMap { $0.key.text.hasPrefix("-") ? nil : $0.written(isJSON: isJSON) }
    if written.count == items.count {
      self.items = written
      itemBody = written.contains(where: \.isBody) ? body : nil
      return
    }
    var lowered = items.compactMap(\.clause)
    let parts = items.compactMap { item in item.content.map { (item: item, content: $0) } }
    if let first = parts.first?.item {
      let range = parts.reduce(first.range) { $0.union($1.item.range) }
      let kind: ClauseSyntax.Kind
      if isJSON {
        var nested = NestedItems()
        for (item, content) in parts { try nested.put(content.value, at: ItemPath(item.key.text), key: item.key.text) }
        kind = .json(nested.expression ?? .object(ObjectSyntax([])))
      } else {
        let members = parts.map { ObjectSyntax.Member.field($0.item.key.text, $0.content.value, $0.content.type) }
        let object = ExpressionSyntax.object(ObjectSyntax(members: members, range: range))
        kind = body == .form ? .form(object) : .multipart(object)
      }
      lowered.append(
        ClauseSyntax(kind: kind, keyword: NameSyntax(text: kind.keyword, range: first.key.range), range: range))
    }
    clauses = lowered + clauses
  }
}

extension RequestItemSyntax {
  /// What a script's item may have been meant to say, if HTTPie means something else by it: the clauses for what HTTPie
  /// means, and for what is written; nil if both mean the same.
  ///
  /// - Parameters:
  ///   - body: what the items of the step are.
  ///   - items: those that the clauses are for: all of a body are one.
  func meanings(in body: StepSyntax.ItemBody?, with items: [RequestItemSyntax]) -> [String]? {
    func text(_ step: StepSyntax) -> String { step.clauses.map { SyntaxPrinter.print($0) }.joined(separator: " ") }
    let isJSON = body == nil
    let hasBackslash = key.text.hasSuffix("\\")
    guard let typed = try? RequestItem(typed: self) else { return nil }
    guard hasBackslash || isQuotedJSON || typed.written(isJSON: isJSON) != self else { return nil }
    var (foreign, own) = (StepSyntax("GET", .string(StringSyntax(""))), StepSyntax("GET", .string(StringSyntax(""))))
    own.items = items
    own.itemBody = body
    let literal = text(own.withoutItems)
    foreign.itemBody = body
    do throws(ItemError) {
      var all: [RequestItem] = []
      for item in items { all.append(try RequestItem(typed: item.withoutQuotes)) }
      try foreign.take(all, as: body)
    } catch {
      return [literal]
    }
    return [text(foreign.withoutItems), literal]
  }

  /// `list:='[1, 2]'`, which may be meant as for a shell.
  public var isQuotedJSON: Bool { quotedJSON != nil }

  private var quotedJSON: JSON? {
    kind == .json ? value.quotedJSON : nil
  }

  /// The same with the JSON that is in quotes.
  public var withoutQuotes: RequestItemSyntax {
    var item = self
    if let quotedJSON { item.value = ExpressionSyntax(quotedJSON) }
    return item
  }
}

extension ExpressionSyntax {
  /// A text that begins like a JSON array or object.
  private var bracketedText: String? {
    guard case .string(let string) = self, let text = string.plainText, let first = text.first, "[{".contains(first)
    else { return nil }
    return text
  }

  /// The JSON array or object that is in a text, `'[1, 2]'`.
  fileprivate var quotedJSON: JSON? { bracketedText.flatMap { try? JSON(parsing: Array($0.utf8)) } }

  /// A text that begins like one, `'[1, 2'`, and is none.
  fileprivate var brokenJSON: String? { quotedJSON == nil ? bracketedText : nil }

  /// A text with what follows it.
  fileprivate init(_ text: String, followedBy tail: [StringSyntax.Piece], at place: SourceRange) {
    let pieces = (text.isEmpty ? [] : [StringSyntax.Piece.text(text)]) + tail
    self = .string(StringSyntax(style: .quoted, pieces: pieces, range: place))
  }

  /// Whether nothing is after the separator.
  fileprivate var isEmptyWord: Bool { if case .word(let word) = self { word.pieces.isEmpty } else { false } }

  /// The path after an `@` that an unquoted value begins with; nil if it does not.
  fileprivate func embeddedPath(of item: RequestItemSyntax) throws(ItemError) -> ExpressionSyntax? {
    guard item.kind != .file, item.kind != .json, case .word(var word) = self,
      case .text(let text)? = word.pieces.first, text.hasPrefix("@")
    else { return nil }
    word.pieces[0] = .text(String(text.dropFirst()))
    if word.plainText == "" { throw .missingPath("\(item.key.text)\(item.kind.rawValue)@") }
    if text == "@" { word.pieces.removeFirst() }
    return ExpressionSyntax.word(word).unquotedAsString
  }

  /// The path of a file, and the type that is given after `;type=`.
  fileprivate var pathAndType: (ExpressionSyntax, String?) {
    guard case .word(var word) = self, case .text(let text)? = word.pieces.last,
      let mark = text.firstRange(of: ";type=")
    else { return (self, nil) }
    let type = String(text[mark.upperBound...])
    word.pieces[word.pieces.count - 1] = .text(String(text[..<mark.lowerBound]))
    return (.word(word), type.isEmpty ? nil : type)
  }
}

extension String {
  /// Without spaces and tabs at its end.
  fileprivate var trimmingTrailingBlanks: String {
    var text = self[...]
    while text.last?.isBlank ?? false { text.removeLast() }
    return String(text)
  }

  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension Character {
  /// A space or a tab.
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
