import Diagnostics

/// What the parser could accept at the end of a text, for completion.
public struct ExpectedSyntax: Sendable, Hashable {
  /// What a production asked for.
  public enum Item: Sendable, Hashable {
    /// One of these words.
    case words([String])
    /// How a request proves who sends it: `bearer`, or the name of a signer.
    case authScheme
    case target, headerName, fileName, origin
    /// A header as an item, `Accept:…`.
    case headerItem
    /// The path of a file without quotation marks, as in `file@a.png`.
    case filePath
    /// The name of something that is declared elsewhere.
    case profile, sequence, function
    /// A member of the exchange, without a `$`.
    case member
    /// The name after a `$`.
    case root
    /// The next segment of a reference; those before it are complete.
    case segment(root: String, [SegmentSyntax])
  }

  /// Where the expected syntax starts, as a UTF-8 offset: what is between it and the end has been typed already.
  public fileprivate(set) var start = 0
  public fileprivate(set) var items: [Item] = []
  /// Whether an error extends to the end of the text, so that nothing after it has a meaning.
  var isOver = false
}

extension Parser {
  /// What could follow at the end of a text: a script, or an expression.
  ///
  /// - Parameter items: what the items of a request mean.
  public static func expectation(
    atEndOf text: Substring, isExpression: Bool = false, items: ItemStyle = .script
  ) -> ExpectedSyntax {
    var parser = Parser(SourceText(name: "", text: String(text)), keepsTokens: true)
    parser.itemStyle = items
    parser.expectation = ExpectedSyntax()
    if isExpression {
      parser.lexer.depth = 1
      _ = try? parser.expression()
    } else {
      _ = parser.statements()
    }
    return parser.expectation ?? ExpectedSyntax()
  }

  /// Notes what may follow `offset` bytes from here, in place of anything noted for an earlier position. Nothing is
  /// noted here in the middle of a word.
  mutating func expects(_ item: @autoclosure () -> ExpectedSyntax.Item?, at offset: Int = 0) {
    guard expectation != nil, offset > 0 || canBegin, let item = item() else { return }
    note(item, at: lexer.position + offset)
  }

  /// Notes that a segment may follow here, which needs no whitespace before it.
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

  /// Whether a word can begin here, rather than be the rest of another one.
  private var canBegin: Bool {
    guard !lexer.isAfterTrivia, let last = lexer.tokens.last else { return true }
    return last.kind == .lineEnd
      || last.kind == .punctuation && !")]}".utf8.contains(lexer.bytes[last.range.upperBound - 1])
  }
}
