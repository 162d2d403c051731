// Text to tree and back. This module knows the grammar and nothing else: neither what a name means, nor what a request
// is. A tree is plain values; two nodes are equal when they mean the same, wherever they are.

public import Diagnostics

/// A whole file, or everything that was typed together.
public struct ScriptSyntax: Sendable, Hashable {
  public var statements: [StatementSyntax]
  /// In the order of the text. Comments belong to no node; the printer puts them back by their place.
  @Unequal public var comments: [CommentSyntax]
}

/// From `#` to the end of the line.
public struct CommentSyntax: Sendable, Hashable {
  public var text: String
  public var range: SourceRange
  /// Whether nothing is before it on its line.
  public var standsAlone: Bool
  /// Whether an empty line follows.
  public var endsParagraph: Bool

  public init(text: String, range: SourceRange, standsAlone: Bool, endsParagraph: Bool) {
    self.text = text
    self.range = range
    self.standsAlone = standsAlone
    self.endsParagraph = endsParagraph
  }
}

/// A name with its place.
public struct NameSyntax: Sendable, Hashable {
  public var text: String
  @Unequal public var range: SourceRange

  public init(text: String, range: SourceRange) {
    self.text = text
    self.range = range
  }
}

/// Keeps a property out of `==` and `hash`: the place of a node is not part of its meaning.
@propertyWrapper
public struct Unequal<Value: Sendable>: Sendable, Hashable {
  public var wrappedValue: Value

  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  public static func == (left: Self, right: Self) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
