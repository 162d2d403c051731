package import JSONValue

/// A glimpse of a JSON value, on one line.
package struct ValuePreview {
  /// How much of a text is looked at for secrets, in characters; far more than is shown.
  private static let examined = 4_096
  /// How many characters are shown.
  private static let shown = 100

  private let redact: @Sendable (String) -> String

  /// - Parameter redact: hides the secrets.
  package init(redact: @escaping @Sendable (String) -> String) {
    self.redact = redact
  }

  package func text(of value: JSONOutline) -> String {
    switch value {
    case .object(let keys, let count):
      // Any name may be a secret's; what is left out is not looked at.
      let names = keys.map { String(redact(String($0.prefix(Self.examined))).prefix(40)) }.joined(separator: ", ")
      return count > keys.count ? "{\(names), … \(count) members}" : "{\(names)}"
    case .array(let count): return count == 1 ? "[1 item]" : "[\(count) items]"
    case .scalar(.string(let string)): return "\"\(text(string))\""
    case .scalar(let scalar): return text(String(decoding: JSONPrinter.compact.print(scalar), as: UTF8.self))
    }
  }

  package func text(_ string: String) -> String {
    let safe = redact(String(string.prefix(Self.examined)))
    return safe.count > Self.shown ? "\(safe.prefix(Self.shown))…" : safe
  }
}
