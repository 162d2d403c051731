import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension HurlTranslator {
  /// The request of an entry with its expectations.
  mutating func step(
    _ entry: HurlEntry, _ options: HurlOptions, label: String?
  ) throws(ImportRefusal) -> StepSyntax {
    let address = try ImportedAddress(
      try pieces(entry.url), at: entry.url.range, keepsDotSegments: options.keepsDotSegments, isExact: isExact,
      isEncoded: encoded.contains, isKnownEarly: variables.isFromOutside)
    let profile = profiles.add(address.place, options.connection)
    var clauses: [ClauseSyntax] = []
    try addContent(entry, authority: address.authority, into: &clauses)
    if let user = options.user ?? address.user.map({ ($0.name, $0.password) }) {
      clauses.append(ClauseSyntax.auth(.basic, .text(user.name), .text(user.password)).placed(at: entry.url.range))
    }
    clauses += options.clauses.map { $0.placed(at: entry.method.range) }
    if address.isUnknown || connectsInSeveralWays {
      clauses.append(ClauseSyntax(.profile(NameSyntax(profile))).placed(at: entry.url.range))
    }
    try announce(entry.response?.captures ?? [])
    let expected =
      entry.response.map { expectations($0) }
      ?? [ClauseSyntax(.expectStatus([.any])).placed(at: entry.requestRange)]
    if let retry = options.retry {
      clauses.append(ClauseSyntax(.repetition(try repetition(retry, until: expected))).placed(at: entry.method.range))
    }
    if isBlocked || options.isSkipped { clauses.append(ClauseSyntax.never.placed(at: entry.method.range)) }
    clauses += expected
    return StepSyntax(label: label, entry.method.text, address.target, clauses)
  }

  /// What is captured is known to the expectations of the same entry.
  private mutating func announce(_ captures: [HurlCapture]) throws(ImportRefusal) {
    for capture in captures {
      guard let variable = try constantText(capture.name) else { continue }
      let isList = capture.query.name.text == "header"
      // One that cannot be read is reported where it gets its name.
      guard let value = try? subject(capture.query, capture.filters, .members, asList: isList) else { continue }
      variables.set(variable, to: value)
    }
  }

  /// Hurl counts what comes after the first one.
  private func repetition(
    _ retry: HurlOptions.Retry, until expected: [ClauseSyntax]
  ) throws(ImportRefusal) -> RepeatSyntax {
    var conditions: [ExpressionSyntax] = []
    for clause in expected {
      switch clause.kind {
      case .expectStatus(let statuses):
        guard case .code(let code)? = statuses.first else { continue }
        let status = ExpressionSyntax.member(NameSyntax("status"))
        conditions.append(
          ExpressionSyntax.binary(BinarySyntax(status, .equal, .number(NumberSyntax("\(code)"))))
            .placed(at: clause.range))
      case .expect(let condition): conditions.append(condition)
      default: continue
      }
    }
    // All of them are one expression, in which each is a level.
    if conditions.count > 200, let range = expected.last?.range {
      throw ImportRefusal("a request is not repeated until more than 200 things are so", at: range)
    }
    let any = BinarySyntax(.member(NameSyntax("status")), .greaterOrEqual, .number(NumberSyntax("100")))
    let first = conditions.first ?? .binary(any)
    let all = conditions.dropFirst().reduce(first) { .binary(BinarySyntax($0, .and, $1)) }
    return RepeatSyntax(
      rounds: .number(NumberSyntax("\(retry.count + 1)")), interval: .number(NumberSyntax(retry.interval)),
      condition: all)
  }

  // MARK: Headers, query, body

  private mutating func addContent(
    _ entry: HurlEntry, authority: String?, into clauses: inout [ClauseSyntax]
  ) throws(ImportRefusal) {
    var headers = try fields(entry.headers)
    headers.removeAll { $0.name.plainText?.lowercased() == "host" && $0.value.plainText == authority }
    var type: StringSyntax?
    let typeIndex = headers.firstIndex { $0.name.plainText?.lowercased() == "content-type" }
    if let typeIndex, entry.body != nil {
      type = headers[typeIndex].value.asString
      headers.remove(at: typeIndex)
    }
    var length: Int?
    if let index = headers.firstIndex(where: { $0.name.plainText?.lowercased() == "content-length" }) {
      length = headers[index].value.plainText.flatMap { Int($0) }
      note(.warning, "Content-Length is what the body is long", at: headers[index].range)
      headers.remove(at: index)
    }
    if let body = entry.body { clauses += try content(body, type: type, length: length) }
    for section in entry.sections {
      switch section.kind {
      case .query:
        if let fields = Self.object(try fields(section.pairs)) {
          clauses.append(ClauseSyntax(.query(fields)).placed(at: section.range))
        }
      case .form:
        if let fields = Self.objectOf(try fields(section.pairs)) {
          clauses.append(ClauseSyntax(.form(.object(fields))).placed(at: section.range))
        }
      case .multipart:
        if let parts = try multipart(section.pairs) {
          clauses.append(ClauseSyntax(.multipart(.object(parts))).placed(at: section.range))
        }
      case .cookies:
        if let cookies = try cookies(section.pairs) {
          clauses.append(ClauseSyntax.header("Cookie", cookies).placed(at: section.range))
        }
      case .basicAuth:
        for pair in section.pairs {
          let auth = ClauseSyntax.auth(.basic, try operand(pair.key), try operand(pair.value))
          clauses.append(auth.placed(at: pair.range))
        }
      case .options: continue
      }
    }
    for field in Self.merged(headers) {
      let object = ObjectSyntax([.field(key: .string(field.name), value: field.value, TypedSyntax())])
      let fields = field.name.plainText.map { FieldsSyntax($0, field.value) } ?? .object(object)
      clauses.append(ClauseSyntax(.header(fields)).placed(at: field.range))
    }
  }

  struct Field {
    var name: StringSyntax
    var value: ExpressionSyntax
    var range: SourceRange
  }

  private mutating func fields(_ pairs: [HurlPair]) throws(ImportRefusal) -> [Field] {
    var fields: [Field] = []
    for pair in pairs {
      fields.append(Field(name: try string(pair.key), value: try operand(pair.value), range: pair.range))
    }
    return fields
  }

  /// Each name once, with all of its values.
  private static func merged(_ fields: [Field]) -> [Field] {
    var merged: [(field: Field, others: [Field])] = []
    var places: [StringSyntax: Int] = [:]
    for field in fields {
      let name = field.name.plainText.map { StringSyntax($0.lowercased()) } ?? field.name
      if let index = places[name] {
        merged[index].others.append(field)
      } else {
        places[name] = merged.count
        merged.append((field, []))
      }
    }
    return merged.map { field, others in
      guard let last = others.last else { return field }
      var field = field
      let all = ArraySyntax([field.value] + others.map(\.value))
      field.value = ExpressionSyntax.array(all).placed(at: last.range)
      return field
    }
  }

  private static func objectOf(_ fields: [Field]) -> ObjectSyntax? {
    guard !fields.isEmpty else { return nil }
    return ObjectSyntax(
      merged(fields).map { field in
        let key = field.name.plainText.map { KeySyntax($0) } ?? .string(field.name)
        return .field(key: key, value: field.value, TypedSyntax())
      })
  }

  private static func object(_ fields: [Field]) -> FieldsSyntax? {
    if fields.count == 1, let name = fields[0].name.plainText { return FieldsSyntax(name, fields[0].value) }
    return objectOf(fields).map { .object($0) }
  }

  private mutating func cookies(_ pairs: [HurlPair]) throws(ImportRefusal) -> ExpressionSyntax? {
    guard !pairs.isEmpty else { return nil }
    var all: [StringSyntax.Piece] = []
    for pair in pairs {
      if !all.isEmpty { all.append(.text("; ")) }
      all += try pieces(pair.key)
      all.append(.text("="))
      all += try pieces(pair.value)
    }
    return .string(StringSyntax(all))
  }

  private mutating func multipart(_ pairs: [HurlPair]) throws(ImportRefusal) -> ObjectSyntax? {
    guard !pairs.isEmpty else { return nil }
    var members: [(field: Field, typed: TypedSyntax)] = []
    for pair in pairs {
      let name = try string(pair.key)
      guard case .text(let start)? = pair.value.pieces.first, start.hasPrefix("file,") else {
        members.append((Field(name: name, value: try operand(pair.value), range: pair.range), TypedSyntax()))
        continue
      }
      guard let known = try constantText(pair.value), let semicolon = known.firstIndex(of: ";") else {
        throw ImportRefusal("the name of this file cannot be computed", at: pair.range)
      }
      let path = known.dropFirst(5)[..<semicolon].trimmed
      let type = known[known.index(after: semicolon)...].trimmed
      let file = try file(named: path, pair.value.range)
      members.append((Field(name: name, value: file, range: pair.range), TypedSyntax(type: type.isEmpty ? nil : type)))
    }
    let plain = members.filter { $0.typed == TypedSyntax() }.map(\.field)
    let merged = Dictionary(uniqueKeysWithValues: Self.merged(plain).map { ($0.range, $0.value) })
    var object: [ObjectSyntax.Member] = []
    for member in members {
      let key = member.field.name.plainText.map { KeySyntax($0) } ?? .string(member.field.name)
      if member.typed != TypedSyntax() {
        object.append(.field(key: key, value: member.field.value, member.typed))
      } else if let value = merged[member.field.range] {
        object.append(.field(key: key, value: value, TypedSyntax()))
      }
    }
    return ObjectSyntax(object)
  }

  // MARK: Bodies

  private mutating func content(
    _ body: HurlBody, type: StringSyntax?, length: Int?
  ) throws(ImportRefusal) -> [ClauseSyntax] {
    func raw(_ value: ExpressionSyntax, _ usual: String?) -> [ClauseSyntax] {
      let written = type ?? usual.map { StringSyntax($0) }
      let clause = ClauseSyntax(.body(value, TypedSyntax(type: written))).placed(at: body.range)
      // Without a type that is given, Hurl sends none.
      return written == nil ? [clause, ClauseSyntax.omittedHeader("Content-Type").placed(at: body.range)] : [clause]
    }
    func cut(_ value: ExpressionSyntax) -> ExpressionSyntax {
      guard let length, let text = value.plainText, text.utf8.count > length else { return value }
      return .text(String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self))
    }
    switch body.content {
    case .json(let json, let places):
      let isUsual = type == nil || type?.plainText == "application/json"
      // What a placeholder outside of quotes stands for is JSON, whatever it is here.
      let isShort = body.range.upperBound - body.range.lowerBound <= Self.longestLiteral
      if isUsual, isShort, !isExact, places.allSatisfy(\.isInText), let value = try literal(json) {
        rewritesJSON = rewritesJSON || !source[body.range].isCompactJSON
        return [ClauseSyntax(.json(value)).placed(at: body.range)]
      }
      return raw(.string(try written(body.range, places)), "application/json")
    case .xml(let text): return raw(.string(try string(text)), "application/xml")
    case .line(let text): return raw(cut(.string(try string(text))), nil)
    case .block(let text, "graphql"): return try graphQL(text, body.range)
    case .block(let text, let language):
      let usual = ["json": "application/json", "xml": "application/xml"][language]
      return raw(cut(.string(try string(text))), usual)
    case .bytes(let bytes): return raw(self.bytes(bytes), nil)
    case .file(let name): return raw(try file(name), nil)
    }
  }

  /// Longer JSON is read by nobody, so it may as well be a text.
  private static let longestLiteral = 64 << 10

  /// JSON as it is written, with what its placeholders stand for.
  private mutating func written(
    _ range: SourceRange, _ places: [HurlJSONPlace]
  ) throws(ImportRefusal) -> StringSyntax {
    var pieces: [StringSyntax.Piece] = []
    var start = range.lowerBound
    for place in places {
      let range = place.placeholder.range
      pieces.append(.text(source[SourceRange(start, range.lowerBound)]))
      pieces.append(try piece(place))
      start = range.upperBound
    }
    return StringSyntax(pieces + [.text(source[SourceRange(start, range.upperBound)])])
  }

  private mutating func piece(_ place: HurlJSONPlace) throws(ImportRefusal) -> StringSyntax.Piece {
    let range = place.placeholder.range
    switch try meaning(place.placeholder) {
    case .constant(let json):
      let text = json.plainText
      if place.isInText { return .text(String(JSON.string(text).description.dropFirst().dropLast())) }
      guard (try? JSON(parsing: Array(text.utf8))) != nil else {
        throw ImportRefusal("what this stands for is not JSON, which it is without quotes", at: range)
      }
      return .text(text)
    case .expression(let value):
      guard !value.readsMember else {
        throw ImportRefusal("a part of this response cannot be put into a text here", at: range)
      }
      let text = value.through("to-string")
      // Between quotes, everything of a JSON text but its own quotes.
      let json =
        place.isInText
        ? text.through("json").through(
          "replace-regex", .string(StringSyntax(raw: "^.|.$")), .string(StringSyntax(raw: "")))
        : text.through("parse-json").through("json")
      return .interpolation(reference(to: json, place.placeholder))
    }
  }

  /// A query, after which a line may begin with `variables` and JSON.
  private mutating func graphQL(_ text: HurlText, _ range: SourceRange) throws(ImportRefusal) -> [ClauseSyntax] {
    var query = try string(text)
    var variables: ExpressionSyntax?
    if case .text(let last)? = query.pieces.last, let match = last.firstRange(of: "\nvariables") {
      let rest = last[match.upperBound...].trimmed
      guard let json = try? JSON(parsing: Array(rest.utf8)) else {
        throw ImportRefusal("the variables of this query are not JSON", at: range)
      }
      variables = ExpressionSyntax(json)
      var before = last[..<match.lowerBound]
      while before.last?.isWhitespace == true { before.removeLast() }
      query = StringSyntax(Array(query.pieces.dropLast()) + [.text(String(before))])
    } else if case .text(let last)? = query.pieces.last {
      query = StringSyntax(Array(query.pieces.dropLast()) + [.text(last.droppingLastLineEnd)])
    }
    return [ClauseSyntax(.graphql(query, variables: variables)).placed(at: range)]
  }

  mutating func file(_ name: HurlText) throws(ImportRefusal) -> ExpressionSyntax {
    guard let path = try constantText(name) else {
      throw ImportRefusal("the name of this file cannot be computed", at: name.range)
    }
    return try file(named: path, name.range)
  }

  /// A file below the folder of the script, as Hurl has it too.
  func file(named path: String, _ range: SourceRange) throws(ImportRefusal) -> ExpressionSyntax {
    let file = try ImportedFile(path, .read, in: source, at: range)
    return ExpressionSyntax.call("file", .text(file.path)).placed(at: range)
  }
}

extension ExpressionSyntax {
  /// The same as a text, where only a text is read.
  fileprivate var asString: StringSyntax {
    switch self {
    case .string(let string): string
    case .word(let word): StringSyntax(word.plainText ?? "")
    default: StringSyntax([.interpolation(self)])
    }
  }
}
