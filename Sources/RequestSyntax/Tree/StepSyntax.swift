public import Diagnostics

/// `[label:] METHOD target item* clause*`
public struct StepSyntax: Sendable, Hashable {
  public var label: NameSyntax?
  public var method: NameSyntax
  public var target: TargetSyntax
  /// The word `form` or `multipart` before the request items.
  public var itemBody: ItemBody?
  public var items: [RequestItemSyntax]
  public var clauses: [ClauseSyntax]
  @Unequal public var range: SourceRange

  public enum ItemBody: String, Sendable, Hashable {
    case form, multipart
  }
}

/// Where a request goes.
public enum TargetSyntax: Sendable, Hashable {
  /// An absolute URL, a path, or `profile:/path`.
  case word(WordSyntax)
  /// `$reference`, optionally followed by `/…` or `?…`.
  case reference(ReferenceSyntax, tail: WordSyntax?)
  /// `( … )`
  case expression(ExpressionSyntax)
  case string(StringSyntax)

  public var range: SourceRange {
    switch self {
    case .word(let word): word.range
    case .reference(let reference, let tail): tail.map { reference.range.union($0.range) } ?? reference.range
    case .expression(let expression): expression.range
    case .string(let string): string.range
    }
  }
}

/// A run of characters up to whitespace, with expressions in braces.
public struct WordSyntax: Sendable, Hashable {
  public enum Piece: Sendable, Hashable {
    case text(String)
    /// `{expr}`, or `{+expr}`, which keeps reserved characters.
    case interpolation(ExpressionSyntax, keepsReserved: Bool)
  }

  public var pieces: [Piece]
  @Unequal public var range: SourceRange

  /// The text, if it contains no expression.
  public var plainText: String? {
    switch pieces.count {
    case 0: ""
    case 1: if case .text(let text) = pieces[0] { text } else { nil }
    default: nil
    }
  }
}

/// HTTPie's shorthand: `name=text`, `name:=json`, `query==text`, `Header:text`, `field@path`.
public struct RequestItemSyntax: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case text = "="
    case json = ":="
    case query = "=="
    case header = ":"
    case file = "@"
  }

  public var key: NameSyntax
  public var kind: Kind
  public var value: ExpressionSyntax
  @Unequal public var range: SourceRange
}
