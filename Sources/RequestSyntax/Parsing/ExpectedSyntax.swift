import Diagnostics

/// What the parser could go on with at the end of a text, for a completion.
public struct ExpectedSyntax: Sendable, Hashable {
  /// What a production asked for.
  public enum Item: Sendable, Hashable {
    /// One of these words.
    case words([String])
    /// How a request proves who sends it: `bearer`, or the name of a signer.
    case authScheme
    case target, headerName, fileName, origin
    /// The name of something that is declared elsewhere.
    case profile, sequence, function
    /// A member of the exchange, without a `$`.
    case member
    /// The name after a `$`.
    case root
    /// The next segment of a reference; those before it are complete.
    case segment(root: String, [SegmentSyntax])
  }

  /// Where what is expected begins, as a UTF-8 offset: from there to the end it is typed already.
  public fileprivate(set) var start = 0
  public fileprivate(set) var items: [Item] = []
  /// Whether an error reaches to the end of the text: what follows it means nothing.
  var isOver = false
}

extension Parser {
  /// What could stand at the end of a text: of a script, or of an expression.
  public static func expectation(atEndOf text: Substring, isExpression: Bool = false) -> ExpectedSyntax {
    var parser = Parser(SourceText(name: "", text: String(text)), keepsTokens: true)
    parser.expectation = ExpectedSyntax()
    if isExpression {
      parser.lexer.depth = 1
      _ = try? parser.expression()
    } else {
      _ = parser.statements()
    }
    return parser.expectation ?? ExpectedSyntax()
  }

  /// Notes what may stand `offset` bytes on. What was noted before it is passed; a word that goes on is not.
  mutating func expects(_ item: @autoclosure () -> ExpectedSyntax.Item?, at offset: Int = 0) {
    guard expectation != nil, offset > 0 || canBegin, let item = item() else { return }
    note(item, at: lexer.position + offset)
  }

  /// Notes that a segment may stand here, which needs no white space before it.
  mutating func expectsSegment(of root: String, _ segments: [SegmentSyntax]) {
    if expectation != nil { note(.segment(root: root, segments), at: lexer.position) }
  }

  private mutating func note(_ item: ExpectedSyntax.Item, at place: Int) {
    guard var noted = expectation, !noted.isOver, place >= noted.start else { return }
    if place > noted.start { noted.items = [] }
    noted.start = place
    if !noted.items.contains(item) { noted.items.append(item) }
    expectation = noted
  }

  /// Whether a word that stands here is not the rest of another one.
  private var canBegin: Bool {
    guard !lexer.isAfterTrivia, let last = lexer.tokens.last else { return true }
    return last.kind == .lineEnd
      || last.kind == .punctuation && !")]}".utf8.contains(lexer.bytes[last.range.upperBound - 1])
  }
}
