package import JSONValue
internal import Requests

/// A preview of a value, on one line. Secrets are hidden first; the rest is joined and cut.
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
      // Any name may be a secret; what is left out is not looked at.
      let names = keys.map { String(examined($0).prefix(40)) }.joined(separator: ", ")
      return count > keys.count ? "{\(names), … \(count) members}" : "{\(names)}"
    case .array(let count): return count == 1 ? "[1 item]" : "[\(count) items]"
    case .scalar(.string(let string)): return "\"\(text(string))\""
    case .scalar(let scalar): return text(String(decoding: JSONPrinter.compact.print(scalar), as: UTF8.self))
    }
  }

  package func text(_ string: String) -> String {
    CutText.cut(examined(string), to: Self.shown)
  }

  /// The same with a space in place of white space, line ends included.
  package func line(_ string: String) -> String {
    CutText.cut(examined(string).split(whereSeparator: \.isWhitespace).joined(separator: " "), to: Self.shown)
  }

  /// What is looked at, without secrets: hiding them may shorten it a lot, so it shows where it was cut.
  private func examined(_ string: String) -> String { redact(CutText.cut(string, to: Self.examined)) }
}
