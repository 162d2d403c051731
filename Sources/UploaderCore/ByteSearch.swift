/// Finds the first of several byte strings; where two begin at the same place, the longest.
struct ByteSearch {
  /// By first byte, longest first.
  private let needles: [[[UInt8]]]
  /// In bytes.
  let longest: Int

  init(_ needles: some Sequence<[UInt8]>) {
    var byFirst = [[[UInt8]]](repeating: [], count: 256)
    var longest = 0
    for needle in needles where !needle.isEmpty {
      byFirst[Int(needle[0])].append(needle)
      longest = max(longest, needle.count)
    }
    self.longest = longest
    self.needles = longest == 0 ? [] : byFirst.map { $0.sorted { $0.count > $1.count } }
  }

  var isEmpty: Bool { needles.isEmpty }

  func firstMatch(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard !needles.isEmpty else { return nil }
    var index = start
    while index < bytes.count {
      for needle in needles[Int(bytes[index])]
      where needle.count <= bytes.count - index && Self.stands(needle, in: bytes, at: index) {
        return index..<index + needle.count
      }
      index += 1
    }
    return nil
  }

  private static func stands(_ needle: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    for index in 1..<max(1, needle.count) where bytes[start + index] != needle[index] { return false }
    return true
  }
}
