import RequestSyntax
package import Requests

/// Whatever a step's own `auth` is given is a secret, wherever it comes from, and belongs to the step's origin. What is
/// declared for other origins, or was made from such, keeps those.
enum OwnCredential {
  /// No name in a script has a space in it.
  private static let name = "auth of a step"
  /// The name of a text that was made from it.
  fileprivate static let madeName = Secret("", madeOf: [Secret("", name: name, for: [])]).name

  /// nil if the origin is not known, or the text is so short that it would be found in everything.
  static func secret(_ text: String, for origins: [OriginPattern]) -> Secret? {
    guard !origins.isEmpty, text.utf8.count >= Secret.fewestBytes else { return nil }
    return Secret(text, madeOf: [Secret(text, name: name, for: origins)])
  }

  static func value(_ value: Value, _ text: String, for origins: [OriginPattern]) -> Value {
    guard value.taint.secrets.allSatisfy(\.isGivenToStep), let secret = secret(text, for: origins) else { return value }
    return value.with(secrets: [secret])
  }
}

extension Secret {
  /// Whether it was given to a step's own `auth`, and is not declared anywhere.
  package var isGivenToStep: Bool {
    isMade && name == OwnCredential.madeName
  }
}

extension SessionProfiles {
  /// The origin that a step goes to, as far as its text gives it.
  func origins(of step: StepSyntax, at target: RequestTarget) -> [OriginPattern] {
    switch target {
    case .url(let url):
      return (try? Origin(ProgramRequestSequence.originText(of: url))).map { [OriginPattern($0)] } ?? []
    case .path(_, let profile):
      var named = profile
      for case .profile(let name) in step.clauses.map(\.kind) where named == nil { named = name.text }
      guard let name = named ?? current, let base = self[name]?.base else { return [] }
      return [OriginPattern(base.origin)]
    }
  }
}
