public import Diagnostics

/// What a value looks like: `{ id: int, state: "ready" | "pending", tags: [string], note?: string, ... }`.
public struct ShapeSyntax: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case named(Named)
    case boolean(Bool)
    indirect case string(StringSyntax)
    case number(String)
    /// Of any number of elements, each of this shape; nil: of none.
    indirect case array(ShapeSyntax?)
    case object([Member], isOpen: Bool)
    /// Two or more.
    case either([ShapeSyntax])
    /// What the file of the snapshot says; only as a whole.
    case snapshot
  }

  /// Whether it is the shape that the file of the snapshot has.
  public var isSnapshot: Bool { if case .snapshot = kind { true } else { false } }

  public enum Named: String, Sendable, Hashable, CaseIterable {
    case any, null, bool, int, number, string, url, datetime, float
  }

  public struct Member: Sendable, Hashable {
    public var key: KeySyntax
    public var isOptional: Bool
    public var shape: ShapeSyntax
  }

  public var kind: Kind
  @Unequal public var range: SourceRange
}

extension ShapeSyntax {
  /// `is snapshot`
  public static let snapshotWord = "snapshot"
}

extension ShapeSyntax.Member {
  public init(_ key: String, isOptional: Bool = false, _ shape: ShapeSyntax) {
    self.init(key: KeySyntax(key), isOptional: isOptional, shape: shape)
  }
}
