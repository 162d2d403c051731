import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  /// The request that a step describes at this point.
  ///
  /// - Parameters:
  ///   - name: what sentences call the step; nil: it has none.
  ///   - delay: how long to wait before it is sent.
  func request(
    _ step: StepSyntax, named name: String?, profiles: SessionProfiles, delay: Duration
  ) throws(ProgramError) -> RequestDescription {
    guard let method = HTTPRequest.Method(step.method.text) else {
      throw failure(.invalidURL(Quoted(written: step.method.text)), step.method.range)
    }
    let step = step.withoutItems
    let target = try target(step.target, profiles: profiles)
    var head = RequestHead(method, target.target) {
      $0.label = step.label?.text
      $0.place = TextPlace(source: source.name, range: step.range.lowerBound..<step.range.upperBound)
      $0.delay = delay
      $0.secrets = target.secrets
    }
    var body: Body?
    for clause in step.clauses {
      if let content = try self.body(clause, &head) {
        if body != nil { throw failure(.duplicateBody, clause.keyword.range) }
        body = content
      } else {
        try apply(clause, to: &head) { owner(of: step, at: target.target, named: name, profiles) }
      }
    }
    // A key that came out empty is none.
    if head.effect == .once, head.headers[.idempotencyKey]?.isEmpty == false { head.effect = .idempotent }
    for case .effect(let effect) in step.clauses.map(\.kind) { head.effect = effect == .once ? .once : .idempotent }
    switch body {
    case nil: return .inMemory(InMemoryRequestDescription(head))
    case .bytes(let bytes, let type)?:
      return .inMemory(InMemoryRequestDescription(head, body: .init(bytes, contentType: type)))
    case .multipart(let parts)?: return .multipart(MultipartRequestDescription(head, parts: parts))
    case .file(let file, let type)?: return .stream(StreamRequestDescription(head, file: file, contentType: type))
    }
  }

  private enum Body {
    case bytes([UInt8], type: String?)
    case multipart([MultipartPart])
    case file(FileSlice, type: String?)
  }

  /// The body that a clause makes; nil if it is not a body clause.
  private func body(_ clause: ClauseSyntax, _ head: inout RequestHead) throws(ProgramError) -> Body? {
    switch clause.kind {
    case .json(let expression):
      let (json, value) = try json(expression)
      head.secrets.take(value)
      return .bytes(JSONPrinter.compact.print(json), type: "application/json")
    case .text(let expression):
      let (text, value) = try text(expression)
      head.secrets.take(value)
      return .bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
    case .form(let expression):
      return .bytes(try form(expression, &head.secrets), type: "application/x-www-form-urlencoded")
    case .multipart(let expression):
      return .multipart(try parts(expression, &head.secrets))
    case .body(let expression, let typed):
      return try raw(expression, typed, &head.secrets)
    case .graphql(let query, let variables):
      let (text, value) = try text(.string(query))
      head.secrets.take(value)
      var payload: JSONObject = ["query": .string(text)]
      if let variables {
        let (json, value) = try json(variables)
        head.secrets.take(value)
        payload["variables"] = json
      }
      return .bytes(JSONPrinter.compact.print(.object(payload)), type: "application/json")
    case .header, .query, .auth, .expectStatus, .expect, .when, .repetition, .stream, .retry, .timeout, .limit,
      .redirects,
      .save,
      .effect,
      .profile, .wait:
      return nil
    }
  }

  /// - Parameter owner: whose its own credential is.
  private func apply(
    _ clause: ClauseSyntax, to head: inout RequestHead, owner: () -> OwnCredential.Owner
  ) throws(ProgramError) {
    switch clause.kind {
    case .header(let fields):
      head.omittedHeaders += try omittedNames(fields)
      for field in try self.fields(fields, areHeaders: true) {
        let written = try header(field)
        head.headers.append(written)
        let isCredential = AuthenticationScheme.isInHeader(named: field.name)
        head.secrets.take(
          isCredential ? OwnCredential.header(field.value, written.value, of: owner()) : field.value)
      }
    case .query(let fields):
      for field in try self.fields(fields) {
        head.query.append(QueryItem(name: field.name, value: try text(of: field.value, field.range)))
        head.secrets.take(field.value)
      }
    case .auth(.none): head.sendsCredential = false
    case .auth(.scheme(let scheme, let values)): try authorize(&head, scheme, values, clause, owner())
    case .timeout(let expression): head.timeout = try timeLimit(expression)
    case .limit(let expression): head.limit = try size(expression)
    case .stream(let node):
      head.stream = StreamTerms(
        duration: try node.limit.map { limit throws(ProgramError) in try timeLimit(limit) },
        condition: node.condition.map { StreamCondition($0, ofStep: head.label).reading })
    case .retry(let retry): head.retry = retry.rule
    case .redirects(let count): head.redirects = count ?? 0
    case .profile(let name): head.profile = name.text
    case .save(let expression):
      let path = try path(expression)
      head.savesBodyTo = place(path)
      let isBelow = !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
      head.savesBelow = isBelow ? directory : nil
    case .json, .form, .multipart, .text, .body, .graphql, .expectStatus, .expect, .when, .repetition, .effect, .wait:
      break
    }
  }

  /// What the step's own `auth` will be given, as secrets of its origin, as far as that is known now.
  func ownCredential(
    of step: StepSyntax, named name: String?, _ profiles: SessionProfiles
  ) throws(ProgramError) -> Set<Secret> {
    let target = try target(step.target, profiles: profiles).target
    var head = RequestHead(.get, target)
    for clause in step.withoutItems.clauses {
      switch clause.kind {
      case .auth: break
      case .header(.field(let name, _)) where AuthenticationScheme.isInHeader(named: name.text): break
      case .header(.object): break
      default: continue
      }
      try apply(clause, to: &head) { owner(of: step, at: target, named: name, profiles) }
    }
    return head.secrets.filter(\.isGivenToStep)
  }

  /// Whose a credential is that the step is given itself.
  private func owner(
    of step: StepSyntax, at target: RequestTarget, named name: String?, _ profiles: SessionProfiles
  ) -> OwnCredential.Owner {
    OwnCredential.Owner(name: name, origins: profiles.origins(of: step, at: target, environment.origin)) {
      if case .unknown = scope.lookUp($0) { false } else { true }
    }
  }

  // MARK: Headers

  struct Field {
    var name: String
    var value: Value
    var range: SourceRange
  }

  /// The headers that are left out: nothing is after the colon, or the word `null`.
  func omittedNames(_ fields: FieldsSyntax) throws(ProgramError) -> [HTTPField.Name] {
    switch fields {
    case .field: return []
    case .omitted(let name): return [try headerName(name.text, Value(.string(name.text)), name.range)]
    case .object(let object):
      var names: [HTTPField.Name] = []
      for case .field(let key, let expression, _) in object.members where expression.isNull {
        let (name, named) = try text(of: key)
        names.append(try headerName(name, named, expression.range))
      }
      return names
    }
  }

  /// Fields as written; arrays make repeated fields.
  ///
  /// - Parameter areHeaders: whether a member that is written as `null` is left out.
  func fields(_ fields: FieldsSyntax, areHeaders: Bool = false) throws(ProgramError) -> [Field] {
    switch fields {
    case .field(let name, let expression):
      return try repeated(name.text, try evaluate(expression), expression.range)
    case .omitted: return []
    case .object(let object):
      var all: [Field] = []
      for member in object.members {
        switch member {
        case .field(_, let expression, _) where areHeaders && expression.isNull: continue
        case .field(let key, let expression, _):
          let (name, named) = try text(of: key)
          all += try repeated(name, try evaluate(expression), named: named, expression.range)
        case .spread(let expression):
          let (json, value) = try json(expression)
          guard case .object(let more) = json else {
            throw failure(.wrongKind(wanted: "an object", actual: value.kind), expression.range)
          }
          for member in more.members {
            all += try repeated(member.key, value.with(.json(member.value), member.key), expression.range)
          }
        }
      }
      return all
    }
  }

  /// - Parameter named: the value that the name is made from.
  private func repeated(
    _ name: String, _ value: Value, named: Value = Value(.null), _ range: SourceRange
  ) throws(ProgramError) -> [Field] {
    value.oneOrMany.map { element in
      Field(name: name, value: element.holding(named), range: range)
    }
  }

  /// A header field without anything that could end its line. A secret has no place in its name: names are shown and
  /// recorded as they are.
  func header(_ field: Field) throws(ProgramError) -> HTTPField {
    let name = try headerName(field.name, field.value, field.range)
    let text = try text(of: field.value, field.range)
    try checkHeaderValue(text, of: field.name, field.range)
    return HTTPField(name: name, value: text)
  }

  /// - Parameter value: what the name was made from.
  private func headerName(
    _ text: String, _ value: Value, _ range: SourceRange
  ) throws(ProgramError) -> HTTPField.Name {
    guard SecretSearch(value.exposed.secrets).found(in: text).isEmpty else {
      throw failure(.secretMisplaced("the name of a header"), range)
    }
    guard let name = HTTPField.Name(text) else { throw failure(.headerName(Quoted(value, text)), range) }
    return name
  }

  private func checkHeaderValue(_ text: String, of name: String, _ range: SourceRange) throws(ProgramError) {
    let isSafe = text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    guard isSafe else { throw failure(.headerValue(name: Quoted(written: name)), range) }
    let ends = [text.utf8.first, text.utf8.last]
    if ends.contains(0x20) || ends.contains(0x09) {
      throw failure(.headerWhitespace(name: Quoted(written: name)), range)
    }
  }

  /// A token that arrives unchanged.
  func token(_ expression: ExpressionSyntax) throws(ProgramError) -> (String, Value) {
    let (text, value) = try text(expression)
    try checkHeaderValue(text, of: "Authorization", expression.range)
    if text.isEmpty { throw failure(.emptyToken, expression.range) }
    return (text, value)
  }

  /// A user whose name does not become a part of the password (RFC 7617 §2).
  func user(_ expression: ExpressionSyntax) throws(ProgramError) -> (String, Value) {
    let (text, value) = try text(expression)
    if text.utf8.contains(UInt8(ascii: ":")) { throw failure(.colonInUser, expression.range) }
    return (text, value)
  }

  private func authorize(
    _ head: inout RequestHead, _ scheme: AuthSyntax.Scheme, _ values: [ExpressionSyntax], _ clause: ClauseSyntax,
    _ owner: OwnCredential.Owner
  ) throws(ProgramError) {
    let value: Value
    switch scheme {
    case .signer(let name):
      let (identity, secrets) = try signer(name, values[0], for: [])
      head.signer = identity
      var own = Set(identity.secrets.values).subtracting(secrets)
      own.formUnion(secrets.filter(\.isGivenToStep))
      head.secrets.formUnion(secrets.subtracting(own))
      for secret in own {
        if let secret = secret.withExposedText({ OwnCredential.secret($0, of: owner) }) {
          head.secrets.insert(secret)
        }
      }
      return
    case .digest:
      guard values.count == 2 else {
        throw failure(.arguments(function: "auth digest", wanted: "a user and a password"), clause.range)
      }
      let (user, _) = try user(values[0])
      let password = try text(values[1])
      // One that is too short to be a secret is not sent either, only what is made from it.
      head.digest = DigestIdentity(
        user: user,
        password: OwnCredential.secret(password.text, of: owner) ?? Secret(hidden: password.text, name: "password"))
      head.secrets.take(OwnCredential.value(password.value, password.text, of: owner))
      return
    case .bearer:
      let (token, from) = try token(values[0])
      value = Value(.string("Bearer \(token)")).holding(OwnCredential.value(from, token, of: owner))
    case .basic:
      guard values.count == 2 else {
        throw failure(.arguments(function: "auth basic", wanted: "a user and a password"), clause.range)
      }
      value = OwnCredential.basic(try user(values[0]), try text(values[1]), of: owner)
    }
    head.headers[.authorization] = try header(Field(name: "Authorization", value: value, range: clause.range)).value
    head.secrets.take(value)
  }

  // MARK: Bodies

  private func form(_ expression: ExpressionSyntax, _ secrets: inout Set<Secret>) throws(ProgramError) -> [UInt8] {
    var pairs: [String] = []
    for member in try members(expression) {
      secrets.take(member.value)
      for value in member.value.oneOrMany {
        let text = try text(of: value, in: member)
        pairs.append("\(PercentEncoding.form.encode(member.name))=\(PercentEncoding.form.encode(text))")
      }
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  private func parts(_ expression: ExpressionSyntax, _ secrets: inout Set<Secret>) throws(ProgramError)
    -> [MultipartPart]
  {
    var parts: [MultipartPart] = []
    for member in try members(expression) {
      secrets.take(member.value)
      for value in member.value.oneOrMany {
        let content: MultipartPart.Content
        switch value.content {
        case .file(let file), .chunk(let file, _, _): content = .file(file)
        case .bytes(let bytes): content = .bytes(bytes)
        default: content = .bytes(Array(try text(of: value, in: member).utf8))
        }
        let type = try contentType(member.typed, &secrets)
        let name = try fileName(member.typed, &secrets)
        parts.append(MultipartPart(name: member.name, content: content, contentType: type, fileName: name))
      }
    }
    return parts
  }

  private struct Member {
    var name: String
    var value: Value
    var typed: TypedSyntax?
    var range: SourceRange
    /// Whether it is one of an object that was spread, and nobody wrote it.
    var isSpread = false
  }

  /// The text of a member; one that nobody wrote is named if it has none.
  private func text(of value: Value, in member: Member) throws(ProgramError) -> String {
    guard member.isSpread, value.text == nil else { return try text(of: value, member.range) }
    let name = Quoted(member.value, member.name).description
    let spread = source[member.range]
    var found = value.kind
    if case .object? = member.value.json, NameSyntax.isName(name), !spread.contains(where: { " \n()|".contains($0) }) {
      found += "; did you mean ...\(spread).\(name)?"
    }
    throw failure(.wrongKind(wanted: "text, a number, or true or false in \"\(name)\"", actual: found), member.range)
  }

  /// The members of an object in their order; a literal one may hold files.
  private func members(_ expression: ExpressionSyntax) throws(ProgramError) -> [Member] {
    guard case .object(let object) = expression else { return try spread(expression) }
    var members: [Member] = []
    for member in object.members {
      switch member {
      case .field(let key, let expression, let typed):
        let (name, named) = try text(of: key)
        let value = try evaluate(expression).holding(named)
        members.append(Member(name: name, value: value, typed: typed, range: expression.range))
      case .spread(let value): members += try spread(value)
      }
    }
    return members
  }

  private func spread(_ expression: ExpressionSyntax) throws(ProgramError) -> [Member] {
    let value = try evaluate(expression)
    guard case .object(let object)? = value.json else {
      throw failure(.wrongKind(wanted: "an object", actual: value.kind), expression.range)
    }
    return object.members.map {
      Member(
        name: $0.key, value: value.with(.json($0.value), $0.key), typed: nil, range: expression.range, isSpread: true)
    }
  }

  private func raw(
    _ expression: ExpressionSyntax, _ typed: TypedSyntax, _ secrets: inout Set<Secret>
  ) throws(ProgramError) -> Body {
    let value = try evaluate(expression)
    secrets.take(value)
    let type = try contentType(typed, &secrets)
    switch value.content {
    case .file(let file), .chunk(let file, _, _): return .file(file, type: type)
    case .bytes(let bytes): return .bytes(bytes, type: type ?? "application/octet-stream")
    case .json(.string(let text)): return .bytes(Array(text.utf8), type: type ?? "text/plain; charset=utf-8")
    default: throw failure(.wrongKind(wanted: "a file, bytes or text", actual: value.kind), expression.range)
    }
  }

  /// `as`, whose value is in a header and cannot end it.
  private func contentType(_ typed: TypedSyntax?, _ secrets: inout Set<Secret>) throws(ProgramError) -> String? {
    guard let string = typed?.type else { return nil }
    let value = try text(.string(string)).value
    secrets.take(value)
    return try header(Field(name: "Content-Type", value: value, range: string.range)).value
  }

  private func fileName(_ typed: TypedSyntax?, _ secrets: inout Set<Secret>) throws(ProgramError) -> String? {
    guard let string = typed?.fileName else { return nil }
    let (text, value) = try text(.string(string))
    secrets.take(value)
    return text
  }
}

extension HTTPField.Name {
  /// draft-ietf-httpapi-idempotency-key-header.
  static var idempotencyKey: HTTPField.Name {
    HTTPField.Name("Idempotency-Key") ?? .ifMatch
  }
}

extension RetrySyntax {
  /// The rule as the uploader has it.
  var rule: RetryRule {
    switch self {
    case .none: return .none
    case .attempts(let attempts, let statuses):
      if statuses.isEmpty { return RetryRule(attempts: attempts) }
      return RetryRule(
        attempts: attempts, on: Set((100...599).filter { code in statuses.contains { $0.contains(code) } }))
    }
  }
}
