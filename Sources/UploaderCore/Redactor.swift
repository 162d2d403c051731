public import Requests

/// Hides known secrets, and the forms they take on the way, in text that people read or that travels.
public struct Redactor: Sendable {
  private var search = ByteSearch()

  public init(_ secrets: some Sequence<Secret>) {
    learn(secrets)
  }

  /// Hides these, too, from now on.
  public mutating func learn(_ secrets: some Sequence<Secret>) {
    for secret in secrets { search.insert(SecretForms.all(of: secret)) }
  }

  /// The text with `••••` where a secret stood. It compares bytes, not characters: an accent
  /// put behind a secret does not make it another.
  public func redact(_ text: String) -> String {
    guard !search.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var redacted: [UInt8] = []
    var start = 0
    while let match = search.firstMatch(in: bytes, from: start) {
      redacted += bytes[start..<match.lowerBound]
      redacted += "••••".utf8
      start = match.upperBound
    }
    guard start > 0 else { return text }
    return String(decoding: redacted + bytes[start...], as: UTF8.self)
  }
}
