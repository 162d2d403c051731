import Diagnostics

/// Whether a text typed so far is complete, for a prompt that continues on the next line.
public enum InputCompleteness: Sendable, Hashable {
  /// It can be parsed, or has errors that more lines would not fix.
  case complete
  /// It ends inside brackets, a block or `"""`, or after a label.
  case open

  /// Judges all lines typed so far.
  public init(of text: String) {
    self = Parser.parse(SourceText(name: "", text: text), items: .typed).isIncomplete ? .open : .complete
  }

  /// Whether a line starts with a clause word, so that it belongs to the step above it; blank lines and comments do
  /// too, since a clause may follow them.
  public static func continuesStep(_ line: String) -> Bool {
    let lexer = Lexer(SourceText(name: "", text: line))
    let offset = lexer.offsetBehindLineEnds
    let length = lexer.nameLength(at: offset)
    if length == 0 { return lexer.peek(offset) == nil }
    return lexer.peek(offset + length) != UInt8(ascii: ":")
      && lexer.isName(length, in: Keywords.clauseSet, at: offset)
  }
}
