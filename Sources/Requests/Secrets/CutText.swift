/// A text that is cut to fit before the secrets in it are hidden: a secret that the cut goes through is no longer
/// found. So code that cuts puts one mark at the end, and code that hides secrets also hides the beginning of a secret
/// before the mark.
public enum CutText {
  /// Replaces what was cut off.
  public static let mark = "…"

  /// Shorter beginnings of secrets reveal too little, and occur everywhere.
  private static let fewestBytes = 4

  /// The text, or as much of it as was asked for followed by the mark.
  ///
  /// - Parameter limit: in characters.
  public static func cut(_ text: String, to limit: Int) -> String {
    // No character has less than a byte.
    guard text.utf8.count > limit,
      let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex
    else { return text }
    return text[..<end] + mark
  }

  /// The beginning of a text in UTF-8, before a mark is appended: a character that the end cuts in two is left out.
  public static func beginning(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    String(decoding: bytes[..<wholeCharacters(bytes)], as: UTF8.self)
  }

  /// Where a text in UTF-8 ends without the character that its end cuts in two.
  package static func wholeCharacters<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.Index {
    var end = bytes.endIndex
    for _ in 0..<4 {
      guard end > bytes.startIndex else { break }
      let last = bytes.index(before: end)
      // 11…… begins a character of several bytes, 10…… continues it.
      if bytes[last] < 0x80 { break }
      end = last
      if bytes[last] >= 0xC0 { break }
    }
    let isWhole = String(validating: Array(bytes[end...]), as: UTF8.self) != nil
    return isWhole ? bytes.endIndex : end
  }

  /// Where one of these begins before a mark and is cut off by it, even with a line ending in between.
  static func cutOff(_ search: ByteSearch, in bytes: [UInt8]) -> [Range<Int>] {
    guard !search.isEmpty else { return [] }
    var ranges: [Range<Int>] = []
    var start = 0
    while let place = bytes[start...].firstIndex(of: firstByte) {
      start = place + 1
      guard bytes[place...].starts(with: mark.utf8) else { continue }
      let hasLineEnd = place > 0 && bytes[place - 1] == UInt8(ascii: "\n")
      for end in hasLineEnd ? [place, place - 1] : [place] {
        if let range = beginning(search, in: bytes, endingAt: end) {
          ranges.append(range)
          break
        }
      }
    }
    return ranges
  }

  /// Whether a text in UTF-8 has the mark there.
  package static func isMark(at index: Int, in bytes: [UInt8]) -> Bool {
    bytes[index] == firstByte && bytes[index...].starts(with: mark.utf8)
  }

  /// Whether there is a mark.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let place = rest.firstIndex(of: firstByte) {
      rest = bytes[place...]
      if rest.starts(with: mark.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// The cut may have gone through an escape, too.
  private static func beginning(_ search: ByteSearch, in bytes: [UInt8], endingAt end: Int) -> Range<Int>? {
    if let range = search.beginning(in: bytes, endingAt: end, fewest: fewestBytes) { return range }
    var start = end - 1
    while start >= max(0, end - UnescapedText.longestEscape) {
      if Escape.canBegin(with: bytes[start]), Escape.isBeginning(bytes[start..<end]),
        let range = search.beginning(in: bytes, endingAt: start, fewest: fewestBytes)
      {
        return range.lowerBound..<end
      }
      start -= 1
    }
    return nil
  }

  /// Of the mark.
  package static let firstByte: UInt8 = 0xE2
}
