/// What line editing has to know about the language: where a statement ends.
public protocol StatementSyntax: Sendable {
  /// Whether `text` is complete, or needs its next line.
  func completeness(of text: String) -> Completeness

  /// Whether a line belongs to the finished statement before it: it begins with a clause word.
  func isContinuation(_ line: String) -> Bool

  /// Whether a line contains nothing but spaces and a comment.
  func isBlank(_ line: String) -> Bool

  /// Whether no line can belong to this statement, so that no further line is read to find out; by default not.
  func standsAlone(_ statement: String) -> Bool
}

extension StatementSyntax {
  public func standsAlone(_ statement: String) -> Bool { false }
}

/// Whether a text is a whole statement.
public enum Completeness: Sendable, Hashable {
  /// It is, or it has an error that more text would not fix.
  case complete
  /// A bracket or a string is open, or a label is waiting for its step.
  case incomplete
}
