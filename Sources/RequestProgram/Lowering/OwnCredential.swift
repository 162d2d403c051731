import JSONValue
import RequestSyntax
package import Requests

/// Whatever a step's own `auth` is given is a secret, wherever it comes from, and belongs to the step's origin. What is
/// declared for other origins, or was made from such, keeps those.
enum OwnCredential {
  /// No name in a script has a space in it.
  private static let name = "auth of a step"
  /// The name of a text that was made from it.
  fileprivate static let madeName = Secret(givenToStep: "", name: name, for: []).name

  /// nil if the origin is not known, or the text is so short that it would be found in everything.
  static func secret(_ text: String, for origins: [OriginPattern]) -> Secret? {
    guard !origins.isEmpty, text.utf8.count >= Secret.fewestBytes else { return nil }
    return Secret(givenToStep: text, name: name, for: origins)
  }

  static func value(_ value: Value, _ text: String, for origins: [OriginPattern]) -> Value {
    guard value.taint.secrets.allSatisfy(\.isGivenToStep), let secret = secret(text, for: origins) else { return value }
    let parts = value.parts(of: "", whole: text, for: origins).compactMap { part in
      part.withExposedText { self.secret($0, for: origins) }
    }
    return value.with(secrets: Set(parts + [secret]))
  }

  /// The value of the header. If the user is the secret, so is what it is encoded as: that may end with a piece of it
  /// that no search for the user finds.
  static func basic(
    _ user: (text: String, value: Value), _ password: (text: String, value: Value), for origins: [OriginPattern]
  ) -> Value {
    let credential = BasicCredential(user: user.text, password: password.text)
    let pair = credential.pair
    let header = Value(.string(credential.field))
    guard credential.isKey else {
      return header.holding(user.value).holding(value(password.value, password.text, for: origins))
    }
    let shown = header.holding(value(user.value, user.text, for: origins)).holding(password.value)
    guard pair.utf8.count >= Secret.fewestBytesOfPart else { return shown }
    return shown.holding(value(Value(.string(pair)), pair, for: origins))
  }
}

extension Secret {
  /// Whether it was given to a step's own `auth`, and is not declared anywhere.
  package var isGivenToStep: Bool {
    isMade && name == OwnCredential.madeName
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
