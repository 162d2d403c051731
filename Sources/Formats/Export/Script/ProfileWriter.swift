internal import HTTPTypes
package import Imports
package import RequestSyntax
package import Requests

/// Writes a profile of the session for a file: as it was declared, except for literal credentials.
package struct ProfileWriter {
  private let name: String
  private let context: SavingContext
  private let session: SessionProfiles
  /// Whether steps were sent with cookies that it kept, whatever it says by now.
  private let keepsCookies: Bool
  package private(set) var secrets: SavedSecrets
  package private(set) var answers: Set<Int> = []
  private(set) var names: Set<Int> = []
  private(set) var rounds: [SavedRounds.Key: SavedRounds] = [:]

  package init(
    _ name: String, _ context: SavingContext, session: SessionProfiles, secrets: SavedSecrets,
    keepsCookies: Bool = false
  ) {
    self.name = name
    self.keepsCookies = keepsCookies
    self.context = context
    self.session = session
    self.secrets = secrets
  }

  package mutating func script() -> ScriptSyntax {
    guard let (declared, entry) = context.log.profile(name) else {
      var node = ProfileSyntax(name, session[name].map { settings(of: $0) } ?? [])
      keepCookies(in: &node)
      return ScriptSyntax([.profile(node)])
    }
    var node = declared
    var references = ReferenceRewriter(
      context, number: context.exchanges.count + 1, logIndex: context.log.entries.count, directory: entry.directory)
    for index in node.settings.indices {
      node.settings[index].rewriteEach { references.rewrite(&$0) }
      hideLiterals(in: &node.settings[index])
    }
    keepCookies(in: &node)
    answers = references.answers
    names = references.names
    rounds = references.rounds
    for variable in references.variables { secrets.need(variable: variable) }
    return ScriptSyntax([.profile(node)], comments: entry.comments.map(\.withoutSecrets))
  }

  /// What was declared last may say nothing of cookies with which earlier steps were sent.
  private func keepCookies(in node: inout ProfileSyntax) {
    let kept = SettingSyntax.Kind.cookies(isOn: true)
    guard keepsCookies || session[name]?.network.keepsCookies ?? false,
      !node.settings.contains(where: { $0.kind == kept })
    else { return }
    node.settings.removeAll { if case .cookies = $0.kind { true } else { false } }
    node.settings += ProfileSyntax(name, [kept]).settings
  }

  /// Literal credentials in the text become environment variables.
  private mutating func hideLiterals(in setting: inout SettingSyntax) {
    switch setting.kind {
    case .clause(var clause):
      hideLiterals(in: &clause)
      let literals = LiteralSecrets(.profile(ProfileSyntax(name, [.clause(clause)])))
      clause.rewriteEach { literals.rewrite(&$0) { variable(holding: $0, hint: $1) } }
      setting.kind = .clause(clause)
    case .tls(var object):
      hide(&object) { $0 == "passphrase" }
      setting.kind = .tls(object)
    case .base, .origin, .proxy, .http, .unixSocket, .cookies, .resolve: break
    }
  }

  private mutating func hideLiterals(in clause: inout ClauseSyntax) {
    switch clause.kind {
    case .auth(.scheme(let scheme, var values)):
      if let last = values.indices.last {
        hide(&values[last], hint: scheme == .basic || scheme == .digest ? "password" : "token")
      }
      clause.kind = .auth(.scheme(scheme, values))
    case .header(let fields): clause.kind = .header(hiding(fields))
    case .query(let fields): clause.kind = .query(hiding(fields))
    default: break
    }
  }

  private mutating func hiding(_ fields: FieldsSyntax) -> FieldsSyntax {
    switch fields {
    case .field(let name, var value):
      if SensitiveName.contains(name.text) { hide(&value, hint: name.text) }
      return .field(name, value)
    case .omitted: return fields
    case .object(var object):
      hide(&object, where: SensitiveName.contains)
      return .object(object)
    }
  }

  private mutating func hide(_ object: inout ObjectSyntax, where isSecret: (String) -> Bool) {
    for (index, member) in object.members.enumerated() {
      guard case .field(let key, var value, let typed) = member, let name = key.plainText, isSecret(name) else {
        continue
      }
      hide(&value, hint: name)
      object.members[index] = .field(key: key, value: value, typed)
    }
  }

  private mutating func hide(_ value: inout ExpressionSyntax, hint: String) {
    guard let text = value.plainText else { return }
    value = variable(holding: text, hint: hint)
  }

  private mutating func variable(holding text: String, hint: String) -> ExpressionSyntax {
    .environment(secrets.variable(holding: text, hint: hint, profile: name))
  }

  /// A profile that another file declared, by its resulting values.
  private mutating func settings(of profile: SessionProfile) -> [SettingSyntax.Kind] {
    var settings: [SettingSyntax.Kind] = profile.base.map { [.base(.value("\($0)"))] } ?? []
    settings += profile.otherOrigins.map { .origin(.value("\($0)")) }
    var clauses: [ClauseSyntax] = []
    switch profile.credential {
    case nil: break
    case .bearer(let secret)?: clauses.append(.auth(.bearer, variable(secret, "token")))
    case .basic(let user, let secret)?: clauses.append(.auth(.basic, .text(user), variable(secret, "password")))
    case .header(let field, let secret)?: clauses.append(.header(field.rawName, variable(secret, field.rawName)))
    case .query(let name, let secret)?: clauses.append(.query(name, variable(secret, name)))
    case .digest(let identity)?:
      clauses.append(.auth(.digest, .text(identity.user), variable(identity.password, "password")))
    case .oauth(let settings)?: clauses.append(.auth(settings) { variable($1, $0) })
    case .signed(let identity)?: clauses.append(.auth(identity) { variable($1, $0) })
    }
    for field in profile.headers {
      let isSecret = profile.otherSecrets.contains { $0.withExposedText { field.value.contains($0) } }
      let name = field.name.rawName
      clauses.append(
        .header(
          name,
          isSecret
            ? .environment(secrets.variable(holding: field.value, hint: name, profile: self.name))
            : .text(field.value)))
    }
    clauses += profile.omittedHeaders.map { .omittedHeader($0.rawName) }
    return settings + clauses.map { .clause($0) }
  }

  private mutating func variable(_ secret: Secret, _ hint: String) -> ExpressionSyntax {
    .environment(secret.withExposedText { secrets.variable(holding: $0, hint: hint, profile: name) })
  }
}
