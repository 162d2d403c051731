/// Finds the first of several byte strings; if two begin at the same place, the longest.
///
/// The cost hardly grows with their number: two bytes of the text determine which ones to compare, mostly none.
package struct ByteSearch {
  /// Whether one of them, or an escape, begins with that byte: most bytes of most texts need no more than this check.
  private var firsts: [UInt8] = []
  /// A bit for every two bytes that one of them begins with.
  private var beginnings: [UInt64] = []
  /// By their first two bytes, longest first.
  private var needles: [UInt16: [[UInt8]]] = [:]
  /// In bytes.
  package private(set) var longest = 0

  package init(_ needles: some Sequence<[UInt8]> = []) {
    insert(needles)
  }

  package var isEmpty: Bool { needles.isEmpty }

  package mutating func insert(_ more: some Sequence<[UInt8]>) {
    for needle in more {
      guard let first = needle.first else { continue }
      if beginnings.isEmpty {
        firsts = Self.escapes
        beginnings = [UInt64](repeating: 0, count: 1 << 10)
      }
      firsts[Int(first)] |= Self.first
      for byte in needle { firsts[Int(byte)] |= Self.mattering }
      longest = max(longest, needle.count)
      // One that is a single byte may be followed by any byte.
      let seconds = needle.count == 1 ? UInt8.min...UInt8.max : needle[1]...needle[1]
      for second in seconds {
        let key = Self.key(first, second)
        beginnings[Int(key >> 6)] |= 1 << (key & 63)
        var candidates = needles[key, default: []]
        guard !candidates.contains(needle) else { continue }
        candidates.insert(needle, at: candidates.firstIndex { $0.count < needle.count } ?? candidates.endIndex)
        needles[key] = candidates
      }
    }
  }

  /// - Parameter end: the match must begin before it; nil: anywhere.
  package func firstMatch(in bytes: [UInt8], from start: Int, before end: Int? = nil) -> Range<Int>? {
    guard !isEmpty else { return nil }
    var index = start
    let end = min(end ?? bytes.count, bytes.count)
    while index < end {
      let key = Self.key(bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
      if beginnings[Int(key >> 6)] & (1 << (key & 63)) != 0 {
        for needle in needles[key] ?? [] where Self.occurs(needle, in: bytes, at: index) {
          return index..<index + needle.count
        }
      }
      index += 1
    }
    return nil
  }

  /// Every place where one of them occurs, in order; they may overlap.
  package func matches(in bytes: [UInt8]) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    var start = 0
    while let match = firstMatch(in: bytes, from: start) {
      matches.append(match)
      start = match.lowerBound + 1
    }
    return matches
  }

  /// The longest proper prefix of one of them that ends there.
  ///
  /// - Parameter fewest: shorter prefixes do not match; at least 2.
  package func beginning(in bytes: [UInt8], endingAt end: Int, fewest: Int) -> Range<Int>? {
    var start = max(0, end - longest + 1)
    while end - start >= fewest {
      let beginning = bytes[start..<end]
      let candidates = needles[Self.key(bytes[start], bytes[start + 1])] ?? []
      if candidates.contains(where: { $0.count > beginning.count && $0.starts(with: beginning) }) { return start..<end }
      start += 1
    }
    return nil
  }

  /// Where the longest proper prefix of one of them begins that ends there, however short; nil: there is none.
  func open(in bytes: [UInt8], endingAt end: Int) -> Int? {
    guard !isEmpty else { return nil }
    if let range = beginning(in: bytes, endingAt: end, fewest: 2) { return range.lowerBound }
    return end > 0 && firsts[Int(bytes[end - 1])] & Self.first != 0 ? end - 1 : nil
  }

  /// Whether any of them occurs in the bytes; if not, whether there is an escape of something that occurs in one of
  /// them, or may be part of another escape.
  func isMatched(in bytes: UnsafeBufferPointer<UInt8>, orEscape hasEscapes: inout Bool) -> Bool {
    guard !isEmpty else { return false }
    return firsts.withUnsafeBufferPointer { firsts in
      for index in bytes.indices {
        let kind = firsts[Int(bytes[index])]
        guard kind & (Self.first | Self.escape) != 0 else { continue }
        if kind & Self.escape != 0, !hasEscapes { hasEscapes = Escape(at: index, in: bytes).map(matters) ?? false }
        if kind & Self.first != 0, isMatched(in: bytes, at: index) { return true }
      }
      return false
    }
  }

  private func isMatched(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let key = Self.key(bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
    guard beginnings[Int(key >> 6)] & (1 << (key & 63)) != 0 else { return false }
    return (needles[key] ?? []).contains { bytes[index...].starts(with: $0) }
  }

  private func matters(_ escape: Escape) -> Bool {
    switch escape.content {
    case .nothing: true
    case .byte(let byte): firsts[Int(byte)] & Self.mattering != 0
    case .scalar(let scalar): UTF8.encode(scalar).map { $0.contains { firsts[Int($0)] & Self.mattering != 0 } } ?? true
    }
  }

  private static let first: UInt8 = 1
  private static let escape: UInt8 = 2
  /// In one of them, or in an escape.
  private static let mattering: UInt8 = 4
  /// What each byte is as long as nothing is searched for.
  private static let escapes = (0...UInt8.max).map { byte in
    (Escape.canBegin(with: byte) ? escape : 0) | (Escape.canContain(byte) ? mattering : 0)
  }

  private static func occurs(_ needle: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    guard needle.count <= bytes.count - start else { return false }
    for index in needle.indices where bytes[start + index] != needle[index] { return false }
    return true
  }

  private static func key(_ first: UInt8, _ second: UInt8) -> UInt16 {
    UInt16(first) << 8 | UInt16(second)
  }
}
