import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

/// A profile's settings, first those that determine its origins, then those that may contain its secrets.
struct ProfileLowering {
  let syntax: ProfileSyntax
  let evaluator: Evaluator
  /// Texts from the command line, where no secret is written: in a header or the query they are like the script's own.
  var settings: Set<String> = []

  /// The base and the origins; they contain no secrets.
  func origins() throws(ProgramError) -> (base: BaseURL?, others: [OriginPattern]) {
    var base: BaseURL?
    var others: [OriginPattern] = []
    for setting in syntax.settings {
      switch setting.kind {
      case .base(let expression):
        let text = try plainText(expression, of: "a base")
        do throws(OriginError) {
          base = try BaseURL(text)
        } catch {
          throw evaluator.failure(.invalidOrigin(Quoted(written: text), error), expression.range)
        }
      case .origin(let expression):
        let text = try plainText(expression, of: "an origin")
        do throws(OriginError) {
          others.append(try OriginPattern(text))
        } catch {
          throw evaluator.failure(.invalidOrigin(Quoted(written: text), error), expression.range)
        }
      default: continue
      }
    }
    return (base, others)
  }

  /// A text that names a location, so that everybody can read it.
  func plainText(_ expression: ExpressionSyntax, of what: String) throws(ProgramError) -> String {
    let (text, value) = try evaluator.text(expression)
    guard value.taint.isEmpty else { throw evaluator.failure(.secretMisplaced(what), expression.range) }
    return text
  }

  /// The whole profile. The evaluator knows which environment variables are whose secrets.
  ///
  /// - Parameter withCredential: false for the profile as a step with an `auth` of its own sees it.
  func profile(withCredential: Bool = true) throws(ProgramError) -> SessionProfile {
    let (base, others) = try origins()
    var profile = SessionProfile(name: syntax.name.text, base: base, otherOrigins: others)
    for setting in syntax.settings {
      if case .clause(let clause) = setting.kind {
        if case .auth = clause.kind, !withCredential { continue }
        try apply(clause, to: &profile)
      }
      try applyNetwork(setting, to: &profile)
    }
    let authorities = profile.network.tls.authorities
    profile.network.proxy?.authorities = authorities
    return profile
  }

  private func apply(_ clause: ClauseSyntax, to profile: inout SessionProfile) throws(ProgramError) {
    switch clause.kind {
    case .header(let fields):
      profile.omittedHeaders += try evaluator.omittedNames(fields)
      for field in try evaluator.fields(fields, areHeaders: true) {
        profile.headers.append(try evaluator.header(field))
        profile.takeWhole(field.value, of: field.name, without: settings)
      }
    case .query(let fields):
      for field in try evaluator.fields(fields) {
        let text = try evaluator.text(of: field.value, field.range)
        profile.query.append(QueryItem(name: field.name, value: text))
        profile.takeWhole(field.value, of: field.name, without: settings)
      }
    case .auth(.none): profile.credential = nil
    case .auth(.scheme(let scheme, let values)): try authorize(&profile, scheme, values, clause.range)
    case .timeout(let expression): profile.timeout = try evaluator.timeLimit(expression)
    case .limit(let expression): profile.limits.bodyBytes = try evaluator.size(expression)
    case .retry(let retry): profile.retry = retry.rule
    case .redirects(let count): profile.redirects = count ?? 0
    default: break
    }
  }

  private func authorize(
    _ profile: inout SessionProfile, _ scheme: AuthSyntax.Scheme, _ values: [ExpressionSyntax], _ range: SourceRange
  ) throws(ProgramError) {
    switch scheme {
    case .bearer:
      profile.credential = .bearer(try secret(evaluator.token(values[0]), &profile, values[0].range))
    case .basic:
      guard values.count == 2 else {
        throw evaluator.failure(.arguments(function: "auth basic", wanted: "a user and a password"), range)
      }
      let (user, value) = try evaluator.user(values[0])
      let password = try evaluator.text(values[1])
      profile.takeWhole(value, of: "user")
      let credential = BasicCredential(user: user, password: password.text)
      profile.credential =
        if credential.isKey, let header = try key(credential, &profile, values[0].range) {
          .header(.authorization, header)
        } else {
          .basic(user: user, password: try secret(password, &profile, values[1].range))
        }
      if !credential.isKey, credential.pair.utf8.count >= Secret.fewestBytesOfPart {
        profile.otherSecrets.append(
          Secret(credential.pair, name: "\(profile.name)'s user and password", for: profile.origins))
      }
    case .digest:
      guard values.count == 2 else {
        throw evaluator.failure(.arguments(function: "auth digest", wanted: "a user and a password"), range)
      }
      let (user, value) = try evaluator.user(values[0])
      profile.takeWhole(value, of: "user")
      let password = try secret(evaluator.text(values[1]), &profile, values[1].range)
      profile.credential = .digest(DigestIdentity(user: user, password: password))
    case .signer(OAuthField.scheme):
      let settings = try SignInLowering(values[0], profile: profile.name, evaluator).settings()
      profile.credential = .oauth(settings)
    case .signer(let name):
      let (identity, secrets) = try evaluator.signer(name, values[0], for: profile.origins)
      profile.credential = .signed(identity)
      profile.otherSecrets += secrets
    }
  }

