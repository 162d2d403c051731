/// What a text says when the escapes in it are undone: once, twice, until nothing changes.
///
/// A secret may be written in as many ways as there are programs that write one; what it says is always the same.
///
/// Which escapes a program meant is not known: `\&#233;` may be a backslash and an `é`, or the text `&#233;` as the
/// shell writes it. So where there are escapes of several kinds, they are undone all together, and each kind alone. All
/// ways through several times would be too many: those with the fewest exceptions come first.
struct UnescapedText {
  private let original: [UInt8]
  /// What the text says after escapes were undone in it or in another of these before it.
  private var readings: [Reading] = []

  private struct Reading {
    /// The reading that it was made from; nil: the original.
    let source: Int?
    /// Of escapes that were undone.
    let kinds: EscapeWay.Kinds
    /// How many times.
    let depth: Int
    var bytes: [UInt8] = []
    /// Where something may be that was not there before, in order and disjoint.
    var changed: [Range<Int>] = []
  }

  /// A text in a text in a text in a text.
  private static let mostTimes = 4
  /// Few texts have more than one. A long one has fewer: `mostBytes` in all of them.
  private static let fewestReadings = 24
  private static let mostReadings = 96
  private static let mostBytes = 1 << 22

  /// One that is to be made.
  private struct Step {
    let source: Int?
    let kinds: EscapeWay.Kinds
  }

  /// An escape of an escape… of one byte is not longer than this, in bytes.
  static let longestEscape = 12

  /// - Parameter reach: the longest text that will be looked for, in bytes.
  /// - Returns: nil without an escape.
  init?(_ text: [UInt8], reach: Int) {
    original = text
    let most = max(Self.fewestReadings, min(Self.mostReadings, Self.mostBytes / max(1, text.count)))
    // First what is found by undoing all at once each time, then what needs one exception to that, then two…
    var (next, later) = Self.steps(from: nil, text)
    while !next.isEmpty {
      var index = 0
      while index < next.count, readings.count < most {
        if add(next[index], reach: reach), let reading = readings.last, reading.depth < Self.mostTimes {
          let (usual, others) = Self.steps(from: readings.count - 1, reading.bytes)
          next += usual
          later += others
        }
        index += 1
      }
      (next, later) = (readings.count < most ? later : [], [])
    }
    guard !readings.isEmpty else { return nil }
  }

  /// What the text says after escapes were undone once, twice…
  var texts: [[UInt8]] { readings.map(\.bytes) }

  /// What can be undone in a text: usually all of it at once.
  private static func steps(from source: Int?, _ text: [UInt8]) -> (usual: [Step], others: [Step]) {
    let kinds = kinds(in: text)
    guard let first = EscapeWay.Kinds.each.first(where: kinds.contains) else { return ([], []) }
    let together = kinds.intersection(.together)
    let usual = together.isEmpty ? first : together
    // Those that are usually undone together may have been written one inside another.
    let others = EscapeWay.Kinds.each.filter { kinds.contains($0) && $0 != usual }
    return ([Step(source: source, kinds: usual)], others.map { Step(source: source, kinds: $0) })
  }

  /// Adds what another reading, or the original, says; false: it is known already.
  private mutating func add(_ step: Step, reach: Int) -> Bool {
    let depth = step.source.map { readings[$0].depth } ?? 0
    var reading = Reading(source: step.source, kinds: step.kinds, depth: depth + 1)
    var changed: [Range<Int>] = []
    Self.undo(step.kinds, in: bytes(of: step.source), into: &reading.bytes) { escape in
      let place = max(0, escape.place.lowerBound - reach)..<escape.place.upperBound + reach
      if let last = changed.last, last.upperBound >= place.lowerBound {
        changed[changed.count - 1] = last.lowerBound..<place.upperBound
      } else {
        changed.append(place)
      }
    }
    reading.changed = changed
    // Mostly their order does not matter.
    guard !changed.isEmpty, !readings.contains(where: { $0.bytes == reading.bytes }) else { return false }
    readings.append(reading)
    return true
  }

