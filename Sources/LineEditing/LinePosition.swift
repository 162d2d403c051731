/// A cursor in a text of several lines; positions count scalars.
struct LinePosition {
  /// The same column in the line above, or its end; nil in the first line.
  let above: Int?
  /// The same column in the line below, or its end; nil in the last line.
  let below: Int?

  init(in text: String, at cursor: Int) {
    let scalars = Array(text.unicodeScalars)
    let start = (scalars[..<cursor].lastIndex(of: "\n") ?? -1) + 1
    let column = cursor - start
    if start > 0 {
      let aboveStart = (scalars[..<(start - 1)].lastIndex(of: "\n") ?? -1) + 1
      above = min(aboveStart + column, start - 1)
    } else {
      above = nil
    }
    if let end = scalars[cursor...].firstIndex(of: "\n") {
      let belowEnd = scalars[(end + 1)...].firstIndex(of: "\n") ?? scalars.count
      below = min(end + 1 + column, belowEnd)
    } else {
      below = nil
    }
  }
}
