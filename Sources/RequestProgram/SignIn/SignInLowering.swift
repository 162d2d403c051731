import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// `auth oauth { … }` from its values. What is secret in it belongs to the endpoints that are written there, and not to
/// the profile; those that are discovered are added when they are known.
struct SignInLowering {
  let profile: String
  let evaluator: Evaluator
  let values: [String: (value: Value, range: SourceRange)]
  private let range: SourceRange

  init(_ expression: ExpressionSyntax, profile: String, _ evaluator: Evaluator) throws(ProgramError) {
    var values: [String: (value: Value, range: SourceRange)] = [:]
    for (name, value) in try evaluator.signerValues(expression) {
      guard OAuthField(named: name) != nil else {
        throw evaluator.failure(.signIn(.unknownField(name)), expression.range)
      }
      values[name] = (value, expression.range)
    }
    (self.profile, self.evaluator, self.values, range) = (profile, evaluator, values, expression.range)
  }

  func settings() throws(ProgramError) -> OAuthSettings {
    let flow = try text("flow").flatMap(OAuthSettings.Flow.init)
    let given = Set(values.keys)
    for field in OAuthField.all {
      guard case .word = field.kind, let text = try text(field.name) else { continue }
      try made { () throws(SignInSettingError) in try OAuthSettings.word(text, of: field) }
    }
    try made { () throws(SignInSettingError) in try OAuthSettings.check(given, flow: flow) }
    guard let flow, let client = try text("client-id") else {
      throw evaluator.failure(.signIn(.missing("flow")), range)
    }
    var settings = OAuthSettings(flow: flow, issuer: try url("issuer"), clientID: client)
    settings.endpoints = OAuthSettings.Endpoints(
      token: try url("token-url"), authorization: try url("authorization-url"), device: try url("device-url"),
      revocation: try url("revocation-url"))
    let origins = try endpointOrigins()
    settings.scope = try text("scope")
    settings.audience = try text("audience")
    settings.resource = try text("resource")
    settings.user = try text("user")
    if let (value, _) = values["port"] {
      settings.port = try made { () throws(SignInSettingError) in
        guard case .json(.number(let number)) = value.content else { throw .number(field: "port") }
        return try OAuthSettings.port(Int(number.text))
      }
    }
    if let path = try text("redirect-path") {
      settings.redirectPath = try made { () throws(SignInSettingError) in try OAuthSettings.path(path) }
    }
    if let (secret, sources) = try secret("client-secret", for: origins) {
      let place = try text("client-auth").flatMap(OAuthSettings.SecretPlace.init) ?? .basic
      settings.proof = .secret(secret, place)
      settings.secrets += sources
    }
    if values["key"] != nil {
      let (key, sources) = try key()
      settings.proof = .key(key, id: try text("key-id"), try text("algorithm").flatMap(OAuthSettings.Algorithm.init))
      settings.secrets += sources
    }
    try takeParameters(into: &settings, for: origins)
    return settings
  }

  /// The origins of the endpoints that are written there.
  func endpointOrigins() throws(ProgramError) -> [OriginPattern] {
    var origins: [OriginPattern] = []
    for field in OAuthField.all {
      guard case .url = field.kind, let text = try text(field.name) else { continue }
      let origin = try made { () throws(SignInSettingError) in
        OriginPattern(try OAuthSettings.endpoint(text, field: field.name))
      }
      if !origins.contains(origin) { origins.append(origin) }
    }
    return origins
  }

  private func text(_ name: String) throws(ProgramError) -> String? {
    guard let (value, range) = values[name] else { return nil }
    return try evaluator.text(of: value, range)
  }

  private func url(_ name: String) throws(ProgramError) -> String? {
    guard let (value, range) = values[name] else { return nil }
    guard value.taint.isEmpty else { throw evaluator.failure(.secretMisplaced("an address"), range) }
    let text = try evaluator.text(of: value, range)
    _ = try made { () throws(SignInSettingError) in try OAuthSettings.endpoint(text, field: name) }
    return text
  }

  /// A secret of the endpoints, and what it was made from.
  private func secret(
    _ name: String, for origins: [OriginPattern]
  ) throws(ProgramError) -> (Secret, sources: [Secret])? {
    guard let (value, range) = values[name] else { return nil }
    let text = try evaluator.text(of: value, range)
    var sources: [Secret] = []
    sources.take(value.withoutParts)
    if let declared = sources.first(where: { $0.withExposedText { $0 == text } }) { return (declared, sources) }
    sources += value.parts(of: "\(profile)'s \(name)", whole: text, for: origins)
    return (try evaluator.secret(text, name: "\(profile)'s \(name)", for: origins, range), sources)
  }

  /// It goes nowhere: only what it signs does.
  private func key() throws(ProgramError) -> (Secret, sources: [Secret]) {
    guard let (value, range) = values["key"] else { throw evaluator.failure(.signIn(.missing("key")), self.range) }
    var sources: [Secret] = []
    sources.take(value)
    let bytes: [UInt8]
    switch value.content {
    case .file(let file):
      do throws(FileError) {
        bytes = try file.bytes()
      } catch {
        throw evaluator.failure(.file(error), range)
      }
    default: bytes = Array(try evaluator.text(of: value, range).utf8)
    }
    do throws(NetworkSettingError) {
      try PEMContent.privateKey(isOpened: false).check(bytes, path: "")
    } catch {
      if case .lockedKey = error { throw evaluator.failure(.signIn(.lockedKey), range) }
      throw evaluator.failure(.signIn(.notAKey), range)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return (Secret(text, name: "\(profile)'s key", for: []), sources)
  }

  private func takeParameters(into settings: inout OAuthSettings, for origins: [OriginPattern]) throws(ProgramError) {
    guard let (value, range) = values["parameters"] else { return }
    guard case .json(.object(let object)) = value.content else {
      throw evaluator.failure(.signIn(.texts(field: "parameters")), range)
    }
    settings.secrets.take(value)
    for member in object.members {
      let text = try evaluator.text(of: value.with(.json(member.value), member.key), range)
      settings.parameters.append(QueryItem(name: member.key, value: text))
    }
  }

  private func made<Setting>(
    _ make: () throws(SignInSettingError) -> Setting
  ) throws(ProgramError) -> Setting {
    do throws(SignInSettingError) {
      return try make()
    } catch {
      throw evaluator.failure(.signIn(error), range)
    }
  }
}
