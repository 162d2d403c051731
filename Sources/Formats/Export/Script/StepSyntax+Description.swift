internal import HTTPTypes
internal import JSONValue
package import RequestSyntax
package import Requests

extension StepSyntax {
  /// A request as a step, from its description and not from how it was written.
  package init(_ description: RequestDescription) {
    let head = description.head
    self.init(
      description,
      [
        head.timeout.map { .timeout(.number(NumberSyntax($0))) },
        head.limit.map { .limit(.number(NumberSyntax("\($0)"))) },
        head.retry.map { .retry(RetrySyntax($0)) }, head.redirects.map { .redirects($0 == 0 ? nil : $0) },
        head.stream.map {
          .stream(StreamSyntax(limit: $0.duration.map { .number(NumberSyntax($0)) }))
        },
        head.savesBodyTo.map { .save(.text($0)) },
        head.effect == RequestEffect(of: head.method) ? nil : .effect(head.effect == .once ? .once : .idempotent),
        head.profile.map { .profile(NameSyntax($0)) },
      ].compactMap { $0.map { ClauseSyntax($0) } })
  }

  /// - Parameters:
  ///   - auth: how the step gave its credential, if it was written; else that is a header like any other.
  ///   - clauses: what is said about the request apart from its content.
  package init(_ description: RequestDescription, auth: AuthSyntax? = nil, _ clauses: [ClauseSyntax]) {
    let head = description.head
    let credential = auth.flatMap { ClauseSyntax(auth: $0, of: head) }
    var content = ClauseSyntax(bodyOf: description).map { [$0] } ?? []
    content += head.query.map { .query($0.name, .text($0.value)) }
    for field in head.headers where field.name != .authorization || credential == nil {
      content.append(.header(field.name.rawName, .text(field.value)))
    }
    content += head.omittedHeaders.map { .omittedHeader($0.rawName) }
    if let credential { content.append(credential) }
    if credential == nil, let signer = head.signer {
      content.append(.auth(signer) { $1.withExposedText { .text($0) } })
    }
    if credential == nil, let digest = head.digest {
      content.append(.auth(.digest, .text(digest.user), digest.password.withExposedText { .text($0) }))
    }
    if !head.sendsCredential { content.append(ClauseSyntax(.auth(.none))) }
    self.init(label: head.label, head.method.rawValue, TargetSyntax(head.target), content + clauses)
  }
}

extension TargetSyntax {
  package init(_ target: RequestTarget) {
    switch target {
    case .path(let path, let profile): self.init((profile.map { "\($0):" } ?? "") + path)
    case .url(let url): self.init(url)
    }
  }
}

extension RetrySyntax {
  package init(_ rule: RetryRule) {
    guard rule.attempts > 1 else {
      self = .none
      return
    }
    let isUsual = rule.statuses == RetryRule.transientStatuses
    self = .attempts(rule.attempts, on: isUsual ? [] : StatusSyntax.all(of: rule.statuses))
  }
}

extension StatusSyntax {
  /// Whole classes as such.
  fileprivate static func all(of codes: Set<Int>) -> [StatusSyntax] {
    (1...5).flatMap { digit -> [StatusSyntax] in
      let inClass = codes.filter { $0 / 100 == digit }
      return inClass.count == 100 ? [.statusClass(digit)] : inClass.sorted().map { .code($0) }
    }
  }
}

extension ClauseSyntax {
  /// `auth NAME { … }`
  ///
  /// - Parameter secret: what stands there for the secret of that name.
  package static func auth(
    _ identity: SigningIdentity, secret: (String, Secret) -> ExpressionSyntax
  ) -> ClauseSyntax {
    let members = identity.signer.members.compactMap { member -> ObjectSyntax.Member? in
      let value =
        identity.texts[member.name].map { .text($0) } ?? identity.secrets[member.name].map { secret(member.name, $0) }
      return value.map { .field(member.name, $0) }
    }
    return .auth(.signer(identity.signer.name), .object(ObjectSyntax(members)))
  }
}

extension ClauseSyntax {
  /// The credential that was sent, as the step gave it; nil if that is not what was sent.
  fileprivate init?(auth: AuthSyntax, of head: RequestHead) {
    guard let sent = head.headers[.authorization] else { return nil }
    switch auth {
    case .scheme(.bearer, _), .scheme(.basic, _): self.init(authorization: sent)
    case .none, .scheme(.signer, _), .scheme(.digest, _): return nil
    }
  }

  /// The credential in an `Authorization` header that was sent; nil: its scheme has no clause.
  init?(authorization sent: String) {
    if sent.hasPrefix("Bearer ") {
      self = .auth(.bearer, .text(String(sent.dropFirst(7))))
    } else if sent.hasPrefix("Basic "), let bytes = Base64.decode(String(sent.dropFirst(6))),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    {
      self = .auth(.basic, .text(String(text[..<colon])), .text(String(text[text.index(after: colon)...])))
    } else {
      return nil
    }
  }

  /// nil if there is no body.
  fileprivate init?(bodyOf description: RequestDescription) {
    switch description {
    case .inMemory(let description):
      guard let body = description.body else { return nil }
      if body.contentType == "application/json", let json = JSON(asSent: body.bytes) {
        self.init(.json(ExpressionSyntax(json)))
      } else if let fields = Self.formFields(body) {
        self.init(.form(.object(ObjectSyntax(fields))))
      } else {
        self.init(.body(ExpressionSyntax(bytes: body.bytes), TypedSyntax(type: body.contentType)))
      }
    case .multipart(let description):
      self.init(.multipart(.object(ObjectSyntax(description.parts.map(Self.part)))))
    case .stream(let description):
      self.init(.body(ExpressionSyntax(description.file), TypedSyntax(type: description.contentType)))
    }
  }

  /// A form that was encoded the way the clause `form` does it.
  private static func formFields(_ body: InMemoryRequestDescription.Body) -> [ObjectSyntax.Member]? {
    guard body.contentType == "application/x-www-form-urlencoded", !body.bytes.isEmpty,
      let text = String(validating: body.bytes, as: UTF8.self)
    else { return nil }
    var fields: [ObjectSyntax.Member] = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").percentDecoded
      }
      guard sides.count == 2, sides.map(PercentEncoding.form.encode).joined(separator: "=") == pair else { return nil }
      fields.append(.field(sides[0], .text(sides[1])))
    }
    return fields
  }

  private static func part(_ part: MultipartPart) -> ObjectSyntax.Member {
    switch part.content {
    case .bytes(let bytes):
      let typed = TypedSyntax(type: part.contentType, fileName: part.fileName)
      return .field(part.name, ExpressionSyntax(bytes: bytes), typed)
    case .file(let file):
      let fileName = part.fileName == file.name ? nil : part.fileName
      return .field(part.name, ExpressionSyntax(file), TypedSyntax(type: part.contentType, fileName: fileName))
    }
  }
}

extension ExpressionSyntax {
  /// A text, or an expression that makes the bytes.
  package init(bytes: [UInt8]) {
    let text = String(validating: bytes, as: UTF8.self)
    self = text.map { .text($0) } ?? ExpressionSyntax.text(Base64.encode(bytes)).piped(to: "base64-decode")
  }

  /// `file("path")`, or a slice of it.
  fileprivate init(_ file: FileSlice) {
    let whole = ExpressionSyntax.call("file", .text(file.path))
    let isWhole = file.offset == 0 && file.count == file.identity.size
    let bounds = [file.offset, file.count].map { ExpressionSyntax.number(NumberSyntax("\($0)")) }
    self = isWhole ? whole : whole.piped(to: "slice", bounds[0], bounds[1])
  }
}
