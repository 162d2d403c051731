/// Candidates laid out for a terminal: in columns, or one per line if they have previews.
struct CandidateList {
  /// The lines, without line endings, none wider than the terminal.
  let lines: [String]

  private static let dim = "\u{1B}[2m"
  private static let reset = "\u{1B}[0m"

  /// - Parameters:
  ///   - columns: the terminal's width in cells.
  ///   - rows: the terminal's height; a longer list is cut, and says how much is missing.
  ///   - styled: whether previews are dimmed.
  init(_ candidates: [Completions.Candidate], columns: Int, rows: Int, styled: Bool = false) {
    let limit = max(4, rows - 3)
    let columns = max(2, columns)
    let lines =
      candidates.contains { !$0.preview.isEmpty }
      ? Self.previewed(candidates.prefix(limit), columns: columns, styled: styled)
      : Self.tabulated(candidates.prefix(limit * columns), columns: columns)
    if candidates.contains(where: { !$0.preview.isEmpty }), candidates.count > limit {
      self.lines = lines + ["… \(candidates.count - limit) more: type another letter, then Tab"]
    } else if lines.count > limit {
      self.lines = lines.prefix(limit) + ["… more of \(candidates.count): type another letter, then Tab"]
    } else {
      self.lines = lines
    }
  }

  private static func previewed(
    _ candidates: ArraySlice<Completions.Candidate>, columns: Int, styled: Bool
  ) -> [String] {
    let names = candidates.map { visible($0.display) }
    let widest = min(names.map(displayWidth).max() ?? 0, columns / 2)
    return zip(names, candidates).map { name, candidate in
      let name = truncated(name, to: widest)
      let room = columns - widest - 3
      guard !candidate.preview.isEmpty, room > 3 else { return name }
      let preview = truncated(visible(candidate.preview), to: room)
      let gap = String(repeating: " ", count: widest - displayWidth(name) + 2)
      return name + gap + (styled ? dim + preview + reset : preview)
    }
  }

  private static func tabulated(_ candidates: ArraySlice<Completions.Candidate>, columns: Int) -> [String] {
    let names = candidates.map { truncated(visible($0.display), to: columns - 1) }
    let cell = (names.map(displayWidth).max() ?? 0) + 2
    let perLine = max(1, (columns - 1) / cell)
    let height = (names.count + perLine - 1) / perLine
    return (0..<height).map { row in
      stride(from: row, to: names.count, by: height).map { index in
        index + height < names.count
          ? names[index] + String(repeating: " ", count: cell - displayWidth(names[index])) : names[index]
      }.joined()
    }
  }

  /// The text with control characters and bidirectional controls shown as U+FFFD: it may come from a server.
  private static func visible(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }

  private static func truncated(_ text: String, to width: Int) -> String {
    guard displayWidth(text) > width else { return text }
    var result = ""
    var used = 1
    for character in text {
      used += displayWidth(String(character))
      guard used <= width else { break }
      result.append(character)
    }
    return result + "…"
  }
}
