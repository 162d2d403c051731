internal import JSONValue

/// A glimpse of a JSON value, on one line.
struct ValuePreview {
  /// How much of a text is looked at for secrets, in characters; far more than is shown.
  private static let examined = 4_096
  /// How many characters are shown.
  private static let shown = 100

  /// Hides the secrets.
  let redact: @Sendable (String) -> String

  func text(of value: JSON) -> String {
    switch value {
    case .object(let object):
      // Any name may be a secret's; what is left out is not looked at.
      let names = object.members.prefix(8).map { redact(String($0.key.prefix(40))) }.joined(separator: ", ")
      return object.members.count > 8 ? "{\(names), … \(object.members.count) members}" : "{\(names)}"
    case .array(let items): return items.count == 1 ? "[1 item]" : "[\(items.count) items]"
    case .string(let string): return "\"\(text(string))\""
    case .number(let number): return text("\(number)")
    case .bool(let bool): return "\(bool)"
    case .null: return "null"
    }
  }

  func text(_ string: String) -> String {
    let safe = redact(String(string.prefix(Self.examined)))
    return safe.count > Self.shown ? "\(safe.prefix(Self.shown))…" : safe
  }
}
