import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// The members of `auth sigv4 { … }`.
enum SignerMember: String, CaseIterable {
  case key, secret, token, region, service

  /// Only temporary credentials have a token.
  static let needed: [SignerMember] = [.key, .secret, .region, .service]
}

extension Evaluator {
  /// Who signs, and the secrets that this was made from.
  ///
  /// - Parameter origins: where a credential may go that is not a declared secret.
  func signer(
    _ expression: ExpressionSyntax, for origins: [OriginPattern]
  ) throws(ProgramError) -> (SigV4Identity, Set<Secret>) {
    var values: [SignerMember: Value] = [:]
    for (key, value) in try signerValues(expression) {
      guard let member = SignerMember(rawValue: key) else {
        throw failure(.unknownSignerMember(Quoted(value, key)), expression.range)
      }
      values[member] = value
    }
    func text(_ member: SignerMember) throws(ProgramError) -> String {
      guard let value = values[member] else { throw failure(.signerMember(member.rawValue), expression.range) }
      return try self.text(of: value, expression.range)
    }
    func secret(_ member: SignerMember) throws(ProgramError) -> Secret {
      let text = try text(member)
      let declared = (origins.isEmpty ? values[member] : values[member]?.withoutParts)?.taint.secrets ?? []
      if let known = declared.first(where: { $0.withExposedText { $0 == text } }) { return known }
      return try self.secret(text, name: "the \(member.rawValue) of sigv4", for: origins, expression.range)
    }
    let identity = SigV4Identity(
      accessKey: try text(.key), secretKey: try secret(.secret),
      sessionToken: values[.token] == nil ? nil : try secret(.token), region: try text(.region),
      service: try text(.service))
    var secrets: Set<Secret> = []
    for member in SignerMember.allCases {
      guard let value = values[member] else { continue }
      secrets.take(origins.isEmpty ? value : value.withoutParts)
      guard !origins.isEmpty, member == .secret || member == .token else { continue }
      secrets.formUnion(value.parts(of: "the \(member.rawValue) of sigv4", whole: value.text, for: origins))
    }
    return (identity, secrets)
  }

  private func signerValues(_ expression: ExpressionSyntax) throws(ProgramError) -> [(String, Value)] {
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

extension Checker {
  /// What the text shows of who signs; the rest is known when it is evaluated.
  mutating func checkSigner(_ values: [ExpressionSyntax], _ range: SourceRange) {
    guard values.count == 1 else { return report(.sigv4NeedsObject, range) }
    guard case .object(let object) = values[0] else { return expect(.object, values[0]) }
    var given: Set<SignerMember> = []
    var isWhole = true
    for member in object.members {
      switch member {
      case .field(let key, let value, _):
        if let name = key.plainText { checkSigner(name, value, key.range, &given) } else { isWhole = false }
      case .spread: isWhole = false
      }
    }
    guard isWhole else { return }
    for member in SignerMember.needed where !given.contains(member) {
      return report(.missingSignerMember(member.rawValue), range)
    }
  }

  private mutating func checkSigner(
    _ name: String, _ value: ExpressionSyntax, _ range: SourceRange, _ given: inout Set<SignerMember>
  ) {
    expectText(value)
    guard let member = SignerMember(rawValue: name) else { return report(.unknownSignerMember(name), range) }
    given.insert(member)
  }
}
