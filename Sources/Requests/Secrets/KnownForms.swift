internal import Synchronization

/// The forms of a secret, once somebody has asked for them: it is looked for again and again, and making them takes
/// longer than looking for them.
final class KnownForms: Hashable, Sendable {
  private let forms = Mutex<SecretForms.All?>(nil)

  func value(_ make: () -> SecretForms.All) -> SecretForms.All {
    forms.withLock { forms in
      if let forms { return forms }
      let made = make()
      forms = made
      return made
    }
  }

  /// They follow from the secret.
  static func == (_: KnownForms, _: KnownForms) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
