public import Diagnostics

/// A piece of text with what the parser took it for. The trivia (blanks and comments) before it belongs to it, so the
/// texts of all tokens of a file concatenate to the file.
public struct Token: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case name, number, punctuation
    /// A quote, or what stands between quotes and is no expression.
    case string
    /// Part of a target or an unquoted value.
    case word
    case lineEnd
    /// What the parser passed over after an error.
    case skipped
    case endOfFile
  }

  public var kind: Kind
  /// Where the trivia before the token begins.
  public var triviaStart: Int
  public var range: SourceRange

  /// The token with its trivia.
  public var fullRange: SourceRange { SourceRange(triviaStart, range.upperBound) }
}