  /// The header that a user which is the secret is encoded in; nil: there is none either, or a password that is refused
  /// because it is too short.
  private func key(
    _ credential: BasicCredential, _ profile: inout SessionProfile, _ range: SourceRange
  ) throws(ProgramError) -> Secret? {
    if credential.user.isEmpty || !credential.password.isEmpty { return nil }
    profile.otherSecrets.append(
      try evaluator.secret(credential.user, name: "\(profile.name)'s credential", for: profile.origins, range))
    return Secret(credential.field, name: "\(profile.name)'s authorization", for: profile.origins)
  }

  /// A value used as a credential is a secret of this profile, wherever it comes from. Secrets of other profiles in it
  /// keep their own origins.
  private func secret(
    _ credential: (text: String, value: Value), _ profile: inout SessionProfile, _ range: SourceRange
  ) throws(ProgramError) -> Secret {
    let (text, value) = credential
    let declared = value.withoutParts.taint.secrets
    if declared.count == 1, let secret = declared.first, secret.withExposedText({ $0 == text }) {
      profile.otherSecrets.append(secret)
      return secret
    }
    profile.takeWhole(value, of: "credential", as: text)
    return try evaluator.secret(text, name: "\(profile.name)'s credential", for: profile.origins, range)
  }
}

extension SessionProfile {
  /// Takes over what is secret in a value that is sent to the profile's origins, and everything that went into it.
  ///
  /// - Parameters:
  ///   - whole: the text, if it is a secret itself.
  ///   - open: texts that are no secrets.
  fileprivate mutating func takeWhole(
    _ value: Value, of what: String, as whole: String? = nil, without open: Set<String> = []
  ) {
    self.otherSecrets.take(value.withoutParts)
    let count = self.otherSecrets.count(where: \.isPart)
    let parts = value.parts(of: "\(self.name)'s \(what)", whole: whole, for: origins, from: count + 1)
    self.otherSecrets += parts.filter { !$0.withExposedText(open.contains) }
  }
}

extension ProfileSyntax {
  /// The environment variables in settings that are sent to the profile's origins.
  var environmentNames: [String] {
    var names: [String] = []
    for setting in settings {
      switch setting.kind {
      case .clause(let clause) where clause.signIn != nil: continue
      case .clause, .proxy: break
      case .base, .origin, .http, .unixSocket, .cookies, .tls, .resolve: continue
      }
      setting.forEachReference { reference in
        if reference.root.text == "env", case .name(let name)? = reference.segments.first?.kind { names.append(name) }
      }
    }
    return names
  }

  /// What is sent to the profile's origins, with the words for it.
  var sentValues: [(String, ExpressionSyntax)] {
    settings.flatMap { setting -> [(String, ExpressionSyntax)] in
      guard case .clause(let clause) = setting.kind else { return [] }
      switch clause.kind {
      case .header(.field(let name, let value)), .query(.field(let name, let value)): return [(name.text, value)]
      case .header(.object(let object)): return [("headers", .object(object))]
      case .query(.object(let object)): return [("query", .object(object))]
      // It is sent to the endpoints.
      case .auth(.scheme(.signer(OAuthField.scheme), _)): return []
      case .auth(.scheme(.signer(let signer), let values)):
        return values.flatMap { $0.secretMembers(of: signer) ?? [$0] }.map { ("credential", $0) }
      case .auth(.scheme(_, let values)): return values.map { ("credential", $0) }
      default: return []
      }
    }
  }

  /// The environment variables that a passphrase is made from: they are sent nowhere.
  var passphraseNames: [String] {
    var names: [String] = []
    for case .tls(let object) in settings.map(\.kind) {
      for case .field(.name(let key), let value, _) in object.members where key.text == "passphrase" {
        value.forEachReference { reference in
          if reference.root.text == "env", case .name(let name)? = reference.segments.first?.kind { names.append(name) }
        }
      }
    }
    return names
  }

  /// The names that the settings read.
  var referencedNames: [String] { names(inSettingsWhere: { _ in true }) }

  /// The names that a step with an `auth` of its own also needs.
  var namesWithoutCredential: [String] {
    names { setting in
      if case .clause(let clause) = setting.kind, case .auth = clause.kind { false } else { true }
    }
  }

  private func names(inSettingsWhere isWanted: (SettingSyntax) -> Bool) -> [String] {
    var names: [String] = []
    for setting in settings where isWanted(setting) {
      setting.forEachReference { names.append($0.root.text) }
    }
    return names
  }
}
