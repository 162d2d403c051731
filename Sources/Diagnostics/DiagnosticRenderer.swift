/// Renders diagnostics in one format for every text:
///
///     error: step "upload" uses $alocate, which names nothing
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
  /// Those of the terminal, where a line that goes on would have its carets below something else; nil: as many as needed.
  private let columns: Int?
  /// Hides what must not be shown, in the pieces of one text. It sees them as they are: before anything is escaped, cut,
  /// or taken as a line.
  private let redact: @Sendable ([String]) -> [String]
  private let style: @Sendable (String, Part) -> String

  /// A part of a diagnostic that is emphasized.
  public enum Part: Sendable {
    case error, warning, message
  }

  /// - Parameters:
  ///   - columns: those of the terminal that it is shown on, if it is one: lines of source text fit into them.
  ///   - redact: hides what must not be shown, in the pieces of one text; it returns as many.
  ///   - style: adds colors to a part, if they are shown.
  public init(
    width: Int = 100, columns: Int? = nil, redact: @escaping @Sendable ([String]) -> [String] = { $0 },
    style: @escaping @Sendable (String, Part) -> String = { text, _ in text }
  ) {
    self.width = max(20, width)
    self.columns = columns
    self.redact = redact
    self.style = style
  }

  /// The diagnostic as lines, the last one with its line end.
  public func render(_ diagnostic: Diagnostic) -> String {
    let source = diagnostic.source
    let (line, column) = source.location(of: diagnostic.range.lowerBound)
    let number = String(line)
    let gutter = String(repeating: " ", count: number.count)
    let width = columns.map { min(self.width, max(20, $0 - gutter.count - 3)) } ?? self.width
    let excerpt = SourceExcerpt(of: diagnostic.range, in: source, width: width, redact: redact)
    let accent = diagnostic.severity == .error ? Part.error : .warning

    var output = style("\(diagnostic.severity.rawValue):", accent)
    output += " " + style(shown(diagnostic.message), .message) + "\n"
    output += "\(gutter)--> \(shown(source.name)):\(line):\(column)\n"
    output += "\(gutter) |\n"
    output += trimmingEnd("\(number) | \(excerpt.text)") + "\n"
    let carets = String(repeating: "^", count: excerpt.caretWidth)
    let indent = String(repeating: " ", count: excerpt.caretColumn)
    var label = diagnostic.label.map(shown)
    var notes = diagnostic.notes.map(shown)
    // One that does not fit there has a line of its own.
    if let text = label, let columns, gutter.count + 3 + indent.count + carets.count + 1 + text.count > columns {
      notes.insert(text, at: 0)
      label = nil
    }
    output += "\(gutter) | \(indent)" + style(label.map { "\(carets) \($0)" } ?? carets, accent) + "\n"
    for note in notes { output += "\(gutter) = \(note)\n" }
    return output
  }

  private func shown(_ text: String) -> String {
    let limit = 1_000
    let text = redact([text]).joined()
    guard text.utf8.count > limit else { return VisibleText.escape(text) }
    return VisibleText.escape("\(text.prefix(limit / 2))…\(text.suffix(limit / 8))")
  }

  private func trimmingEnd(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
