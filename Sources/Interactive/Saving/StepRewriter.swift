internal import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
internal import Requests

/// Writes one step anew for a file: references by label, values of earlier answers as references, hosts as profiles,
/// secrets by name.
struct StepRewriter {
  let context: SavingContext
  let saved: SavedStep
  var profiles: SavedProfiles
  var secrets: SavedSecrets
  private(set) var references: ReferenceRewriter
  private var edits = TextEdits()

  init(_ saved: SavedStep, _ context: SavingContext, profiles: SavedProfiles, secrets: SavedSecrets) {
    self.saved = saved
    self.context = context
    self.profiles = profiles
    self.secrets = secrets
    references = ReferenceRewriter(
      context, source: saved.source, number: saved.number, logIndex: saved.logIndex, directory: saved.directory,
      ownLabel: saved.step.repetition == nil ? nil : saved.step.label?.text)
  }

  private var source: SourceText { saved.source }
  private var number: Int { saved.number }
  private var origin: Origin { saved.exchange.redirects.first?.request.origin ?? saved.exchange.request.origin }

  /// The step's text, with its label and what was observed of it.
  mutating func text() -> String {
    let step = saved.step
    var references = references
    step.forEachExpression { references.visit($0) }
    self.references = references
    rewriteTarget(step.target)
    for item in step.items {
      let isHeader = item.kind == .header
      if item.kind == .file { continue }
      value(item.value, key: item.key.text, isHeader: isHeader)
    }
    for clause in step.clauses { rewrite(clause) }
    var text = body(in: SourceRange(step.method.range.lowerBound, step.range.upperBound))
    if needsNoCredential { text += "\n  auth none" }
    if let repetition = saved.repetition { text += "\n  \(repetition)" }
    if step.expectedStatuses == nil, !step.clauses.contains(where: \.expectsStatus) {
      text += "\n  expect \(saved.exchange.response.status.code)"
    }
    return "\(context.label(number)): \(text)"
  }

  private func body(in range: SourceRange) -> String {
    var all = edits
    for edit in references.edits.all { all.replace(edit.range, with: edit.text) }
    return all.applied(to: source, in: range)
  }

  /// Whether the profile of the file has a credential that this request was sent without.
  private var needsNoCredential: Bool {
    guard saved.exchange.description.head.sendsCredential, !saved.step.clauses.contains(where: \.isAuth) else {
      return false
    }
    guard let credential = profiles.credential(at: origin, named: exchangeProfile) else { return false }
    let sent = saved.exchange.redirects.first?.request ?? saved.exchange.request
    return
      switch credential.part
    {
    case .header(let name): !sent.headers.contains(name)
    // Where it is not, nobody can tell it from a query item of the same name.
    case .query, .body: false
    }
  }

  // MARK: References

  private mutating func reference(_ origin: AnsweredValues.Origin) -> String {
    references.reference(to: origin.number) + origin.path
  }

  // MARK: Values

