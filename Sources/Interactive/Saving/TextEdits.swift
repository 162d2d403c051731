internal import Diagnostics

/// Replacements in a source text, made all at once.
struct TextEdits {
  private(set) var all: [(range: SourceRange, text: String)] = []

  /// Replaces the range; the first of two edits that overlap wins.
  mutating func replace(_ range: SourceRange, with text: String) {
    let overlaps = all.contains {
      $0.range.lowerBound < range.upperBound && range.lowerBound < $0.range.upperBound || $0.range == range
    }
    if !overlaps { all.append((range, text)) }
  }

  /// The text of `range` after the edits within it.
  func applied(to source: SourceText, in range: SourceRange) -> String {
    var result = ""
    var offset = range.lowerBound
    let within = all.filter { $0.range.lowerBound >= range.lowerBound && $0.range.upperBound <= range.upperBound }
    for edit in within.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where edit.range.lowerBound >= offset {
      result += source[SourceRange(offset, edit.range.lowerBound)] + edit.text
      offset = edit.range.upperBound
    }
    return result + source[SourceRange(offset, range.upperBound)]
  }
}
