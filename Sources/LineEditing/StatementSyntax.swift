/// What line editing has to know of the language: where a statement ends.
public protocol StatementSyntax: Sendable {
  /// Whether `text` can stand alone, or needs its next line.
  func completeness(of text: String) -> Completeness

  /// Whether a line belongs to the finished statement before it: it begins with a clause word.
  func isContinuation(_ line: String) -> Bool

  /// Whether a line holds nothing but blanks and a comment.
  func isBlank(_ line: String) -> Bool

  /// Whether no line can belong to this statement, so that none is read to see whether it does; by default not.
  func standsAlone(_ statement: String) -> Bool
}

extension StatementSyntax {
  public func standsAlone(_ statement: String) -> Bool { false }
}

/// Whether a text is a whole statement.
public enum Completeness: Sendable, Hashable {
  /// It is, or it has an error that more text would not mend.
  case complete
  /// A bracket or a string is open, or a label waits for its step.
  case incomplete
}
