public import Diagnostics

/// A piece of text with the kind that the parser gave it. The trivia (spaces and comments) before it belongs to it, so
/// the texts of all tokens of a file concatenate to the file.
public struct Token: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case name, number, punctuation
    /// A quote, or text between quotes that is not an expression.
    case string
    /// Part of a target or an unquoted value.
    case word
    case lineEnd
    /// What the parser skipped after an error.
    case skipped
    case endOfFile
  }

  public var kind: Kind
  /// Where the trivia before the token starts.
  public var triviaStart: Int
  public var range: SourceRange

  /// The token with its trivia.
  public var fullRange: SourceRange { SourceRange(triviaStart, range.upperBound) }
}
