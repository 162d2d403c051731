/// What a text says when the escapes in it are undone: once, twice, until nothing changes.
///
/// A secret may be written in as many ways as there are programs that write one; what it says is always the same.
struct UnescapedText {
  /// The text without the escapes of each pass, which are undone from left to right, whatever their kind.
  private(set) var passes: [Pass] = []
  private let original: [UInt8]

  struct Pass {
    fileprivate(set) var bytes: [UInt8] = []
    /// Where something may be that was not there before this pass, in order and disjoint.
    fileprivate(set) var changed: [Range<Int>] = []
  }

  /// A text in a text in a text in a text.
  static let mostPasses = 4

  /// An escape of an escape… of one byte is not longer than this, in bytes.
  static let longestEscape = 12

  /// - Parameter reach: the longest text that will be looked for, in bytes.
  /// - Returns: nil without an escape.
  init?(_ text: [UInt8], reach: Int) {
    original = text
    guard append(text, reach: reach) else { return nil }
    while passes.count < Self.mostPasses, append(passes[passes.count - 1].bytes, reach: reach) {}
  }

  private mutating func append(_ text: [UInt8], reach: Int) -> Bool {
    var pass = Pass()
    Self.undo(text, into: &pass.bytes) { escape in
      let place = max(0, escape.place.lowerBound - reach)..<escape.place.upperBound + reach
      if let last = pass.changed.last, last.upperBound >= place.lowerBound {
        pass.changed[pass.changed.count - 1] = last.lowerBound..<place.upperBound
      } else {
        pass.changed.append(place)
      }
    }
    guard !pass.changed.isEmpty else { return false }
    passes.append(pass)
    return true
  }

  /// An escape that was undone.
  fileprivate struct Undone {
    /// Of the escape.
    let source: Range<Int>
    /// Of what it means.
    let place: Range<Int>
    let way: EscapeWay
  }

  /// Writes nothing if there is no escape.
  private static func undo(_ text: [UInt8], into bytes: inout [UInt8], note: (Undone) -> Void) {
    text.withUnsafeBufferPointer { text in
      var index = 0
      var copied = 0
      while index < text.count {
        guard Escape.canBegin(with: text[index]), let escape = Escape(at: index, in: text) else {
          index += 1
          continue
        }
        if copied == 0 { bytes.reserveCapacity(text.count) }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<index]))
        let start = bytes.count
        escape.write(to: &bytes)
        note(Undone(source: index..<index + escape.length, place: start..<bytes.count, way: escape.way))
        index += escape.length
        copied = index
      }
      if copied > 0 { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...])) }
    }
  }

  /// Where the first pass can be taken up again: not inside an escape.
  static func boundary(before limit: Int, in text: [UInt8]) -> Int {
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < limit {
        guard Escape.canBegin(with: text[index]), let escape = Escape(at: index, in: text) else {
          index += 1
          continue
        }
        if index + escape.length > limit { return index }
        index += escape.length
      }
      return index
    }
  }

  // MARK: What is found in it

  /// Whether one of them is in the text after a pass, and was not before.
  func isMatched(by search: ByteSearch) -> Bool {
    passes.contains { pass in
      pass.changed.contains { search.firstMatch(in: pass.bytes, from: $0.lowerBound, before: $0.upperBound) != nil }
    }
  }

  /// Those that are in the text after a pass, and were not before.
  func matches(of search: ByteSearch) -> [FormSearch.Match] {
    var origins = Origins(self)
    var matches: [FormSearch.Match] = []
    for (index, pass) in passes.enumerated() {
      for range in pass.changed {
        var start = range.lowerBound
        while let match = search.firstMatch(in: pass.bytes, from: start, before: range.upperBound) {
          start = match.lowerBound + 1
          guard let (origin, spelling) = origins.spelling(of: match, after: index) else { continue }
          matches.append(FormSearch.Match(range: origin, form: pass.bytes[match], spelling: spelling))
        }
      }
    }
    return matches
  }

  /// The beginnings that a mark cuts off after a pass.
  func cutOff(of search: ByteSearch) -> [Range<Int>] {
    var origins = Origins(self)
    return passes.indices.flatMap { index in
      CutText.cutOff(search, in: passes[index].bytes).compactMap { origins.spelling(of: $0, after: index)?.range }
    }
  }

  /// From the text after a pass back to the original: known only when something was found.
  private struct Origins {
    private let text: UnescapedText
    /// The escapes of each pass, in order.
    private var undone: [Int: [Undone]] = [:]

    init(_ text: UnescapedText) {
      self.text = text
    }

    /// Where it is in the original, and how it is written there; nil: the last pass changed nothing in it.
    mutating func spelling(of range: Range<Int>, after pass: Int) -> (range: Range<Int>, spelling: Spelling)? {
      var range = range
      var layers: [Spelling.Layer] = []
      for index in stride(from: pass, through: 0, by: -1) {
        let (origin, layer) = Self.step(back: range, over: escapes(of: index))
        if layer.isEmpty, index == pass { return nil }
        layers.append(layer)
        range = origin
      }
      return (range, Spelling(layers))
    }

    private mutating func escapes(of pass: Int) -> [Undone] {
      if let known = undone[pass] { return known }
      var found: [Undone] = []
      var ignored: [UInt8] = []
      let source = pass == 0 ? text.original : text.passes[pass - 1].bytes
      UnescapedText.undo(source, into: &ignored) { found.append($0) }
      undone[pass] = found
      return found
    }

    private static func step(back range: Range<Int>, over undone: [Undone]) -> (Range<Int>, Spelling.Layer) {
      // The first one that ends after the beginning.
      var low = 0
      var high = undone.count
      while low < high {
        let middle = (low + high) / 2
        if undone[middle].place.upperBound > range.lowerBound { high = middle } else { low = middle + 1 }
      }
      var layer = Spelling.Layer()
      let before = low > 0 ? undone[low - 1] : nil
      var position = range.lowerBound
      var shift = before.map { $0.source.upperBound - $0.place.upperBound } ?? 0
      var start = position + shift
      var end = range.upperBound + shift
      var index = low
      while index < undone.count, undone[index].place.lowerBound < range.upperBound {
        let escape = undone[index]
        if escape.place.lowerBound <= range.lowerBound { start = escape.source.lowerBound }
        layer.append(.plain, count: escape.place.lowerBound - position)
        layer.append(escape.way, count: 1)
        position = escape.place.upperBound
        shift = escape.source.upperBound - position
        end = max(escape.source.upperBound, range.upperBound + shift)
        index += 1
      }
      if !layer.isEmpty { layer.append(.plain, count: range.upperBound - position) }
      return (start..<end, layer)
    }
  }
}
