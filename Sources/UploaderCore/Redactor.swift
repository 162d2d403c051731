public import Requests

/// Hides known secrets, and the forms they take on the way, in text that people read or that travels.
public struct Redactor: Sendable {
  /// In UTF-8; longest first, so that a form is hidden whole and not only the shorter one inside it.
  private let forms: [[UInt8]]

  public init(_ secrets: some Sequence<Secret>) {
    var forms: Set<String> = []
    for secret in secrets {
      secret.withExposedText { text in
        guard !text.isEmpty else { return }
        forms.formUnion([
          text, PercentEncoding.component.encode(text), PercentEncoding.form.encode(text),
          Base64.encode(Array(text.utf8)),
        ])
      }
    }
    self.forms = forms.map { Array($0.utf8) }.sorted { left, right in
      left.count != right.count ? left.count > right.count : left.lexicographicallyPrecedes(right)
    }
  }

  /// The text with `••••` where a secret stood. It compares bytes, not characters: an accent
  /// put behind a secret does not make it another.
  public func redact(_ text: String) -> String {
    guard !forms.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var redacted: [UInt8] = []
    redacted.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let form = forms.first(where: { bytes[index...].starts(with: $0) }) {
        redacted += "••••".utf8
        index += form.count
      } else {
        redacted.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: redacted, as: UTF8.self)
  }
}
