/// A half-open range of UTF-8 offsets in one `SourceText`. A tree is full of them, so they are small: in a text of more
/// than 4 GiB, everything beyond that is one place.
public struct SourceRange: Sendable, Hashable {
  private var lower: UInt32
  private var upper: UInt32

  public var lowerBound: Int { Int(lower) }
  public var upperBound: Int { Int(upper) }

  /// A range from `lowerBound` up to but not including `upperBound`; never negative in length.
  public init(_ lowerBound: Int, _ upperBound: Int) {
    lower = UInt32(clamping: lowerBound)
    upper = UInt32(clamping: max(lowerBound, upperBound))
  }

  /// The empty range at `offset`: a place between two characters.
  public init(at offset: Int) {
    self.init(offset, offset)
  }

  public var isEmpty: Bool { lowerBound == upperBound }

  /// The smallest range that contains both.
  public func union(_ other: SourceRange) -> SourceRange {
    SourceRange(min(lowerBound, other.lowerBound), max(upperBound, other.upperBound))
  }
}
