/// A few words, which are recognized without making a string of what is there.
struct WordSet {
  /// Each word as a number (`ShortWord`), in the order of the words; for a longer one what no bytes without 0 are.
  private let short: [UInt64]
  private let long: [String: Int]

  init(_ words: [String]) {
    short = words.map { $0.utf8.count <= 8 ? ShortWord.number($0.utf8) : 1 << 8 }
    long = Dictionary(
      words.enumerated().filter { $0.element.utf8.count > 8 }.map { ($0.element, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  func contains(_ word: String) -> Bool {
    word.utf8.count <= 8 ? short.contains(ShortWord.number(word.utf8)) : long[word] != nil
  }

  /// The place of the word of `length` bytes at `start` among those that the set was made of.
  func index(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ length: Int) -> Int? {
    if let number = ShortWord.number(bytes, at: start, length) { return short.firstIndex(of: number) }
    return long[String(decoding: bytes[start..<start + length], as: UTF8.self)]
  }
}
