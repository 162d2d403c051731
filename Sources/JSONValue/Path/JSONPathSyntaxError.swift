/// Why a text is not a JSONPath, and where.
public struct JSONPathSyntaxError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Fact: Hashable, Sendable {
    /// Something else is here, or nothing at all.
    case expected(Expectation)
    /// The text continues after the path.
    case trailingText
    /// Not within ±(2^53 − 1), or with leading zeros (RFC 9535 §2.1).
    case invalidInteger
    /// Not a number as defined by JSON (RFC 8259 §6).
    case invalidNumber
    /// A backslash followed by something that RFC 9535 §2.3.1.1 does not know.
    case invalidEscape
    /// A `\u` escape of half a surrogate pair.
    case loneSurrogate
    /// A control character that must be escaped in a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A function that RFC 9535 §2.4 does not have.
    case unknownFunction(String)
    /// A function with more or fewer arguments than it takes.
    case argumentCount(function: String, expected: Int)
    /// This argument must be a query, not a value.
    case argumentMustBeQuery(function: String)
    /// Only a path of names and indices has one value to compare (RFC 9535 §2.3.5.1).
    case mustBeSingular
    /// `match(…)` and `search(…)` are true or false, not values to compare.
    case notComparable(function: String)
    /// A value or function that is not a condition must be compared with something.
    case mustBeCompared
    /// A bare `$` where another language's `$name` is meant.
    case bareRoot
    /// More nested filters and brackets than the parser allows.
    case nestedTooDeeply(limit: Int)
  }

  /// What would have been right.
  public enum Expectation: Hashable, Sendable {
    /// `$`, which every path starts with.
    case root
    /// A member's name after a dot.
    case name
    /// A name, index, slice, `*` or `?` in brackets.
    case selector
    /// `,` or `]`.
    case commaOrBracket
    /// What a filter tests.
    case condition
    /// A value to compare with.
    case comparable
    /// `)`
    case parenthesis
    /// `,` or `)`.
    case commaOrParenthesis
    /// The quote that closes a string.
    case stringEnd
    /// `&&`, `||`, or the end of the condition.
    case bracketOrOperator
  }

  /// What is wrong.
  public let fact: Fact
  /// In bytes of UTF-8, from 0.
  public let offset: Int
  /// In Unicode scalars, from 1.
  public let column: Int

  init(_ fact: Fact, at offset: Int, in bytes: [UInt8]) {
    self.fact = fact
    self.offset = offset
    column = 1 + bytes.prefix(offset).count { $0 & 0xC0 != 0x80 }
  }
}

extension JSONPathSyntaxError: CustomStringConvertible {
  public var description: String { "\(sentence) at column \(column)" }

  /// What is wrong, without the place.
  public var sentence: String {
    switch fact {
    case .expected(let expectation): "expected \(expectation)"
    case .trailingText: "something follows the path"
    case .invalidInteger: "an index is a whole number within ±(2^53 - 1), without leading zeros"
    case .invalidNumber: "this is not a number"
    case .invalidEscape: "no such escape"
    case .loneSurrogate: "half a surrogate pair is not a character"
    case .controlCharacter: "a control character must be escaped"
    case .invalidUTF8: "this is not UTF-8"
    case .unknownFunction(let name):
      "there is no function \"\(name)\"; the functions are length, count, match, search, value"
    case .argumentCount(let name, let count): "\(name)() takes \(count == 1 ? "one argument" : "two arguments")"
    case .argumentMustBeQuery(let name): "\(name)() takes a path that begins with @ or $"
    case .mustBeSingular: "only a path of names and indices has one value to compare"
    case .notComparable(let name): "\(name)() is already true or false and cannot be compared"
    case .mustBeCompared: "this alone is not a condition; compare it with something"
    case .bareRoot: "$ needs a name after it here"
    case .nestedTooDeeply(let limit): "nested more than \(limit) levels deep"
    }
  }
}

extension JSONPathSyntaxError.Expectation: CustomStringConvertible {
  public var description: String {
    switch self {
    case .root: "\"$\""
    case .name: "a name, \"*\" or \"[\""
    case .selector: "a quoted name, an index, a slice, \"*\" or \"?\""
    case .commaOrBracket: "\",\" or \"]\""
    case .condition: "a condition"
    case .comparable: "a value, a path or a function to compare with"
    case .parenthesis: "\")\""
    case .commaOrParenthesis: "\",\" or \")\""
    case .stringEnd: "the end of the string"
    case .bracketOrOperator: "\"&&\", \"||\" or the end of the condition"
    }
  }
}
