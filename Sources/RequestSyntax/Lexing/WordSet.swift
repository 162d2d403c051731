/// A few words, which are recognized without making a string of what is there.
struct WordSet {
  /// Those of at most eight bytes, each as a number.
  private let short: [UInt64]
  private let long: Set<String>

  init(_ words: [String]) {
    short = words.filter { $0.utf8.count <= 8 }.map { word in Self.number(word.utf8) }
    long = Set(words.filter { $0.utf8.count > 8 })
  }

  func contains(_ word: String) -> Bool {
    word.utf8.count <= 8 ? short.contains(Self.number(word.utf8)) : long.contains(word)
  }

  func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    word.count <= 8 ? short.contains(Self.number(word)) : long.contains(String(decoding: word, as: UTF8.self))
  }

  /// Different for different words, in which no byte is 0.
  private static func number(_ word: some Sequence<UInt8>) -> UInt64 {
    word.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
