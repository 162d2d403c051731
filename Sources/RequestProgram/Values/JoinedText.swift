import JSONValue
import Requests

/// A text that is put together from literal pieces and from values.
struct JoinedText {
  private(set) var text = ""
  /// Those with something secret in them, and their places in the text.
  private var parts: [(value: Value, text: String, range: Range<Int>)] = []

  var isEmpty: Bool { text.isEmpty }
  /// In bytes.
  var count: Int { text.utf8.count }

  mutating func append(_ literal: String) { text += literal }

  /// - Parameter part: what is written for the value.
  mutating func append(_ part: String, of value: Value) {
    let start = count
    text += part
    if value.taint.secrets.contains(where: \.isShortWord) { parts.append((value, part, start..<count)) }
  }

  /// What makes a word longer that was a secret makes it another word, which no search for the secret finds: `x{$pin}`.
  /// It becomes a secret, too.
  ///
  /// - Parameter value: holds all that the text was put together from.
  func marking(_ value: Value) -> Value {
    guard !parts.isEmpty else { return value }
    let bytes = Array(text.utf8)
    return parts.reduce(value) { value, part in
      let range = ShortWord.word(around: part.range, of: bytes)
      guard range != part.range else { return value }
      let word = String(decoding: bytes[range], as: UTF8.self)
      let search = SecretSearch(part.value.taint.secrets)
      if search.found(in: word).isSuperset(of: search.found(in: part.text)) { return value }
      return value.holding(Value(.string(word)).carrying(part.value))
    }
  }
}
