public import Diagnostics

/// `$name` followed by a JSONPath (RFC 9535).
public struct ReferenceSyntax: Sendable, Hashable {
  /// Without the `$`: a name, the number of a step, or `_`. Its range includes the `$`.
  public var root: NameSyntax
  public var segments: [SegmentSyntax]
  @Unequal public var range: SourceRange

  public init(root: NameSyntax, segments: [SegmentSyntax], range: SourceRange) {
    self.root = root
    self.segments = segments
    self.range = range
  }
}

public struct SegmentSyntax: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// `.name`
    case name(String)
    /// `.*`
    case wildcard
    /// `..name`
    case descendantName(String)
    /// `..*`
    case descendantWildcard
    /// `[…]`, or `..[…]`
    case bracket([SelectorSyntax], isDescendant: Bool)
  }

  public var kind: Kind
  /// Starting at the dot or bracket.
  @Unequal public var range: SourceRange

  public init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

public struct SelectorSyntax: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int?)
    case name(String)
    /// RFC 9535's logical expression as it was written, without the `?`.
    case filter(String)
    /// `[$i]`: the index or key that the reference holds.
    case reference(ReferenceSyntax)
  }

  public var kind: Kind
  /// For a filter: the text after the `?`.
  @Unequal public var range: SourceRange

  public init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}
