/// Finds the forms of secrets in a text, also where the text writes them with escapes.
package struct FormSearch: Sendable {
  private var search: ByteSearch
  /// Whether there are forms that are also found where they are written with escapes.
  private var findsEscaped = false
  /// Those that are not found as part of a longer word.
  private var words: Set<[UInt8]> = []

  /// One of them in a text.
  package struct Match {
    /// In the text as it is.
    package let range: Range<Int>
    /// What is there, without escapes.
    package let form: ArraySlice<UInt8>
    /// How it is written; nil: as it is.
    package let spelling: Spelling?
  }

  /// Finds these secrets in all of their forms.
  package init(_ secrets: Set<Secret> = []) {
    search = ByteSearch()
    for secret in secrets { insert(secret) }
  }

  /// Finds this as it is; with escapes, only when there are forms to find too.
  package init(literal: [UInt8]) {
    search = ByteSearch([literal])
  }

  /// - Parameter fewest: shorter forms are not looked for; in bytes.
  package mutating func insert(_ secret: Secret, fewest: Int = 1) {
    search.insert(SecretForms.all(of: secret).filter { $0.count >= fewest })
    if secret.isShortWord { secret.withExposedText { _ = words.insert(Array($0.utf8)) } }
    findsEscaped = true
  }

  package var isEmpty: Bool { search.isEmpty }

  package func isMatched(in bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(isMatched) }

  /// Whether any of them occurs in the bytes.
  package func isMatched(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasEscapes = false
    if search.isMatched(in: bytes, orEscape: &hasEscapes) { return words.isEmpty || !matches(in: Array(bytes)).isEmpty }
    guard hasEscapes, findsEscaped else { return false }
    var isMatched = false
    forEachPart(of: bytes) { _, text in
      isMatched = text.isMatched(by: search)
      return !isMatched
    }
    return isMatched
  }

  /// Every place where one of them occurs, in order; they may overlap. Of those that begin at the same place, the
  /// longest comes first.
  package func matches(in bytes: [UInt8]) -> [Match] {
    guard !isEmpty else { return [] }
    let plain = search.matches(in: bytes).compactMap { range in
      isPartOfWord(range, in: bytes) ? nil : Match(range: range, form: bytes[range], spelling: nil)
    }
    guard findsEscaped else { return plain }
    var escaped: [Match] = []
    bytes.withUnsafeBufferPointer { bytes in
      forEachPart(of: bytes) { part, text in
        for match in text.matches(of: search) {
          let range = match.range.lowerBound + part..<match.range.upperBound + part
          escaped.append(Match(range: range, form: match.form, spelling: match.spelling))
        }
        return true
      }
    }
    guard !escaped.isEmpty else { return plain }
    // Those that are written as they are come first among equals.
    let all = (plain + escaped).enumerated().sorted {
      ($0.element.range.lowerBound, -$0.element.range.count, $0.offset)
        < ($1.element.range.lowerBound, -$1.element.range.count, $1.offset)
    }
    return all.map(\.element)
  }

  private func isPartOfWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    !words.isEmpty && words.contains(Array(bytes[range])) && ShortWord.isInside(range, of: bytes)
  }

  /// Where the beginning of one of them is cut off by `CutText.mark`; they may overlap.
  package func cutOff(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges = CutText.cutOff(search, in: bytes)
    guard !isEmpty, CutText.isCut(bytes) else { return ranges }
    bytes.withUnsafeBufferPointer { bytes in
      forEachPart(of: bytes) { part, text in
        ranges += text.cutOff(of: search).map { $0.lowerBound + part..<$0.upperBound + part }
        return true
      }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Parts of the bytes with escapes, which overlap so far that each match is in one of them.
  ///
  /// - Parameter body: takes where a part begins; false ends it.
  private func forEachPart(of bytes: UnsafeBufferPointer<UInt8>, _ body: (Int, UnescapedText) -> Bool) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Self.part + widest)
      guard let first = bytes[start..<end].firstIndex(where: Escape.canBegin) else {
        if end == bytes.count { return }
        start = end - widest
        continue
      }
      // Nothing is read again that is too far before an escape.
      start = max(start, first - max(search.longest, Escape.fewestBeforeFold))
      let part = Array(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      if let text = UnescapedText(part, reach: search.longest), !body(start, text) { return }
      if end == bytes.count { return }
      start += max(1, UnescapedText.boundary(before: part.count - widest, in: part))
    }
  }

  /// In bytes.
  private static let part = 1 << 18

  // MARK: Texts that arrive in pieces

  /// The most bytes that one of them may take; of what is longer with its escapes, nothing is found at the end of a
  /// piece.
  package var widest: Int { max(search.longest, min(search.longest * UnescapedText.longestEscape, Self.mostHeld)) }

  private static let mostHeld = 1 << 18

  /// The part of a piece in which everything is found that begins there; the rest belongs to the next.
  package func end(of bytes: [UInt8]) -> Int {
    guard bytes.contains(where: Escape.canBegin) else {
      return max(0, min(bytes.count, bytes.count - search.longest + 1))
    }
    return UnescapedText.boundary(before: max(0, min(bytes.count, bytes.count - widest + 1)), in: bytes)
  }

  /// How much of a piece can be shown before the next one is there: up to where one of them, or an escape, may have
  /// begun.
  package func openEnd(of bytes: [UInt8]) -> Int {
    guard !isEmpty else { return bytes.count }
    let start = max(0, bytes.count - widest)
    let nearEnd = max(0, bytes.count - UnescapedText.longestEscape)
    let end =
      (nearEnd..<bytes.count).first {
        Escape.canBegin(with: bytes[$0]) && Escape.isBeginning(bytes[$0...])
      } ?? bytes.count
    var open = [end]
    if let place = search.open(in: bytes, endingAt: end) { open.append(place) }
    if let text = UnescapedText(Array(bytes[start..<end]), reach: search.longest) {
      open += text.openEnds(of: search).map { start + $0 }
    }
    return open.min() ?? bytes.count
  }
}
