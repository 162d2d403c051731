/// A secret of a few letters, such as `pass`. What it is part of may be a longer word, `password`, which is not the secret.
package enum ShortWord {
  /// Whether a longer word that contains this text is another word: it is short, and has only letters.
  package static func isOne(_ text: some Collection<UInt8>) -> Bool {
    text.count < Secret.fewestBytesOfLong && text.allSatisfy(isLetter)
  }

  /// Whether a letter is directly before or after the range.
  package static func isInside(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    range.lowerBound > 0 && isLetter(bytes[range.lowerBound - 1])
      || range.upperBound < bytes.count && isLetter(bytes[range.upperBound])
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
