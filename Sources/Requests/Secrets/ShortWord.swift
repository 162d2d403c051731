/// A secret of a few letters, such as `pass`. What it is part of may be a longer word, `password`, which is not the secret.
package enum ShortWord {
  /// Whether a longer word that contains this text is another word: it is short, and has only letters.
  package static func isOne(_ text: some Collection<UInt8>) -> Bool {
    text.count < Secret.fewestBytesOfLong && hasOnlyLetters(text)
  }

  package static func hasOnlyLetters(_ text: some Collection<UInt8>) -> Bool { text.allSatisfy(isLetter) }

  /// Whether what is there is part of a longer word: a letter is directly before or after it, and is not the end of an
  /// escape that means something else, as in `\npass`.
  package static func isInside(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    if range.upperBound < bytes.count, isLetter(bytes[range.upperBound]) { return true }
    guard range.lowerBound > 0, isLetter(bytes[range.lowerBound - 1]) else { return false }
    let before = bytes[max(0, range.lowerBound - 2 * UnescapedText.longestEscape)..<range.lowerBound]
    guard before.contains(where: Escape.canBegin),
      let text = UnescapedText(Array(before) + bytes[range], reach: range.count)
    else { return true }
    return text.texts.allSatisfy { reading in
      !reading.elementsEqual(bytes[range]) && reading.suffix(range.count).elementsEqual(bytes[range])
        && reading.dropLast(range.count).last.map(isLetter) ?? false
    }
  }

  /// Where a secret is in a text; where it is a part of a longer word, it is not.
  package static func places(of secret: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
    let all = bytes.ranges(of: secret)
    return isOne(secret) ? all.filter { !isInside($0, of: bytes) } : all
  }

  /// The same in a text.
  package static func places(of secret: String, in text: String) -> [Range<String.Index>] {
    guard isOne(secret.utf8) else { return text.ranges(of: secret) }
    return places(of: Array(secret.utf8), in: Array(text.utf8)).map { range in
      text.utf8.index(
        text.startIndex, offsetBy: range.lowerBound)..<text.utf8.index(text.startIndex, offsetBy: range.upperBound)
    }
  }

  /// The word of a text that this part of it belongs to.
  package static func word(around range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    let start = bytes[..<range.lowerBound].lastIndex { !isLetter($0) }.map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex { !isLetter($0) } ?? bytes.count
    return start..<end
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
