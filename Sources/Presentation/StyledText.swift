// This module turns values into styled text. It never prints, and all it knows about terminals is the rule that only
// our own escape sequences may reach one.

public import Diagnostics
internal import Requests

/// Text with roles. Colors are added when it is rendered, and every control character that a server put into it is made
/// visible there: there is no way around that.
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// What a piece of text is, which determines its color.
  public enum Style: Hashable, Sendable, CaseIterable {
    case plain
    case strong
    case faint
    case success
    case redirection
    case failure
    case warning
    case key
    case string
    case number
    case literal
  }

  private struct Span: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private var spans: [Span] = []

  public init() {}

  public init(_ text: String, _ style: Style = .plain) {
    append(text, style)
  }

  public init(stringLiteral text: String) {
    append(text)
  }

  public var isEmpty: Bool { spans.isEmpty }

  /// Adds text; line ends and tabs keep their meaning, other control characters lose it.
  public mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if spans.last?.style == style {
      spans[spans.count - 1].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  public mutating func append(_ other: StyledText) {
    for span in other.spans { append(span.text, span.style) }
  }

  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.append(right)
    return sum
  }

  /// The same text after `transform` has seen all its pieces together: this is where secrets are hidden.
  public func mapText(_ transform: ([String]) -> [String]) -> StyledText {
    var mapped = StyledText()
    for (text, span) in zip(transform(spans.map(\.text)), spans) { mapped.append(text, span.style) }
    return mapped
  }

  /// Whether the text ends with a line end.
  public var endsLine: Bool { spans.last?.text.last?.isNewline ?? false }

  /// The text with the beginning of each line that is much longer than that, and how many there are of those.
  ///
  /// - Parameter limit: in bytes.
  public func cuttingLines(after limit: Int) -> (text: StyledText, count: Int) {
    // Mostly there is none.
    guard spans.contains(where: { $0.text.utf8.count > limit }) else { return (self, 0) }
    var cut = StyledText()
    var count = 0
    for span in spans {
      for line in span.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if line.offset > 0 { cut.append("\n", span.style) }
        // A little is not worth a cut.
        guard line.element.utf8.count > limit + limit / 10 else {
          cut.append(String(line.element), span.style)
          continue
        }
        let kept = CutText.beginning(line.element.utf8.prefix(limit))
        cut.append(kept, span.style)
        cut.append("\(CutText.mark) \(NumberFormat.bytes(line.element.utf8.count - kept.utf8.count)) more", .faint)
        count += 1
      }
    }
    return (cut, count)
  }

  /// The text up to the end of that line, and how many lines come after it.
  public func split(afterLines limit: Int) -> (kept: StyledText, rest: Int) {
    var kept = StyledText()
    var lines = 0
    for span in spans {
      guard lines < limit else {
        lines += span.text.utf8.count { $0 == UInt8(ascii: "\n") }
        continue
      }
      var end = span.text.startIndex
      while lines < limit, let newline = span.text.utf8[end...].firstIndex(of: UInt8(ascii: "\n")) {
        end = span.text.utf8.index(after: newline)
        lines += 1
      }
      if lines < limit {
        kept.append(span.text, span.style)
      } else {
        kept.append(String(span.text[..<end]), span.style)
        lines += span.text.utf8[end...].count { $0 == UInt8(ascii: "\n") }
      }
    }
    // The last line need not have an end.
    if !isEmpty, !endsLine { lines += 1 }
    return (kept, max(0, lines - limit))
  }

  /// The text for a screen or a pipe.
  ///
  /// - Parameter isColored: whether to put SGR sequences around the pieces; for terminals only.
  public func rendered(isColored: Bool) -> String {
    var rendered = ""
    for span in spans {
      let text = VisibleText.escapeKeepingLines(span.text)
      rendered += isColored ? span.style.colored(text) : text
    }
    return rendered
  }
}

extension StyledText.Style {
  /// The text between SGR sequences (ECMA-48 §8.3.117); for terminals only.
  fileprivate func colored(_ text: String) -> String {
    let code: Int
    switch self {
    case .plain: return text
    case .strong: code = 1
    case .faint: code = 2
    case .failure: code = 31
    case .success, .string: code = 32
    case .warning: code = 33
    case .key: code = 34
    case .literal: code = 35
    case .redirection, .number: code = 36
    }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension DiagnosticRenderer {
  /// Renders for a stream, in the same colors as all other texts if it shows colors.
  ///
  /// - Parameter columns: of the terminal that it is shown on; nil: it is no terminal.
  public init(isColored: Bool, columns: Int? = nil, redact: @escaping @Sendable ([String]) -> [String]) {
    self.init(
      columns: columns, redact: redact,
      style: { text, part in
        guard isColored else { return text }
        return switch part {
        case .error: StyledText.Style.failure.colored(text)
        case .warning: StyledText.Style.warning.colored(text)
        case .message: StyledText.Style.strong.colored(text)
        }
      })
  }
}
