/// One line of a text as it is shown: expanded, made visible, cut to a width around the place in question.
struct SourceExcerpt {
  let text: String
  /// Columns before the first caret.
  let caretColumn: Int
  /// At least 1.
  let caretWidth: Int

  init(of range: SourceRange, in source: SourceText, width: Int) {
    let line = source.lineRange(source.lineIndex(at: range.lowerBound))
    let start = min(max(range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(range.upperBound, start), line.upperBound)

    // A line of megabytes is not decoded whole: what lies further away than this is cut anyway.
    let reach = width * 8
    let from = SourceExcerpt.boundary(near: max(line.lowerBound, start - reach), in: source.bytes)
    let to = SourceExcerpt.boundary(near: min(line.upperBound, start + reach), in: source.bytes)
    var before = VisibleText.cells(source[SourceRange(from, start)])
    let marked = VisibleText.cells(source[SourceRange(start, min(end, max(to, start)))])
    var after = VisibleText.cells(source[SourceRange(min(end, max(to, start)), max(to, end))])

    var isCutBefore = from > line.lowerBound
    var isCutAfter = to < line.upperBound
    // What is marked takes half of the width, or what the rest of the line leaves.
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

  /// Moves an offset back to the beginning of a UTF-8 sequence.
  private static func boundary(near offset: Int, in bytes: [UInt8]) -> Int {
    var offset = offset
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }
}
