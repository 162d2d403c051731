/// One line of a text as it is shown: expanded, made visible, cut to a width around the place in question.
struct SourceExcerpt {
  let text: String
  /// Columns before the first caret.
  let caretColumn: Int
  /// At least 1.
  let caretWidth: Int

  /// How far from the place a text to be hidden may start or end, in bytes.
  private static let context = 64 << 10

  init(
    of range: SourceRange, in source: SourceText, width: Int, redact: ([String]) -> [String] = { $0 }
  ) {
    let line = source.lineRange(source.lineIndex(at: range.lowerBound))
    let start = min(max(range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(range.upperBound, start), line.upperBound)

    // A line of megabytes is not decoded as a whole: anything farther away than this is cut anyway.
    let reach = width * 8
    let from = SourceExcerpt.boundary(near: max(line.lowerBound, start - reach), in: source.bytes)
    let to = SourceExcerpt.boundary(near: min(line.upperBound, start + reach), in: source.bytes)
    // A text to be hidden may start and end in other lines, or farther away.
    let markedEnd = min(end, max(to, start))
    let lineEnd = max(to, markedEnd)
    let places = [
      SourceExcerpt.boundary(near: max(0, from - Self.context), in: source.bytes), from, start, markedEnd, lineEnd,
      SourceExcerpt.boundary(near: min(source.bytes.count, lineEnd + Self.context), in: source.bytes),
    ]
    let pieces = redact(zip(places, places.dropFirst()).map { source[SourceRange($0, $1)] })
    var before = VisibleText.cells(pieces[1])
    var marked = VisibleText.cells(pieces[2])
    // A place inside of something hidden is where its mask ends.
    if marked.isEmpty, start < markedEnd, let last = before.popLast() { marked = [last] }
    var after = VisibleText.cells(pieces[3])

    var isCutBefore = from > line.lowerBound
    var isCutAfter = to < line.upperBound
    // The marked part takes half of the width, or what the rest of the line leaves.
    let others = VisibleText.width(before) + VisibleText.width(after) + 2
    let markedWidth = min(VisibleText.width(marked), max(width / 2, width - others))
    let room = width - markedWidth - 2
    var widthBefore = VisibleText.width(before)
    var widthAfter = VisibleText.width(after)
    let roomBefore = max(room / 2, room - widthAfter)
    while widthBefore > roomBefore, let cell = before.first {
      before.removeFirst()
      widthBefore -= cell.width
      isCutBefore = true
    }
    while widthAfter > room - widthBefore, let cell = after.popLast() {
      widthAfter -= cell.width
      isCutAfter = true
    }
    var shown: [VisibleText.Cell] = []
    var shownWidth = 0
    for cell in marked {
      if shownWidth + cell.width > max(markedWidth, 1) {
        after = []
        isCutAfter = true
        break
      }
      shown.append(cell)
      shownWidth += cell.width
    }
    let lead = isCutBefore ? "…" : ""
    text = lead + (before + shown + after).map(\.text).joined() + (isCutAfter ? "…" : "")
    caretColumn = lead.count + widthBefore
    caretWidth = max(1, shownWidth)
  }

  /// Moves an offset back to the start of a UTF-8 sequence.
  private static func boundary(near offset: Int, in bytes: [UInt8]) -> Int {
    var offset = offset
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }
}
