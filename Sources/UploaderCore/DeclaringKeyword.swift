/// The keyword `secret` where the language has it: `secret token = …`. A password may be the same word, and is told by
/// nobody there.
enum DeclaringKeyword {
  private static let word = Array("secret".utf8)

  /// Whether it is that keyword: a name and a `=` come after it.
  static func isAt(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    guard range.count == word.count, bytes[range].elementsEqual(word) else { return false }
    let rest = bytes[range.upperBound...].prefix(80)
    guard rest.first == UInt8(ascii: " ") else { return false }
    let name = rest.dropFirst().prefix(while: isNamePart)
    return !name.isEmpty && rest.dropFirst(1 + name.count).starts(with: " = ".utf8)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }
}