  private mutating func rewrite(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .json(let expression), .form(let expression), .multipart(let expression), .text(let expression):
      value(expression, key: "")
    case .body(let expression, _): value(expression, key: "")
    case .graphql(_, let variables): if let variables { value(variables, key: "") }
    case .header(.field(let name, let expression)): value(expression, key: name.text, isHeader: true)
    case .query(.field(let name, let expression)): value(expression, key: name.text)
    case .header(.object(let object)): members(object, isHeader: true)
    case .query(.object(let object)): members(object)
    case .auth(.scheme(let scheme, let values)):
      if let last = values.last { value(last, key: scheme == .basic ? "password" : "token", isHeader: true) }
    case .auth(.none), .expectStatus, .expect, .when, .repetition, .retry, .timeout, .limit, .redirects, .save, .effect,
      .profile:
      break
    }
  }

  /// - Parameter isHeader: whether a credential of an earlier answer becomes a secret there.
  private mutating func value(_ expression: ExpressionSyntax, key: String, isHeader: Bool = false) {
    switch expression {
    case .string(let node): literal(node.pieces.map(Piece.init), node.range, key, isHeader)
    case .word(let node): literal(node.pieces.map(Piece.init), node.range, key, isHeader)
    case .number(let node):
      guard node.unit == nil, AnsweredValues.isIdentifying(key.lowercased()),
        let origin = context.values.origin(of: node.text, before: number), origin.isNumber
      else { return }
      edits.replace(node.range, with: reference(origin))
    case .object(let node): members(node, isHeader: isHeader)
    case .array(let node):
      for element in node.elements {
        if case .value(let inner) = element { value(inner, key: key, isHeader: isHeader) }
      }
    case .parenthesized(let node): value(node.inner, key: key, isHeader: isHeader)
    case .reference, .member, .call, .path, .literal, .unary, .binary, .pipe, .fallback, .shapeTest, .conditional: break
    }
  }

  private mutating func members(_ object: ObjectSyntax, isHeader: Bool = false) {
    if !isHeader { spread(object) }
    for case .field(let key, let expression, _) in object.members {
      let name =
        switch key {
        case .name(let name): name.text
        case .string(let string): string.plainText ?? ""
        }
      value(expression, key: name, isHeader: isHeader)
    }
  }

  /// Members that are all those of an object which an answer brought are written as that.
  private mutating func spread(_ object: ObjectSyntax) {
    let origins = object.members.map { member -> AnsweredValues.Origin? in
      guard case .field(let key, .string(let string), _) = member, let text = string.plainText,
        let origin = context.values.origin(ofSecret: text, before: number), origin.parent != nil,
        source[key.range].filter({ $0 != "\"" }).lowercased() == origin.key
      else { return nil }
      return origin
    }
    var start = 0
    while start < origins.count {
      guard let first = origins[start], let parent = first.parent, first.siblings > 1 else {
        start += 1
        continue
      }
      let end = start + first.siblings
      let isWhole =
        end <= origins.count
        && origins[start..<end].allSatisfy { $0?.parent == parent && $0?.number == first.number }
        && Set(origins[start..<end].map { $0?.key }).count == first.siblings
      if isWhole, let last = object.members[end - 1].range, let from = object.members[start].range {
        edits.replace(
          SourceRange(from.lowerBound, last.upperBound), with: "...\(references.reference(to: first.number))\(parent)")
      }
      start = isWhole ? end : start + 1
    }
  }

  private enum Piece {
    case text(String)
    case expression(String)
    case interpolation(SourceRange)

    init(_ piece: StringSyntax.Piece) {
      switch piece {
      case .text(let text): self = .text(text)
      case .interpolation(let expression): self = .interpolation(expression.range)
      }
    }

    init(_ piece: WordSyntax.Piece) {
      switch piece {
      case .text(let text): self = .text(text)
      case .interpolation(let expression, _): self = .interpolation(expression.range)
      }
    }
  }

  /// A text, whole or in pieces, becomes a reference, a secret, or a text with those in it.
  private mutating func literal(_ pieces: [Piece], _ range: SourceRange, _ key: String, _ isHeader: Bool) {
    var written: [Piece] = []
    for piece in pieces {
      if case .text(let text) = piece {
        written += split(text, key: key, isHeader: isHeader, isWhole: pieces.count == 1)
      } else {
        written.append(piece)
      }
    }
    let isChanged = written.contains { if case .expression = $0 { true } else { false } }
    guard isChanged else { return }
    if written.count == 1, case .expression(let text) = written[0] { return edits.replace(range, with: text) }
    let inner = written.map { piece in
      switch piece {
      case .text(let text): StatementText.literal(text).dropFirst().dropLast()
      case .expression(let text): "{\(text)}"[...]
      case .interpolation(let range): "{\(references.text(range))}"[...]
      }
    }
    edits.replace(range, with: "\"\(inner.joined())\"")
  }

  private mutating func split(_ text: String, key: String, isHeader: Bool, isWhole: Bool) -> [Piece] {
    if let secret = secretPieces(text, key: key, isHeader: isHeader, isWhole: isWhole) { return secret }
    if isWhole, let origin = context.values.origin(of: text, before: number),
      !origin.isNumber, text.count >= 6 || AnsweredValues.isIdentifying(key.lowercased())
    {
      return [.expression(reference(origin))]
    }
    guard let found = context.values.firstValue(in: text[...], before: number) else { return [.text(text)] }
    var pieces: [Piece] = []
    let before = String(text[..<found.range.lowerBound])
    let after = String(text[found.range.upperBound...])
    if !before.isEmpty { pieces += split(before, key: key, isHeader: isHeader, isWhole: false) }
    pieces.append(.expression(reference(found.origin)))
    if !after.isEmpty { pieces += split(after, key: key, isHeader: isHeader, isWhole: false) }
    return pieces
  }

  // MARK: Secrets

  /// The text with its secrets by name; nil if there are none.
  private mutating func secretPieces(_ text: String, key: String, isHeader: Bool, isWhole: Bool) -> [Piece]? {
    if let (range, secret) = knownSecret(in: text) {
      let hint = SensitiveName.contains(key) ? Self.hint(key) : Self.hint(secret.name)
      return around(range, of: text, key: key, isHeader: isHeader, named: name(of: String(text[range]), secret, hint))
    }
    guard isWhole, SensitiveName.contains(key), !text.isEmpty else { return nil }
    var start = text.startIndex
    if let space = text.firstIndex(of: " "), key.lowercased().hasSuffix("authorization") {
      start = text.index(after: space)
    }
    let value = String(text[start...])
    // What a presigned upload asks for came from an answer and is for the storage host.
    if !isHeader, context.values.origin(of: value, before: number) != nil { return nil }
    return around(
      start..<text.endIndex, of: text, key: key, isHeader: isHeader, named: name(of: value, nil, Self.hint(key)))
  }

  private mutating func around(
    _ range: Range<String.Index>, of text: String, key: String, isHeader: Bool, named expression: String
  ) -> [Piece] {
    var pieces: [Piece] = []
    let before = String(text[..<range.lowerBound])
    let after = String(text[range.upperBound...])
    if !before.isEmpty { pieces += split(before, key: "", isHeader: isHeader, isWhole: false) }
    pieces.append(.expression(expression))
    if !after.isEmpty { pieces += split(after, key: "", isHeader: isHeader, isWhole: false) }
    return pieces
  }

  private func knownSecret(in text: String) -> (Range<String.Index>, Secret)? {
    for secret in context.secrets {
      let range = secret.withExposedText { $0.utf8.count < 4 ? nil : text.firstRange(of: $0) }
      if let range { return (range, secret) }
    }
    return nil
  }

  /// What stands in the file for a secret's text.
  private mutating func name(of text: String, _ secret: Secret?, _ hint: String) -> String {
    if let secret, let index = saved.logIndex.flatMap({ context.log.declaration(of: secret.name, before: $0) }),
      case .secret = context.log.entries[index].node
    {
      references.need(name: index)
      return "$\(secret.name)"
    }
    let profile = profiles.profile(for: origin, named: exchangeProfile, asBase: false)
    if let origin = context.values.origin(ofSecret: text, before: number) {
      return "$"
        + secrets.name(
          ofText: text, hint: hint, profile: profile, from: reference(origin), number: origin.number)
    }
    // A secret so short can be none here: hiding it would hide everything.
    if text.utf8.count < 4 { return "$env.\(secrets.variable(holding: text, hint: hint, profile: profile))" }
    return "$" + secrets.name(ofText: text, hint: hint, profile: profile)
  }

  private static func hint(_ key: String) -> String {
    key.lowercased().hasSuffix("authorization") || key == "curl" || key.contains(" ") ? "token" : key
  }

  private var exchangeProfile: String? {
    let name = saved.exchange.profile
    return name == SessionProfile.anonymous.name ? nil : name
  }

  // MARK: Where it goes

  private mutating func rewriteTarget(_ target: TargetSyntax) {
    switch target {
    case .word(let word): rewrite(word.pieces, word.range)
    case .string(let string):
      guard let text = string.plainText else { return }
      rewrite([.text(text)], string.range)
    case .reference(_, let tail):
      if let tail { tailPieces(tail) }
      useProfile(asBase: false)
    case .expression: useProfile(asBase: false)
    }
  }

  /// Keeps the profile that the request was sent with.
  private mutating func useProfile(asBase: Bool) {
    if let name = exchangeProfile { _ = profiles.profile(for: origin, named: name, asBase: asBase) }
  }

  private mutating func tailPieces(_ tail: WordSyntax) {
    let written = tail.pieces.map { encoded($0) }.joined()
    if written != source[tail.range] { edits.replace(tail.range, with: written) }
  }

  private mutating func rewrite(_ pieces: [WordSyntax.Piece], _ range: SourceRange) {
    if pieces.count == 1, case .text(let text) = pieces[0], let whole = wholeTarget(text) {
      useProfile(asBase: false)
      return edits.replace(range, with: whole)
    }
    guard case .text(let first)? = pieces.first else { return }
    let (start, rest) = placed(first)
    var text = start + encodedText(rest)
    for piece in pieces.dropFirst() { text += encoded(piece) }
    let isWord = !text.contains { $0.isWhitespace } && !text.hasPrefix("\"")
    if isWord { edits.replace(range, with: text) }
  }

  /// The reference to an answer's link that leads to this very URL.
  private mutating func wholeTarget(_ text: String) -> String? {
    let sent = (saved.exchange.redirects.first?.request ?? saved.exchange.request).url
    for candidate in [text, pathAndQuery(of: sent)] {
      guard let origin = context.values.origin(of: candidate, before: number), !origin.isNumber,
        candidate.contains("/")
      else { continue }
      let answer = context.exchanges[origin.number - 1]
      if URLReference.resolve(candidate, against: answer.request.url) == sent { return reference(origin) }
    }
    guard let (range, origin) = context.values.firstValue(in: text[...], before: number),
      range.lowerBound == text.startIndex, text[range].contains("://"),
      text[range.upperBound...].first.map({ $0 == "/" || $0 == "?" }) ?? false
    else { return nil }
    return reference(origin) + encodedText(String(text[range.upperBound...]))
  }

  private func pathAndQuery(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    return String(url[scheme.upperBound...].drop { !"/?#".contains($0) })
  }

  /// The beginning of the target in the file, `api:` or nothing, and the rest: a path.
  private mutating func placed(_ text: String) -> (start: String, rest: String) {
    if let scheme = text.firstRange(of: "://"), !text[..<scheme.lowerBound].contains("/") {
      let end = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
      let name = profiles.profile(for: origin, named: exchangeProfile, asBase: true)
      guard let base = profiles.base(of: name), let written = try? Origin(String(text[..<end])), written == base.origin
      else { return (String(text[..<end]), String(text[end...])) }
      var rest = text[end...]
      if !base.path.isEmpty {
        guard rest.hasPrefix(base.path), rest.dropFirst(base.path.count).first.map({ "/?".contains($0) }) ?? true else {
          return (String(text[..<end]), String(rest))
        }
        rest = rest.dropFirst(base.path.count)
      }
      return (name == context.bareProfile ? "" : "\(name):", rest.first == "/" ? String(rest) : "/\(rest)")
    }
    let path = text.hasPrefix("/") || text.hasPrefix("?") ? text : String(text.drop { $0 != ":" }.dropFirst())
    let name = profiles.profile(for: origin, named: exchangeProfile, asBase: true)
    return (path.hasPrefix("/") && name != context.bareProfile ? "\(name):" : "", path)
  }

  private mutating func encoded(_ piece: WordSyntax.Piece) -> String {
    switch piece {
    case .text(let text): encodedText(text)
    case .interpolation(let expression, let keepsReserved):
      "{\(keepsReserved ? "+" : "")\(references.text(expression.range))}"
    }
  }

  /// A path and query in which what answers brought stands as an expression, encoded by its place.
  private mutating func encodedText(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var name = ""
    var isQuery = false
    while !rest.isEmpty {
      let token = rest.prefix { !"/?&=#;".contains($0) }
      rest = rest[token.endIndex...]
      let separator = rest.popFirst()
      let isName = isQuery && separator == "="
      result += isName || token.isEmpty ? String(token) : expression(for: token, key: isQuery ? name : nil)
      name = isName ? String(token) : ""
      if let separator { result.append(separator) }
      if separator == "?" { isQuery = true }
    }
    return result
  }

  private mutating func expression(for token: Substring, key: String?) -> String {
    let text = token.percentDecoded
    if key.map(SensitiveName.contains) ?? false || knownSecret(in: text) != nil,
      let pieces = secretPieces(text, key: key ?? "", isHeader: false, isWhole: true),
      pieces.count == 1, case .expression(let secret) = pieces[0]
    {
      return "{\(secret)}"
    }
    let isFitting = key.map { text.count >= 6 || AnsweredValues.isIdentifying($0.lowercased()) } ?? true
    if isFitting, let origin = context.values.origin(of: text, before: number) {
      if PercentEncoding.component.encode(text) == token { return "{\(reference(origin))}" }
      if PercentEncoding.reserved.encode(text) == token { return "{+\(reference(origin))}" }
    }
    guard
      let found = context.values.firstValue(
        in: token, before: number, encode: { PercentEncoding.component.encode($0) })
    else { return String(token) }
    let before = expression(for: token[..<found.range.lowerBound], key: key)
    let after = expression(for: token[found.range.upperBound...], key: key)
    return before + "{\(reference(found.origin))}" + after
  }
}

extension ObjectSyntax.Member {
  /// From the key to the value; nil for what is more than those.
  fileprivate var range: SourceRange? {
    guard case .field(let key, let value, let typed) = self, typed.type == nil, typed.fileName == nil else {
      return nil
    }
    return key.range.union(value.range)
  }
}

extension ClauseSyntax {
  /// Whether it says itself which status is expected.
  fileprivate var expectsStatus: Bool {
    guard case .expect(let condition) = kind else { return false }
    var isNamed = false
    condition.forEach { if case .member(let name) = $0, name.text == "status" { isNamed = true } }
    return isNamed
  }

  fileprivate var isAuth: Bool {
    switch kind {
    case .auth: true
    case .header(.field(let name, _)): name.text.lowercased() == "authorization"
    default: false
    }
  }
}
