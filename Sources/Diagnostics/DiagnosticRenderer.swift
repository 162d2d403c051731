/// Renders diagnostics in one format for every text:
///
///     error: step "upload" uses $alocate, which names no step
///       --> snapshot-upload.wb:21:10
///        |
///     21 |     POST $alocate.body.snapshot.url
///        |          ^^^^^^^^ did you mean $allocate?
///
/// Tabs become four spaces, control characters become visible ones, and long lines are cut around the carets, so that
/// the carets are always below what they point at. A name of megabytes in a message is cut too.
public struct DiagnosticRenderer: Sendable {
  /// The most columns of source text that are shown.
  public var width: Int
  /// Colours and bold type by SGR sequences; for terminals only.
  public var isColored: Bool
  /// Hides what must not be shown, in the pieces of one text. It sees them as they are: before anything is made visible,
  /// cut, or taken as a line.
  private let redact: @Sendable ([String]) -> [String]

  /// - Parameter redact: hides what must not be shown, in the pieces of one text; it returns as many.
  public init(
    width: Int = 100, isColored: Bool = false, redact: @escaping @Sendable ([String]) -> [String] = { $0 }
  ) {
    self.width = max(20, width)
    self.isColored = isColored
    self.redact = redact
  }

  /// The diagnostic as lines, the last one with its line end.
  public func render(_ diagnostic: Diagnostic) -> String {
    let source = diagnostic.source
    let (line, column) = source.location(of: diagnostic.range.lowerBound)
    let number = String(line)
    let gutter = String(repeating: " ", count: number.count)
    let excerpt = SourceExcerpt(of: diagnostic.range, in: source, width: width, redact: redact)
    let accent = diagnostic.severity == .error ? "31" : "33"

    var output = styled("\(diagnostic.severity.rawValue):", accent)
    output += " " + styled(shown(diagnostic.message), "1") + "\n"
    output += "\(gutter)--> \(shown(source.name)):\(line):\(column)\n"
    output += "\(gutter) |\n"
    output += trimmingEnd("\(number) | \(excerpt.text)") + "\n"
    let carets = String(repeating: "^", count: excerpt.caretWidth)
    let label = diagnostic.label.map { "\(carets) \(shown($0))" } ?? carets
    output += "\(gutter) | " + String(repeating: " ", count: excerpt.caretColumn) + styled(label, accent) + "\n"
    for note in diagnostic.notes {
      output += "\(gutter) = \(shown(note))\n"
    }
    return output
  }

  private func shown(_ text: String) -> String {
    let limit = 1_000
    let text = redact([text]).joined()
    guard text.utf8.count > limit else { return VisibleText.escape(text) }
    return VisibleText.escape("\(text.prefix(limit / 2))…\(text.suffix(limit / 8))")
  }

  private func styled(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private func trimmingEnd(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
