/// A half-open range of UTF-8 offsets in one `SourceText`.
public struct SourceRange: Sendable, Hashable {
  public var lowerBound: Int
  public var upperBound: Int

  /// A range from `lowerBound` up to but not including `upperBound`; never negative in length.
  public init(_ lowerBound: Int, _ upperBound: Int) {
    self.lowerBound = lowerBound
    self.upperBound = max(lowerBound, upperBound)
  }

  /// The empty range at `offset`: a place between two characters.
  public init(at offset: Int) {
    self.init(offset, offset)
  }

  public var isEmpty: Bool { lowerBound == upperBound }

  /// The smallest range that holds both.
  public func union(_ other: SourceRange) -> SourceRange {
    SourceRange(min(lowerBound, other.lowerBound), max(upperBound, other.upperBound))
  }
}
