public import Diagnostics

/// Anything that has a value.
public indirect enum ExpressionSyntax: Sendable, Hashable {
  case reference(ReferenceSyntax)
  /// `status`, `body`, …: a member of the exchange that an expectation is about.
  case member(NameSyntax)
  case call(CallSyntax)
  /// `operand.name[0]` after a member, a call or parentheses.
  case path(PathSyntax)
  case parenthesized(ParenthesizedSyntax)
  case number(NumberSyntax)
  case string(StringSyntax)
  /// An unquoted value, in the places that allow one.
  case word(WordSyntax)
  case object(ObjectSyntax)
  case array(ArraySyntax)
  case literal(LiteralSyntax)
  case unary(UnarySyntax)
  case binary(BinarySyntax)
  /// `value | function`
  case pipe(PipeSyntax)
  /// `value ?? default`
  case fallback(FallbackSyntax)
  case shapeTest(ShapeTestSyntax)
  case conditional(ConditionalSyntax)
  case quantified(QuantifiedSyntax)

  public var range: SourceRange {
    switch self {
    case .reference(let node): node.range
    case .member(let node): node.range
    case .call(let node): node.range
    case .path(let node): node.range
    case .parenthesized(let node): node.range
    case .number(let node): node.range
    case .string(let node): node.range
    case .word(let node): node.range
    case .object(let node): node.range
    case .array(let node): node.range
    case .literal(let node): node.range
    case .unary(let node): node.range
    case .binary(let node): node.left.range.union(node.right.range)
    case .pipe(let node): node.input.range.union(node.call.range)
    case .fallback(let node): node.value.range.union(node.defaultValue.range)
    case .shapeTest(let node): node.value.range.union(node.shape.range)
    case .conditional(let node): node.range
    case .quantified(let node): node.range
    }
  }
}

/// `name(arguments)`; after a pipe the parentheses may be omitted.
public struct CallSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var arguments: [ArgumentSyntax]
  @Unequal public var range: SourceRange
}

public struct PathSyntax: Sendable, Hashable {
  public var base: ExpressionSyntax
  public var segments: [SegmentSyntax]
  @Unequal public var range: SourceRange
}

/// Parentheses are kept: the printed text has them where they were written.
public struct ParenthesizedSyntax: Sendable, Hashable {
  public var inner: ExpressionSyntax
  @Unequal public var range: SourceRange
}

/// A number as it was written, possibly a duration or a size.
public struct NumberSyntax: Sendable, Hashable {
  public var text: String
  public var unit: Unit?
  @Unequal public var range: SourceRange

  public enum Unit: String, Sendable, Hashable, CaseIterable {
    case ms, s, m, h
    case byte = "B"
    case kB = "KB"
    case megabyte = "MB"
    case gigabyte = "GB"
    case terabyte = "TB"
    case kibibyte = "KiB"
    case mebibyte = "MiB"
    case gibibyte = "GiB"
    case tebibyte = "TiB"
  }
}

/// A string; its pieces are decoded.
public struct StringSyntax: Sendable, Hashable {
  public enum Style: Sendable, Hashable {
    /// `"…"`
    case quoted
    /// `'…'`
    case raw
    /// `"""`
    case block
  }

  public enum Piece: Sendable, Hashable {
    case text(String)
    case interpolation(ExpressionSyntax)
  }

  public var style: Style
  /// No two adjacent texts, none empty.
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

public struct ObjectSyntax: Sendable, Hashable {
  public enum Member: Sendable, Hashable {
    case field(key: KeySyntax, value: ExpressionSyntax, TypedSyntax)
    case spread(ExpressionSyntax)
  }

  public var members: [Member]
  @Unequal public var range: SourceRange
}

/// A key of an object: a bare name or a string.
public enum KeySyntax: Sendable, Hashable {
  case name(NameSyntax)
  case string(StringSyntax)

  public var range: SourceRange {
    switch self {
    case .name(let name): name.range
    case .string(let string): string.range
    }
  }

  /// The key, if it contains no expressions; otherwise nil.
  public var plainText: String? {
    switch self {
    case .name(let name): name.text
    case .string(let string): string.plainText
    }
  }
}

public struct ArraySyntax: Sendable, Hashable {
  public enum Element: Sendable, Hashable {
    case value(ExpressionSyntax)
    case spread(ExpressionSyntax)
  }

  public var elements: [Element]
  @Unequal public var range: SourceRange
}

public struct LiteralSyntax: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case `true`, `false`, null
  }

  public var kind: Kind
  @Unequal public var range: SourceRange
}

public struct UnarySyntax: Sendable, Hashable {
  public enum Operator: String, Sendable, Hashable {
    case negate = "-"
    case not
  }

  public var `operator`: Operator
  public var operand: ExpressionSyntax
  @Unequal public var range: SourceRange
}

public struct BinarySyntax: Sendable, Hashable {
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    case or, and
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case contains
    case startsWith = "starts-with"
    case endsWith = "ends-with"
    case matches
    case `in`
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  public var left: ExpressionSyntax
  public var `operator`: Operator
  public var right: ExpressionSyntax
}

public struct PipeSyntax: Sendable, Hashable {
  public var input: ExpressionSyntax
  public var call: CallSyntax
}

public struct FallbackSyntax: Sendable, Hashable {
  public var value: ExpressionSyntax
  public var defaultValue: ExpressionSyntax
}

public struct ShapeTestSyntax: Sendable, Hashable {
  public var value: ExpressionSyntax
  public var shape: ShapeSyntax
}

/// `every $name in items satisfies condition`, or `some …`
public struct QuantifiedSyntax: Sendable, Hashable {
  /// Whether the condition must hold for each item, or for one of them.
  public var isUniversal: Bool
  public var name: NameSyntax
  public var items: ExpressionSyntax
  public var condition: ExpressionSyntax
  @Unequal public var range: SourceRange
}

/// `if condition then value else other`
public struct ConditionalSyntax: Sendable, Hashable {
  public var condition: ExpressionSyntax
  public var value: ExpressionSyntax
  public var otherwise: ExpressionSyntax
  @Unequal public var range: SourceRange
}
