// This module turns values into styled text. It never prints, and all it knows about terminals is the rule that only
// our own escape sequences may reach one.

internal import Diagnostics

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
    return (kept, max(0, lines - limit))
  }

  /// The text for a screen or a pipe.
  ///
  /// - Parameter isColored: whether to put SGR sequences around the pieces; for terminals only.
  public func rendered(isColored: Bool) -> String {
    var rendered = ""
    for span in spans {
      let text = VisibleText.escapeKeepingLines(span.text)
      if isColored, let code = span.style.code {
        rendered += "\u{1B}[\(code)m\(text)\u{1B}[0m"
      } else {
        rendered += text
      }
    }
    return rendered
  }
}

extension StyledText.Style {
  /// The SGR parameters (ECMA-48 §8.3.117).
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    case .success: "32"
    case .redirection: "36"
    case .failure: "31"
    case .warning: "33"
    case .key: "34"
    case .string: "32"
    case .number: "36"
    case .literal: "35"
    }
  }
}
