import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  /// Who signs, and the secrets that this was made from.
  ///
  /// - Parameter origins: where a credential may go that is not a declared secret.
  func signer(
    _ name: String, _ expression: ExpressionSyntax, for origins: [OriginPattern]
  ) throws(ProgramError) -> (SigningIdentity, Set<Secret>) {
    if name == OAuthField.scheme { throw failure(.signIn(.outsideProfile), expression.range) }
    guard let signer = Signer(named: name) else { throw failure(.unknownSigner(name), expression.range) }
    var values: [String: Value] = [:]
    for (key, value) in try signerValues(expression) {
      guard signer.members.contains(where: { $0.name == key }) else {
        throw failure(.unknownSignerMember(Quoted(value, key), of: signer), expression.range)
      }
      values[key] = value
    }
    var (texts, secrets): ([String: String], [String: Secret]) = ([:], [:])
    var origin: Set<Secret> = []
    let source = try takeKeys(into: &values, expression.range)
    if source != nil, origins.isEmpty { throw failure(.awsKeys(.outsideProfile), expression.range) }
    for member in signer.members {
      guard let value = values[member.name] else {
        if source == nil, member.isMissing(among: values.keys) {
          throw failure(.signerMember(member.name, of: signer), expression.range)
        }
        continue
      }
      let text = try text(of: value, expression.range)
      switch member.kind {
      case .text, .account: texts[member.name] = text
      case .secret:
        let declared = (origins.isEmpty ? value : value.withoutParts).taint.secrets
        if let known = declared.first(where: { $0.withExposedText { $0 == text } }) {
          secrets[member.name] = known
        } else {
          secrets[member.name] = try secret(text, name: "the \(member.name) of \(name)", for: origins, expression.range)
        }
      }
      origin.take(origins.isEmpty ? value : value.withoutParts)
      if !origins.isEmpty, member.kind == .secret {
        origin.formUnion(value.parts(of: "the \(member.name) of \(name)", whole: value.text, for: origins))
      }
    }
    return (SigningIdentity(signer, texts: texts, secrets: secrets, source: source), origin)
  }

  /// Keys that are not in the script, but where it says they are, stand in for those that would be written.
  ///
  /// - Returns: where to ask for them when a request is sent; nil: they are here.
  private func takeKeys(
    into values: inout [String: Value], _ range: SourceRange
  ) throws(ProgramError) -> AWSKeySource? {
    let places = ["from", "aws-profile"].filter { values[$0] != nil }
    guard let place = places.first else { return nil }
    guard places.count == 1, values["key"] == nil, values["secret"] == nil else {
      throw failure(.awsKeys(.twoPlaces), range)
    }
    func take(_ name: String) throws(ProgramError) -> String? {
      guard let value = values[name] else { return nil }
      return try text(of: value, range)
    }
    let lowering = AWSKeyLowering(
      evaluator: self, region: try take("region") ?? "us-east-1", endpoint: try take("sts-url"), range: range)
    let name = try take(place) ?? ""
    let keys = place == "from" ? try lowering.keys(from: name) : try lowering.keys(ofProfile: name)
    if keys.source == nil {
      values["key"] = .read(.json(.string(keys.key)))
      values["secret"] = .read(.json(.string(keys.secret)))
      values["token"] = keys.token.map { .read(.json(.string($0))) }
    }
    return keys.source
  }

  func signerValues(_ expression: ExpressionSyntax) throws(ProgramError) -> [(String, Value)] {
    guard case .object(let object) = expression else { return try signerMembers(expression) }
    var values: [(String, Value)] = []
    for member in object.members {
      switch member {
      case .field(let key, let expression, _):
        let (name, named) = try text(of: key)
        values.append((name, try evaluate(expression).holding(named)))
      case .spread(let expression): values += try signerMembers(expression)
      }
    }
    return values
  }

  private func signerMembers(_ expression: ExpressionSyntax) throws(ProgramError) -> [(String, Value)] {
    let (json, value) = try json(expression)
    guard case .object(let object) = json else {
      throw failure(.wrongKind(wanted: "an object", actual: value.kind), expression.range)
    }
    return object.members.map { ($0.key, value.with(.json($0.value), $0.key)) }
  }
}

extension ExpressionSyntax {
  /// What is written for the secret members of that signer; nil if the members are not written out.
  func secretMembers(of signer: String) -> [ExpressionSyntax]? {
    guard case .object(let object) = self else { return nil }
    let secrets = Signer(named: signer)?.members.filter { $0.kind == .secret }.map(\.name) ?? []
    return object.members.compactMap { member in
      guard case .field(let key, let value, _) = member, key.plainText.map(secrets.contains) ?? false else {
        return nil
      }
      return value
    }
  }
}

extension Checker {
  /// Checks what the text says about who signs; the rest is checked when it is evaluated.
  mutating func checkSigner(_ name: String, _ values: [ExpressionSyntax], _ range: SourceRange) {
    if name == OAuthField.scheme { return checkSignIn(values, range) }
    guard let signer = Signer(named: name) else { return report(.unknownSigner(name), range) }
    guard values.count == 1 else { return report(.signerNeedsObject(signer), range) }
    guard case .object(let object) = values[0] else { return expect(.object, values[0]) }
    var given: [String] = []
    var isWhole = true
    for member in object.members {
      guard case .field(let key, let value, _) = member, let name = key.plainText else {
        isWhole = false
        continue
      }
      expectText(value)
      given.append(name)
      if !signer.members.contains(where: { $0.name == name }) {
        report(.unknownSignerMember(name, of: signer), key.range)
      }
    }
    guard isWhole, let missing = signer.members.first(where: { $0.isMissing(among: given) }) else { return }
    report(.missingSignerMember(missing.name, of: signer), range)
  }
}
