/// Reads an expression character by character. A copy of it is a position to return to.
struct PatternReader {
  private var rest: ArraySlice<Unicode.Scalar>

  init(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
  }

  var peek: Unicode.Scalar? { rest.first }
  var second: Unicode.Scalar? { rest.dropFirst().first }

  mutating func next() -> Unicode.Scalar? { rest.popFirst() }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  mutating func take(text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  /// At most that many characters: as many as are left.
  mutating func take(count: Int) -> String {
    defer { rest = rest.dropFirst(count) }
    return String(String.UnicodeScalarView(rest.prefix(count)))
  }

  /// A number of nine digits at most.
  mutating func number() -> Int? {
    let digits = rest.prefix(9).prefix { ("0"..."9").contains($0) }
    return Int(take(count: digits.count))
  }
}
