internal import Diagnostics
internal import Imports
internal import Presentation
internal import RequestSyntax

/// A variable in a shell's text, or a reference to a response, while its line is read as if it were text: `Bearer $TOKEN`.
/// What is made of the line has a name in its place afterwards.
enum ShellVariable {
  /// No text that people write has these.
  private static let opening: Unicode.Scalar = "\u{10FFF0}"
  private static let closing: Unicode.Scalar = "\u{10FFF1}"
  /// Before the name of one whose value is percent-encoded.
  private static let encoding: Unicode.Scalar = "\u{10FFF2}"

  static func marked(_ name: some StringProtocol) -> String { "\(opening)\(name)\(closing)" }

  static func isIn(_ text: some StringProtocol) -> Bool { text.unicodeScalars.contains(opening) }

  /// Whether the text begins with one.
  static func begins(_ text: String) -> Bool { text.unicodeScalars.first == opening }

  /// As the shell has it, for messages.
  static func spelled(_ text: String) -> String {
    var spelled = ""
    for piece in pieces(of: text) {
      switch piece {
      case .text(let text): spelled += text
      // A reference has its sign.
      case .variable(let name, _): spelled += name.hasPrefix("$") ? name : "$\(name)"
      }
    }
    return spelled
  }

  static func spelled(_ report: ErrorReport) -> ErrorReport {
    var report = report
    report.message = spelled(report.message)
    report.notes = report.notes.map(spelled)
    return report
  }

  enum Piece {
    case text(String)
    case variable(String, isEncoded: Bool)
  }

  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text.unicodeScalars[...]
    while let start = rest.firstIndex(of: opening), let end = rest[start...].firstIndex(of: closing) {
      if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
      var name = rest[rest.index(after: start)..<end]
      let isEncoded = name.first == encoding
      if isEncoded { name.removeFirst() }
      pieces.append(.variable(String(name), isEncoded: isEncoded))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }

  /// A URL without the braces around a variable in it, which are a pattern of one URL to curl: `/orders/{$id}`.
  static func withoutBraces(_ url: String) -> String {
    url.replacing(/\{(\u{10FFF0}[^\u{10FFF1}]*\u{10FFF1})\}/) { $0.output.1 }
  }

  /// The text with `encode` done to all of it, and later to what the variables in it stand for.
  static func encoded(_ text: String, _ encode: (String) -> String) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): encode(text)
      case .variable(let name, _): marked("\(encoding)\(name)")
      }
    }.joined()
  }

  /// The text with an expression in the place of each.
  ///
  /// - Parameter reference: to a variable.
  static func string(_ text: String, _ reference: (String) -> ExpressionSyntax) -> [StringSyntax.Piece] {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): return .text(text)
      case .variable(let name, false): return .interpolation(reference(name))
      case .variable(let name, true): return .interpolation(reference(name).encodedInForm())
      }
    }
  }

  /// What one stands for in a line that was typed: a reference, or a variable of the environment.
  static func value(_ mark: String) -> ExpressionSyntax {
    guard mark.hasPrefix("$") else { return .environment(mark) }
    return Parser.parseExpression(SourceText(name: "", text: mark)).0 ?? .text(mark)
  }

  /// The value of one that is all of a text.
  static func whole(_ text: String) -> ExpressionSyntax? {
    guard isIn(text), case .variable(let name, isEncoded: false)? = pieces(of: text).first, marked(name) == text else {
      return nil
    }
    return value(name)
  }

  /// A target with their values in it; nil: it has none.
  static func target(_ text: String) -> TargetSyntax? {
    guard isIn(text) else { return nil }
    if case .reference(let reference)? = whole(text) { return .reference(reference, tail: nil) }
    return .string(StringSyntax(string(text, value)))
  }

  /// Puts expressions in the place of those that are in the items and clauses of a step, which has no others then.
  ///
  /// - Throws: for one that is not in an expression: there is no place for one.
  static func replace(
    in step: inout StepSyntax, _ reference: (String) -> ExpressionSyntax
  ) throws(CurlCommand.ParseError) {
    step.rewriteEach { replace(in: &$0, reference) }
    if isIn(SyntaxPrinter.print(ScriptSyntax([.step(step)]))) { throw .words(.expansion("$")) }
  }

  /// Puts expressions in the place of those that are in an expression; one that is all of a text is the reference.
  static func replace(in expression: inout ExpressionSyntax, _ reference: (String) -> ExpressionSyntax) {
    let text: String
    switch expression {
    case .string(let string): text = string.plainText ?? ""
    case .word(let word): text = word.plainText ?? ""
    default: return
    }
    guard isIn(text) else { return }
    let pieces = string(text, reference)
    if pieces.count == 1, case .interpolation(let whole) = pieces[0] {
      if case .pipe = whole { expression = .string(StringSyntax(pieces)) } else { expression = whole }
    } else {
      expression = .string(StringSyntax(pieces))
    }
  }
}
