public import Diagnostics

/// Why a text is not a script, as a fact with its place.
public struct SyntaxError: Error, Sendable, Hashable {
  public enum Fact: Sendable, Hashable {
    case invalidUTF8
    case controlCharacter
    /// What the grammar wants here, such as `a target`.
    case expected(String)
    /// A bracket or quote that is not closed, and where it was opened.
    case unclosed(String, opened: SourceRange)
    case unopenedBrace
    case nestedTooDeeply
    case unknownStatement(String)
    case unknownClause(String)
    case unknownSetting(String)
    case unknownUnit(String)
    case unknownShape(String)
    /// `snapshot` in a shape, or beside one.
    case partialSnapshot
    /// A name without `$` where a value is expected.
    case bareName(String)
    /// `status`, `body`, … outside `expect` and `until`.
    case memberOutsideExpectation(String)
    case invalidEscape
    case loneSurrogate
    case numberOutOfRange
    /// `+`, `-`, `*`, `/` without spaces around them.
    case operatorWithoutSpaces(String)
    case secondComparison
    /// An unquoted value followed by more text; the range of the value.
    case valueOfSeveralWords(value: SourceRange)
    /// What HTTPie's items would say together cannot be.
    case item(ItemError)
    /// An item of a script that means something else for HTTPie: the clauses for what HTTPie means, if it means
    /// anything, and for what is written.
    case ambiguousItem(meanings: [String])
    /// `list:='[1, 2]'`, which may be meant as for a shell.
    case quotedJSON(meanings: [String])
    /// A line of `"""` indented less than its closing quotes.
    case shallowLine
  }

  public var fact: Fact
  public var range: SourceRange

  public init(fact: Fact, range: SourceRange) {
    self.fact = fact
    self.range = range
  }
}

extension SyntaxError {
  /// The deepest nesting of brackets and blocks; a text that exceeds it is refused.
  public static let nestingLimit = 200
}
