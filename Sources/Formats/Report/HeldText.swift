internal import Requests
package import Sessions

/// A text that arrives in pieces and is to be shown at once: the beginning of a secret, or of a character, at the end of
/// a piece waits for the next one.
package struct HeldText: Sendable {
  private var held: [UInt8] = []

  package init() {}

  /// What can be shown now, without the secrets.
  package mutating func take(_ piece: [UInt8], hiding secrets: KnownSecrets) -> String {
    held += piece
    let end = min(secrets.openEnd(of: held), CutText.wholeCharacters(held))
    defer { held.removeFirst(end) }
    return secrets.redact(String(decoding: held[..<end], as: UTF8.self))
  }

  /// The rest.
  package mutating func finish(hiding secrets: KnownSecrets) -> String {
    defer { held = [] }
    return secrets.redact(String(decoding: held, as: UTF8.self))
  }
}
