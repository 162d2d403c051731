import JSONValue
import RequestSyntax
internal import Requests

/// Whatever a step's own `auth` is given is a secret, wherever it comes from, and belongs to the step's origin. What is
/// declared for other origins, or was made from such, keeps those.
enum OwnCredential {
  /// What the check calls it.
  static let name = "a step's own auth"

  /// nil if the origin is not known, or the text is so short that it would be found in everything.
  static func secret(_ text: String, for origins: [OriginPattern]) -> Secret? {
    guard !origins.isEmpty, text.utf8.count >= Secret.fewestBytes else { return nil }
    return Secret(givenToStep: text, for: origins)
  }

  static func value(_ value: Value, _ text: String, for origins: [OriginPattern]) -> Value {
    guard value.taint.secrets.allSatisfy(\.isGivenToStep), let secret = secret(text, for: origins) else { return value }
    let parts = value.parts(of: "", whole: text, for: origins).compactMap { part in
      part.withExposedText { self.secret($0, for: origins) }
    }
    return value.with(secrets: Set(parts + [secret]))
  }

  /// The value of the header. What both are encoded as is a secret, too: its ends have bits of the password in them, or
  /// of a user that is the secret, which no search for either finds.
  static func basic(
    _ user: (text: String, value: Value), _ password: (text: String, value: Value), for origins: [OriginPattern]
  ) -> Value {
    let credential = BasicCredential(user: user.text, password: password.text)
    let pair = credential.pair
    let header = Value(.string(credential.field))
      .holding(credential.isKey ? value(user.value, user.text, for: origins) : user.value)
      .holding(credential.isKey ? password.value : value(password.value, password.text, for: origins))
    guard pair.utf8.count >= Secret.fewestBytesOfPart else { return header }
    return header.holding(value(Value(.string(pair)), pair, for: origins))
  }
}

extension SessionProfiles {
  /// The origin that a step goes to, as far as its target gives it.
  ///
  /// - Parameter originOf: the origin of a URL, by the parser of whatever will connect.
  func origins(
    of step: StepSyntax, at target: RequestTarget, _ originOf: (String) -> Origin?
  ) -> [OriginPattern] {
    switch target {
    case .url(let url):
      return originOf(url).map { [OriginPattern($0)] } ?? []
    case .path(_, let profile):
      var named = profile
      for case .profile(let name) in step.clauses.map(\.kind) where named == nil { named = name.text }
      guard let name = named ?? current, let base = self[name]?.base else { return [] }
      return [OriginPattern(base.origin)]
    }
  }
}

extension StepSyntax {
  /// Whether it has an `auth` of its own.
  var hasOwnCredential: Bool {
    for clause in clauses {
      if case .auth(.scheme(_, let values)) = clause.kind, !values.isEmpty { return true }
    }
    return false
  }

  /// What its own `auth` is given.
  var ownCredential: [ExpressionSyntax] {
    clauses.flatMap { clause -> [ExpressionSyntax] in
      if case .auth(.scheme(_, let values)) = clause.kind { values } else { [] }
    }
  }

  /// What of that is secret. Of `basic` that is the password; without one it is the user.
  var secretCredential: [ExpressionSyntax] {
    clauses.flatMap { clause -> [ExpressionSyntax] in
      guard case .auth(.scheme(let scheme, let values)) = clause.kind else { return [] }
      switch scheme {
      case .bearer: return values
      case .digest: return values.suffix(1)
      case .basic:
        guard case .string(let password)? = values.last else { return values.suffix(1) }
        let isShort = password.plainText.map { $0.utf8.count < Secret.fewestBytes } ?? false
        return isShort ? values : values.suffix(1)
      case .signer(let name):
        let shown = Signer(named: name)?.members.filter { $0.kind == .text }.map(\.name) ?? []
        guard case .object(let object)? = values.first else { return values }
        return object.members.compactMap { member -> ExpressionSyntax? in
          switch member {
          case .field(let key, let value, _): shown.contains(key.plainText ?? "") ? nil : value
          case .spread(let value): value
          }
        }
      }
    }
  }

  /// What its target is made from.
  var targetExpressions: [ExpressionSyntax] {
    switch target {
    case .word(let word): [.word(word)]
    case .reference(let reference, let tail): [.reference(reference)] + (tail.map { [.word($0)] } ?? [])
    case .expression(let expression): [expression]
    case .string(let string): [.string(string)]
    }
  }
}
