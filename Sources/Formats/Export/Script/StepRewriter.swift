internal import Diagnostics
internal import HTTPTypes
package import Imports
internal import JSONValue
package import RequestSyntax
internal import Requests

/// Rewrites one step for a file: references by label, values from earlier responses as references, hosts as profiles,
/// secrets by name.
package struct StepRewriter {
  package let context: SavingContext
  package let saved: SavedStep
  package var profiles: SavedProfiles
  package var secrets: SavedSecrets
  private(set) var references: ReferenceRewriter
  /// The texts of a body that are written as what an earlier response has, and may only happen to be the same: nothing
  /// says that they identify something.
  package private(set) var coincidences: [String] = []
  /// The profile of a path that is written as a text.
  private var pathProfile: String?

  package init(_ saved: SavedStep, _ context: SavingContext, profiles: SavedProfiles, secrets: SavedSecrets) {
    self.saved = saved
    self.context = context
    self.profiles = profiles
    self.secrets = secrets
    references = ReferenceRewriter(
      context, number: saved.number, logIndex: saved.logIndex, directory: saved.directory,
      ownLabel: saved.step.repetition == nil ? nil : saved.step.label?.text)
  }

  private var number: Int { saved.number }
  private var origin: Origin { saved.sent.origin }

  /// The step with its label and what was observed of it.
  package mutating func script() -> ScriptSyntax {
    var step = saved.step
    writeTokens(in: &step)
    var references = references
    step.rewriteEach { references.rewrite(&$0) }
    for index in step.clauses.indices { references.movePath(in: &step.clauses[index]) }
    self.references = references
    // What else has its text is called after what it is there.
    for index in step.clauses.indices where step.clauses[index].isAuth { rewrite(&step.clauses[index]) }
    rewrite(&step.target)
    for index in step.items.indices where step.items[index].kind != .file {
      value(&step.items[index].value, key: step.items[index].key.text, isHeader: step.items[index].kind == .header)
    }
    for index in step.clauses.indices where !step.clauses[index].isAuth { rewrite(&step.clauses[index]) }
    nameVariables(in: &step)
    nameLiterals(in: &step)
    var observed = [ownCredential()].compactMap(\.self)
    // For curl, `> file` takes whatever comes; the script is to get what came then.
    if step.expectedStatuses == [.any], step.savesBody, saved.exchange.response.status.code < 400 {
      step.clauses.removeAll { $0.kind == .expectStatus([.any]) }
    }
    if profiles.areSeveral(at: origin), !step.target.namesItsProfile, !step.clauses.contains(where: \.isProfile) {
      observed.append(.profile(NameSyntax(profiles.profile(for: origin, named: exchangeProfile, asBase: false))))
    } else if let name = pathProfile, name != context.bareProfile, !step.clauses.contains(where: \.isProfile) {
      observed.append(.profile(NameSyntax(name)))
    }
    if let repetition = saved.repetition { observed.append(.repetition(repetition)) }
    if step.expectedStatuses == nil, !step.clauses.contains(where: \.expectsStatus) {
      observed.append(.expectStatus([.code(saved.exchange.response.status.code)]))
    }
    step.clauses += saved.behindAll(observed)
    step.label = NameSyntax(context.label(number))
    return ScriptSyntax([.step(step)], comments: saved.comments.map(\.withoutSecrets))
  }

  /// How the step says with which credential it was sent, if that is not the one that the profile has in the file: it
  /// was declared again since.
  private mutating func ownCredential() -> ClauseSyntax.Kind? {
    let head = saved.exchange.description.head
    guard head.sendsCredential, !head.headers.contains(.authorization),
      !saved.step.clauses.contains(where: \.isAuth),
      // Where it is not in the query, it cannot be told from a query item of the same name.
      let credential = profiles.credential(at: origin, named: exchangeProfile), case .header(let name) = credential.part
    else { return nil }
    guard let text = saved.sent.headers[name] else { return .auth(.none) }
    // What depends on the request, or is renewed by itself, is not compared.
    guard let field = credential.field, field.value != text, var clause = ClauseSyntax(authorization: text) else {
      return nil
    }
    rewrite(&clause)
    return clause.kind
  }

  /// A token that the step took from a response for an `Authorization` header is written as it was sent: what becomes of
  /// such a text is a secret with a name.
  private func writeTokens(in step: inout StepSyntax) {
    for index in step.items.indices where step.items[index].kind == .header {
      let item = step.items[index]
      step.items[index].value = sent(item.value, as: item.key.text) ?? item.value
    }
    for index in step.clauses.indices {
      guard case .header(.field(let name, let value)) = step.clauses[index].kind,
        let sent = sent(value, as: name.text)
      else { continue }
      step.clauses[index].kind = .header(.field(name, sent))
    }
  }

  private func sent(_ value: ExpressionSyntax, as header: String) -> ExpressionSyntax? {
    guard AuthenticationScheme.isInHeader(named: header), let name = HTTPField.Name(header),
      let text = saved.sent.headers[name],
      context.values.origin(ofSecret: String(AuthenticationScheme.credential(in: text)), before: number) != nil
    else { return nil }
    var (reads, hasName) = (false, false)
    value.forEachReference { reference in
      reads = true
      let declaration = context.log.declaration(
        of: reference.root.text, before: saved.logIndex ?? context.log.entries.count)
      let isNamed =
        switch declaration.map({ context.log.entries[$0].node }) {
        case .binding?, .secret?: true
        default: false
        }
      hasName = hasName || reference.root.text == "env" || isNamed
    }
    return reads && !hasName ? .text(text) : nil
  }

  // MARK: References

  private mutating func reference(_ origin: AnsweredValues.Origin) -> ExpressionSyntax {
    .reference(references.reference(to: origin.number, origin.path))
  }

  // MARK: Values

  private mutating func rewrite(_ clause: inout ClauseSyntax) {
    switch clause.kind {
    case .json(var content):
      text(&content)
      clause.kind = .json(content)
    case .form(var content):
      value(&content, key: "")
      clause.kind = .form(content)
    case .multipart(var content):
      value(&content, key: "")
      clause.kind = .multipart(content)
    case .text(var content):
      text(&content)
      clause.kind = .text(content)
    case .body(var content, let typed):
      text(&content)
      clause.kind = .body(content, typed)
    case .graphql(let query, var variables?):
      value(&variables, key: "")
      clause.kind = .graphql(query, variables: variables)
    case .header(let fields): clause.kind = .header(rewritten(fields, isHeader: true))
    case .query(let fields): clause.kind = .query(rewritten(fields, isHeader: false))
    case .auth(.scheme(let scheme, var values)):
      guard let last = values.indices.last else { return }
      value(&values[last], key: [.basic, .digest].contains(scheme) ? "password" : "token", isHeader: true)
      clause.kind = .auth(.scheme(scheme, values))
    case .graphql(_, nil), .auth(.none), .expectStatus, .expect, .when, .repetition, .stream, .retry, .timeout, .limit,
      .redirects,
      .save, .effect, .wait:
      break
    case .profile(let name): _ = profiles.profile(for: origin, named: name.text, asBase: false)
    }
  }

  private mutating func rewritten(_ fields: FieldsSyntax, isHeader: Bool) -> FieldsSyntax {
    switch fields {
    case .field(let name, var expression):
      value(&expression, key: name.text, isHeader: isHeader)
      return .field(name, expression)
    case .omitted: return fields
    case .object(var object):
      members(&object, isHeader: isHeader)
      return .object(object)
    }
  }

  /// - Parameter isHeader: whether a credential from an earlier response becomes a secret there.
  private mutating func value(_ expression: inout ExpressionSyntax, key: String, isHeader: Bool = false) {
    switch expression {
    case .string(let node): expression = literal(node.pieces, key, isHeader) ?? expression
    case .word(let node): expression = literal(node.pieces.map(StringSyntax.Piece.init), key, isHeader) ?? expression
    case .number(let node):
      guard node.unit == nil, AnsweredValues.isIdentifying(key.lowercased()),
        let origin = context.values.origin(of: node.text, before: number), origin.isNumber
      else { return }
      expression = reference(origin)
    case .object(var node):
      members(&node, isHeader: isHeader)
      expression = .object(node)
    case .array(var node):
      for (index, element) in node.elements.enumerated() {
        guard case .value(var inner) = element else { continue }
        value(&inner, key: key, isHeader: isHeader)
        node.elements[index] = .value(inner)
      }
      expression = .array(node)
    case .parenthesized(var node):
      value(&node.inner, key: key, isHeader: isHeader)
      expression = .parenthesized(node)
    case .reference, .member, .call, .path, .literal, .unary, .binary, .pipe, .fallback, .shapeTest, .conditional,
      .quantified:
      break
    }
  }

  private mutating func members(_ object: inout ObjectSyntax, isHeader: Bool = false) {
    if !isHeader { spread(&object) }
    for (index, member) in object.members.enumerated() {
      guard case .field(let key, var expression, let typed) = member else { continue }
      value(&expression, key: key.plainText ?? "", isHeader: isHeader)
      object.members[index] = .field(key: key, value: expression, typed)
    }
  }

  /// Members that are exactly those of an object from a response are written as that object.
  private mutating func spread(_ object: inout ObjectSyntax) {
    let origins = object.members.map { member -> AnsweredValues.Origin? in
      guard case .field(let key, .string(let string), let typed) = member, typed == TypedSyntax(),
        let text = string.plainText, let origin = context.values.origin(ofSecret: text, before: number),
        origin.parent != nil, key.plainText?.lowercased() == origin.key
      else { return nil }
      return origin
    }
    var members: [ObjectSyntax.Member] = []
    var start = 0
    while start < origins.count {
      let end = start + max(1, origins[start]?.siblings ?? 1)
      if let first = origins[start], let parent = first.parent, first.siblings > 1, end <= origins.count,
        origins[start..<end].allSatisfy({ $0?.parent == parent && $0?.number == first.number }),
        Set(origins[start..<end].map { $0?.key }).count == first.siblings
      {
        members.append(.spread(.reference(references.reference(to: first.number, parent))))
        start = end
      } else {
        members.append(object.members[start])
        start += 1
      }
    }
    object.members = members
  }

  private typealias Piece = StringSyntax.Piece

  /// A text, whole or in pieces, as a reference, a secret, or a text with those in it; nil if it is none of these.
  private mutating func literal(_ pieces: [Piece], _ key: String, _ isHeader: Bool) -> ExpressionSyntax? {
    var written: [Piece] = []
    for piece in pieces {
      if case .text(let text) = piece {
        written += split(text, key: key, isHeader: isHeader, isWhole: pieces.count == 1)
      } else {
        written.append(piece)
      }
    }
    if written == pieces { return nil }
    if written.count == 1, case .interpolation(let expression) = written[0] { return expression }
    return .string(StringSyntax(written))
  }

  private mutating func split(_ text: String, key: String, isHeader: Bool, isWhole: Bool) -> [Piece] {
    if let secret = secretPieces(text, key: key, isHeader: isHeader, isWhole: isWhole) { return secret }
    if isWhole, let origin = context.values.origin(of: text, before: number),
      !origin.isNumber, text.count >= 6 || AnsweredValues.isIdentifying(key.lowercased())
    {
      if !isHeader, !AnsweredValues.isIdentifying(key.lowercased()) { coincidences.append(text) }
      return [.interpolation(reference(origin))]
    }
    guard let found = context.values.firstValue(in: text[...], before: number) else { return [.text(text)] }
    return around(found.range, of: text, key: key, isHeader: isHeader, reference(found.origin))
  }

  // MARK: Secrets

  /// The text with its secrets by name; nil if there are none.
  private mutating func secretPieces(_ text: String, key: String, isHeader: Bool, isWhole: Bool) -> [Piece]? {
    var start = text.startIndex
    if let space = text.firstIndex(of: " "), key.lowercased().hasSuffix("authorization") {
      start = text.index(after: space)
    }
    let credential = start..<text.endIndex
    // A password with one of another step inside of it is a secret as a whole.
    let isPassword = isWhole && SensitiveName.contains(key) && !text.contains { ",;\"".contains($0) }
    if let (range, secret) = knownSecret(in: text),
      !(isPassword && secret.isGivenToStep && range != credential && credential.contains(range.lowerBound))
    {
      let hint = SensitiveName.contains(key) ? Self.hint(key) : Self.hint(secret.name)
      return around(range, of: text, key: "", isHeader: isHeader, name(of: String(text[range]), secret, hint))
    }
    guard isWhole, SensitiveName.contains(key), !text.isEmpty else { return nil }
    // `a=1` is no credential.
    if key.lowercased() == "cookie", text.utf8.count < Secret.fewestBytes { return nil }
    let value = String(text[credential])
    // What a presigned upload asks for came from a response and is for the storage host.
    if !isHeader, context.values.origin(of: value, before: number) != nil { return nil }
    return around(credential, of: text, key: "", isHeader: isHeader, name(of: value, nil, Self.hint(key)))
  }

  /// A body. If it is a text that is a form or JSON, what is secret in it by its name is a secret.
  private mutating func text(_ content: inout ExpressionSyntax) {
    guard case .string(let node) = content, let text = node.plainText else { return value(&content, key: "") }
    let found = NamedSecrets.values(inBody: text).filter { !$0.text.isEmpty }
    guard !found.isEmpty else { return value(&content, key: "") }
    let ranges = found.compactMap(\.range)
    guard ranges.count == found.count else {
      // It is not known where they are, so that all of it is one.
      content = name(of: text, nil, "body")
      return
    }
    var pieces: [Piece] = []
    var start = text.startIndex
    for (value, range) in zip(found, ranges).sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      if start < range.lowerBound {
        pieces += split(String(text[start..<range.lowerBound]), key: "", isHeader: false, isWhole: false)
      }
      pieces.append(
        .interpolation(value.encoded { name(of: $0, hint: $1) } ?? name(of: String(text[range]), hint: value.name)))
      start = range.upperBound
    }
    if start < text.endIndex { pieces += split(String(text[start...]), key: "", isHeader: false, isWhole: false) }
    if pieces.count == 1, case .interpolation(let expression) = pieces[0] {
      content = expression
    } else {
      content = .string(StringSyntax(pieces))
    }
  }

  /// Whatever else the history would hide.
  private mutating func nameLiterals(in step: inout StepSyntax) {
    let literals = LiteralSecrets(.step(step))
    step.rewriteEach { literals.rewrite(&$0) { name(of: $0, hint: $1) } }
    for index in step.clauses.indices {
      guard case .graphql(var query, let variables) = step.clauses[index].kind else { continue }
      literals.rewrite(&query) { name(of: $0, hint: $1) }
      step.clauses[index].kind = .graphql(query, variables: variables)
    }
  }

  /// A variable that looks like a secret is one in the file, but in `auth`, where it goes nowhere else anyway.
  private mutating func nameVariables(in step: inout StepSyntax) {
    step.target.rewriteEach { name(&$0) }
    for index in step.items.indices { step.items[index].value.rewriteEach { name(&$0) } }
    for index in step.clauses.indices where step.clauses[index].isContent {
      step.clauses[index].rewriteEach { name(&$0) }
    }
  }

  private mutating func name(_ expression: inout ExpressionSyntax) {
    guard let variable = expression.environmentName, SensitiveName.isCredential(variable) else { return }
    let profile = profiles.profile(for: origin, named: exchangeProfile, asBase: false)
    let index = context.log.secret(for: [profile], before: saved.logIndex ?? context.log.entries.count) {
      $0 == variable
    }
    if let index, let name = context.name(atLogIndex: index) {
      references.need(name: index)
      expression = .reference(name)
    } else if let name = secrets.name(ofVariable: variable, profile: profile) {
      expression = .reference(name)
    }
  }

  private mutating func around(
    _ range: Range<String.Index>, of text: String, key: String, isHeader: Bool, _ expression: ExpressionSyntax
  ) -> [Piece] {
    var pieces: [Piece] = []
    let before = String(text[..<range.lowerBound])
    let after = String(text[range.upperBound...])
    if !before.isEmpty { pieces += split(before, key: key, isHeader: isHeader, isWhole: false) }
    pieces.append(.interpolation(expression))
    if !after.isEmpty { pieces += split(after, key: key, isHeader: isHeader, isWhole: false) }
    return pieces
  }

  private func knownSecret(in text: String) -> (Range<String.Index>, Secret)? {
    for secret in context.secrets {
      let range = secret.withExposedText { exposed in
        exposed.utf8.count < 4 ? nil : ShortWord.places(of: exposed, in: text).first
      }
      if let range { return (range, secret) }
    }
    return nil
  }

  private mutating func name(of text: String, hint: String) -> ExpressionSyntax {
    let known = knownSecret(in: text).flatMap { $0.0 == text.startIndex..<text.endIndex ? $0.1 : nil }
    return name(of: text, known, Self.hint(hint))
  }

  /// The expression that takes the place of a secret's text in the file.
  private mutating func name(of text: String, _ secret: Secret?, _ hint: String) -> ExpressionSyntax {
    // What was typed may have been declared for this origin, too.
    let same = context.secrets.filter { other in
      other.isAllowed(at: origin) && !other.isOnlyHidden && other.withExposedText { $0 == text }
    }
    for secret in [secret].compactMap(\.self) + same {
      guard
        let index = context.log.declaration(of: secret.name, before: saved.logIndex ?? context.log.entries.count),
        case .secret = context.log.entries[index].node
      else { continue }
      references.need(name: index)
      return .reference(context.name(atLogIndex: index) ?? secret.name)
    }
    let profile = profiles.profile(for: origin, named: exchangeProfile, asBase: false)
    if let origin = context.values.origin(ofSecret: text, before: number) {
      return .reference(
        secrets.name(ofText: text, hint: hint, profile: profile, from: reference(origin), number: origin.number))
    }
    // What another file has as a text may have been declared for the same profile.
    let index = context.log.secret(for: [profile], before: saved.logIndex ?? context.log.entries.count) { variable in
      secrets.isHeld(text, in: variable)
    }
    if let index, let name = context.name(atLogIndex: index) {
      references.need(name: index)
      return .reference(name)
    }
    let hint = context.isRefused(text) ? "wrong-\(hint)" : hint
    // A text this short cannot be a secret here: hiding it would hide everything.
    if text.utf8.count < 4 { return .environment(secrets.variable(holding: text, hint: hint, profile: profile)) }
    return .reference(secrets.name(ofText: text, hint: hint, profile: profile))
  }

  private static func hint(_ key: String) -> String {
    key.lowercased().hasSuffix("authorization") || key == "curl" || key.contains(" ") ? "token" : key
  }

  private var exchangeProfile: String? {
    let name = saved.exchange.profile
    return name == SessionProfile.anonymous.name ? nil : name
  }

  // MARK: Where it goes

  /// The profile for which something in the file is secret because of this step; nil: there is none.
  package private(set) var profile: String?

  /// The declarations that it refers to have secrets in them.
  package mutating func needProfile() {
    profile = profiles.profile(for: origin, named: exchangeProfile, asBase: false)
  }

  private mutating func rewrite(_ target: inout TargetSyntax) {
    switch target {
    case .word(let word): target = rewritten(word.pieces) ?? target
    case .string(let string):
      let written = string.plainText.flatMap { rewritten([.text($0)]) }
      if let written {
        target = written
      } else if case .text(let first)? = string.pieces.first, first.hasPrefix("/") {
        // It stays a text, which has no room for the name of a profile.
        pathProfile = profiles.profile(for: origin, named: exchangeProfile, asBase: true)
      } else if let (reference, tail) = string.referenceAndTail {
        target = .reference(reference, tail: WordSyntax(tail.flatMap { encoded($0) }))
        useProfile(asBase: false)
      }
    case .reference(let reference, let tail?):
      target = .reference(reference, tail: WordSyntax(tail.pieces.flatMap { encoded($0) }))
      useProfile(asBase: false)
    case .expression(let expression) where expression.mayBeginAsPath:
      pathProfile = profiles.profile(for: origin, named: exchangeProfile, asBase: true)
    case .reference(_, nil), .expression: useProfile(asBase: false)
    }
  }

  /// Keeps the profile with which the request was sent.
  private mutating func useProfile(asBase: Bool) {
    if let name = exchangeProfile { _ = profiles.profile(for: origin, named: name, asBase: asBase) }
  }

  /// nil: it stays as it is written.
  private mutating func rewritten(_ pieces: [WordSyntax.Piece]) -> TargetSyntax? {
    if pieces.count == 1, case .text(let text) = pieces[0], let whole = wholeTarget(text) {
      useProfile(asBase: false)
      return whole
    }
    guard case .text(let first)? = pieces.first else { return nil }
    let (start, rest) = placed(first)
    let word = WordSyntax([.text(start)] + encoded(rest) + pieces.dropFirst().flatMap { encoded($0) })
    let isWord = word.pieces.allSatisfy { piece in
      if case .text(let text) = piece { !text.contains { $0.isWhitespace || "{}".contains($0) } } else { true }
    }
    guard isWord, case .text(let text)? = word.pieces.first, !text.hasPrefix("\"") else { return nil }
    return .word(word)
  }

  /// The reference to a link in a response that leads to this very URL.
  private mutating func wholeTarget(_ text: String) -> TargetSyntax? {
    let sent = saved.sent.url
    for candidate in [text, pathAndQuery(of: sent)] {
      guard let origin = context.values.origin(of: candidate, before: number), !origin.isNumber,
        candidate.contains("/")
      else { continue }
      let answer = context.exchanges[origin.number - 1]
      // Where a redirect leads may be what anybody types, `/login`.
      if answer.response.status.kind == .redirection,
        !pathAndQuery(of: sent).contains(where: { $0.isNumber || $0 == "?" })
      {
        continue
      }
      if URLReference.resolve(candidate, against: answer.request.url) == sent {
        return .reference(references.reference(to: origin.number, origin.path), tail: nil)
      }
    }
    guard let (range, origin) = context.values.firstValue(in: text[...], before: number),
      range.lowerBound == text.startIndex, text[range].contains("://"),
      text[range.upperBound...].first.map({ $0 == "/" || $0 == "?" }) ?? false
    else { return nil }
    let tail = WordSyntax(encoded(String(text[range.upperBound...])))
    return .reference(references.reference(to: origin.number, origin.path), tail: tail)
  }

  private func pathAndQuery(of url: String) -> String {
    url.originEnd.map { String(url[$0...]) } ?? url
  }

  /// The beginning of the target in the file, `api:` or nothing, and the rest: a path.
  private mutating func placed(_ text: String) -> (start: String, rest: String) {
    if let end = text.originEnd {
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

  private mutating func encoded(_ piece: WordSyntax.Piece) -> [WordSyntax.Piece] {
    if case .text(let text) = piece { encoded(text) } else { [piece] }
  }

  /// A path and query in which values from responses are expressions, encoded by their place.
  private mutating func encoded(_ text: String) -> [WordSyntax.Piece] {
    var result: [WordSyntax.Piece] = []
    var rest = text[...]
    var name = ""
    var isQuery = false
    while !rest.isEmpty {
      let token = rest.prefix { !"/?&=#;".contains($0) }
      rest = rest[token.endIndex...]
      let separator = rest.popFirst()
      let isName = isQuery && separator == "="
      result += isName || token.isEmpty ? [.text(String(token))] : pieces(of: token, key: isQuery ? name : nil)
      name = isName ? String(token) : ""
      if let separator { result.append(.text(String(separator))) }
      // A fragment has items like those of a query, if it has any.
      if separator == "?" || separator == "#" { isQuery = true }
    }
    return result
  }

  private mutating func pieces(of token: Substring, key: String?) -> [WordSyntax.Piece] {
    let text = token.percentDecoded
    if key.map(SensitiveName.contains) ?? false || knownSecret(in: text) != nil,
      let pieces = secretPieces(text, key: key ?? "", isHeader: false, isWhole: true),
      pieces.count == 1, case .interpolation(let secret) = pieces[0]
    {
      return [.interpolation(secret, keepsReserved: false)]
    }
    let isFitting = key.map { text.count >= 6 || AnsweredValues.isIdentifying($0.lowercased()) } ?? true
    if isFitting, let origin = context.values.origin(of: text, before: number) {
      let isComponent = PercentEncoding.component.encode(text) == token
      if isComponent || PercentEncoding.reserved.encode(text) == token {
        return [.interpolation(reference(origin), keepsReserved: !isComponent)]
      }
    }
    guard
      let found = context.values.firstValue(
        in: token, before: number, encode: { PercentEncoding.component.encode($0) })
    else { return [.text(String(token))] }
    return pieces(of: token[..<found.range.lowerBound], key: key)
      + [.interpolation(reference(found.origin), keepsReserved: false)]
      + pieces(of: token[found.range.upperBound...], key: key)
  }
}

extension ClauseSyntax {
  /// Whether it already says which status is expected.
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

extension TargetSyntax {
  /// Whether it is a path, which is appended to the base of a profile: `api:/x`, `/x`.
  fileprivate var namesItsProfile: Bool {
    guard case .word(let word) = self, case .text(let text)? = word.pieces.first else { return false }
    return !text.contains("://")
  }
}

extension ClauseSyntax {
  fileprivate var isProfile: Bool { if case .profile = kind { true } else { false } }
}

extension ExpressionSyntax {
  /// Whether a text in it begins like a path: `$page.links.next ?? "/items"`.
  fileprivate var mayBeginAsPath: Bool {
    if case .string(let string) = self, case .text(let first)? = string.pieces.first { return first.hasPrefix("/") }
    var isPath = false
    forEachInside { isPath = isPath || $0.mayBeginAsPath }
    return isPath
  }
}

extension StringSyntax {
  /// `"{$BASE}/orders/58"` as `$BASE` and `/orders/58`; nil: it is something else.
  fileprivate var referenceAndTail: (ReferenceSyntax, tail: [WordSyntax.Piece])? {
    guard case .interpolation(.reference(let reference))? = pieces.first,
      case .text(let text)? = pieces.dropFirst().first,
      text.hasPrefix("/")
    else { return nil }
    var tail: [WordSyntax.Piece] = []
    for piece in pieces.dropFirst() {
      switch piece {
      case .text(let text):
        if text.contains(where: { $0.isWhitespace || "{}\"'".contains($0) }) { return nil }
        tail.append(.text(text))
      case .interpolation(let value): tail.append(.interpolation(value, keepsReserved: true))
      }
    }
    return (reference, tail)
  }
}
