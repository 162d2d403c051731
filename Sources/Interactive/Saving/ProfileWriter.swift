internal import Diagnostics
internal import HTTPTypes
internal import RequestSyntax
internal import Requests

/// Writes a profile of the session for a file: as it was declared, but for literal credentials.
struct ProfileWriter {
  private let name: String
  private let context: SavingContext
  private let session: SessionProfiles
  private(set) var secrets: SavedSecrets
  private(set) var answers: Set<Int> = []
  private(set) var names: Set<Int> = []

  init(_ name: String, _ context: SavingContext, session: SessionProfiles, secrets: SavedSecrets) {
    self.name = name
    self.context = context
    self.session = session
    self.secrets = secrets
  }

  mutating func text() -> String {
    guard let index = context.log.profile(name), case .profile(let node) = context.log.entries[index].node else {
      return session[name].map { declaration(of: $0) } ?? "profile \(name) { }"
    }
    let entry = context.log.entries[index]
    var edits = TextEdits()
    for setting in node.settings {
      switch setting.kind {
      case .clause(let clause): hideLiterals(in: clause, of: entry.source, &edits)
      case .tls(let object):
        for case .field(.name(let key), let value, _) in object.members where key.text == "passphrase" {
          hide(value, hint: key.text, &edits)
        }
      case .base, .origin, .proxy, .http, .unixSocket, .cookies, .resolve: break
      }
    }
    var references = ReferenceRewriter(
      context, source: entry.source, number: context.exchanges.count + 1, logIndex: context.log.entries.count,
      directory: entry.directory)
    for setting in node.settings { setting.forEachExpression { references.visit($0) } }
    answers = references.answers
    names = references.names
    for variable in references.variables { secrets.need(variable: variable) }
    for edit in references.edits.all { edits.replace(edit.range, with: edit.text) }
    return edits.applied(to: entry.source, in: node.range)
  }

  /// Credentials that stand in the text become variables of the environment.
  private mutating func hideLiterals(in clause: ClauseSyntax, of source: SourceText, _ edits: inout TextEdits) {
    switch clause.kind {
    case .auth(.scheme(let scheme, let values)):
      if let last = values.last { hide(last, hint: scheme == .basic ? "password" : "token", &edits) }
    case .header(.field(let name, let value)), .query(.field(let name, let value)):
      if SensitiveName.contains(name.text) { hide(value, hint: name.text, &edits) }
    case .header(.object(let object)), .query(.object(let object)):
      for case .field(let key, let value, _) in object.members {
        let name = source[key.range].filter { $0 != "\"" }
        if SensitiveName.contains(name) { hide(value, hint: name, &edits) }
      }
    default: break
    }
  }

  private mutating func hide(_ value: ExpressionSyntax, hint: String, _ edits: inout TextEdits) {
    let text: String? =
      switch value {
      case .string(let string): string.plainText
      case .word(let word): word.plainText
      default: nil
      }
    guard let text else { return }
    edits.replace(value.range, with: "$env.\(secrets.variable(holding: text, hint: hint, profile: name))")
  }

  /// A profile that another file declared, by what it came to.
  private mutating func declaration(of profile: SessionProfile) -> String {
    var lines = profile.base.map { ["base \($0)"] } ?? []
    lines += profile.otherOrigins.map { "origin \($0)" }
    switch profile.credential {
    case nil: break
    case .bearer(let secret)?: lines.append("auth bearer $env.\(variable(secret, "token"))")
    case .basic(let user, let secret)?:
      lines.append("auth basic \(StatementText.literal(user)), $env.\(variable(secret, "password"))")
    case .header(let field, let secret)?:
      lines.append("header \(field.rawName): $env.\(variable(secret, field.rawName))")
    case .query(let name, let secret)?:
      lines.append("query \(name): $env.\(variable(secret, name))")
    case .sigv4(let identity)?:
      lines.append("auth sigv4 { \(members(of: identity)) }")
    }
    for field in profile.headers {
      let isSecret = profile.otherSecrets.first { $0.withExposedText { field.value.contains($0) } } != nil
      let value =
        isSecret
        ? "$env.\(secrets.variable(holding: field.value, hint: field.name.rawName, profile: name))"
        : StatementText.literal(field.value)
      lines.append("header \(field.name.rawName): \(value)")
    }
    return "profile \(name) {\n\(lines.map { "  \($0)\n" }.joined())}"
  }

  private mutating func members(of identity: SigV4Identity) -> String {
    var members = [
      "key: \(StatementText.literal(identity.accessKey))", "secret: $env.\(variable(identity.secretKey, "secret-key"))",
      "region: \(StatementText.literal(identity.region))", "service: \(StatementText.literal(identity.service))",
    ]
    if let token = identity.sessionToken { members.append("token: $env.\(variable(token, "session-token"))") }
    return members.joined(separator: ", ")
  }

  private mutating func variable(_ secret: Secret, _ hint: String) -> String {
    secret.withExposedText { secrets.variable(holding: $0, hint: hint, profile: name) }
  }
}