  /// The kinds of escapes that are there, also inside of others.
  private static func kinds(in text: [UInt8]) -> EscapeWay.Kinds {
    var kinds: EscapeWay.Kinds = []
    text.withUnsafeBufferPointer { text in
      for index in text.indices where Escape.canBegin(with: text[index]) {
        if !kinds.isSuperset(of: Escape.kinds(beginningWith: text[index])), let escape = Escape(at: index, in: text) {
          kinds.formUnion(escape.way.kind)
        }
      }
    }
    return kinds
  }

  private func bytes(of reading: Int?) -> [UInt8] { reading.map { readings[$0].bytes } ?? original }

  /// An escape that was undone.
  fileprivate struct Undone {
    /// Of the escape.
    let source: Range<Int>
    /// Of what it means.
    let place: Range<Int>
    let way: EscapeWay
  }

  /// Writes nothing if there is no escape.
  private static func undo(
    _ kinds: EscapeWay.Kinds, in text: [UInt8], into bytes: inout [UInt8], note: (Undone) -> Void
  ) {
    text.withUnsafeBufferPointer { text in
      var index = 0
      var copied = 0
      while index < text.count {
        guard Escape.canBegin(with: text[index]), let escape = Escape(at: index, in: text, kinds) else {
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

  /// Whether one of them is in a reading, and was not in the text.
  func isMatched(by search: ByteSearch) -> Bool {
    readings.contains { reading in
      reading.changed.contains {
        search.firstMatch(in: reading.bytes, from: $0.lowerBound, before: $0.upperBound) != nil
      }
    }
  }

  /// Those that are in a reading, and were not in the text.
  func matches(of search: ByteSearch) -> [FormSearch.Match] {
    var origins = Origins(self)
    var matches: [FormSearch.Match] = []
    for (index, reading) in readings.enumerated() {
      for range in reading.changed {
        var start = range.lowerBound
        while let match = search.firstMatch(in: reading.bytes, from: start, before: range.upperBound) {
          start = match.lowerBound + 1
          guard let (origin, spelling) = origins.spelling(of: match, in: index) else { continue }
          matches.append(FormSearch.Match(range: origin, form: reading.bytes[match], spelling: spelling))
        }
      }
    }
    return matches
  }

  /// The beginnings that a mark cuts off in a reading.
  func cutOff(of search: ByteSearch) -> [Range<Int>] {
    var origins = Origins(self)
    return readings.indices.flatMap { index in
      CutText.cutOff(search, in: readings[index].bytes).compactMap { origins.spelling(of: $0, in: index)?.range }
    }
  }

  /// Where in the original one of them may have begun that a reading ends within.
  func openEnds(of search: ByteSearch) -> [Int] {
    var origins = Origins(self)
    return readings.indices.compactMap { index in
      let bytes = readings[index].bytes
      guard let place = search.open(in: bytes, endingAt: bytes.count) else { return nil }
      return origins.spelling(of: place..<bytes.count, in: index)?.range.lowerBound
    }
  }

  /// From a reading back to the original: known only when something was found.
  private struct Origins {
    private let text: UnescapedText
    /// The escapes of each reading, in order.
    private var undone: [Int: [Undone]] = [:]

    init(_ text: UnescapedText) {
      self.text = text
    }

    /// Where it is in the original, and how it is written there; nil: what was undone last is not in it.
    mutating func spelling(of range: Range<Int>, in reading: Int) -> (range: Range<Int>, spelling: Spelling)? {
      var range = range
      var layers: [Spelling.Layer] = []
      var next: Int? = reading
      while let index = next {
        let (origin, layer) = Self.step(back: range, over: escapes(of: index))
        if layer.isEmpty, layers.isEmpty { return nil }
        layers.append(layer)
        range = origin
        next = text.readings[index].source
      }
      return (range, Spelling(layers))
    }

    private mutating func escapes(of index: Int) -> [Undone] {
      if let known = undone[index] { return known }
      var found: [Undone] = []
      var ignored: [UInt8] = []
      let reading = text.readings[index]
      UnescapedText.undo(reading.kinds, in: text.bytes(of: reading.source), into: &ignored) { found.append($0) }
      undone[index] = found
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
