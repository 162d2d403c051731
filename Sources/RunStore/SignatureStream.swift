internal import UploaderCore

/// Takes signatures out of a body that is read piece by piece, whatever kind of text it is. JSON stays JSON.
struct SignatureStream {
  /// The end of what was read, in which a name or its value may go on.
  private var held: [UInt8] = []

  /// At least this much is held back, in bytes.
  private static let reach = 16 << 10
  /// A name is at most this far before its value, in bytes.
  private static let nameReach = 64
  /// No signature is this long, in bytes.
  private static let longest = 1 << 20

  /// What is certain by now.
  mutating func drop(from piece: [UInt8]) -> [UInt8] {
    held += piece
    return held.count > Self.reach ? advance(to: held.count - Self.reach) : []
  }

  /// The rest.
  mutating func finish() -> [UInt8] { advance(to: held.count) }

  private mutating func advance(to limit: Int) -> [UInt8] {
    let ranges = PresignedValues.ranges(in: held)
    var end = limit
    if limit < held.count, held.count <= Self.longest {
      // What lies across the end is looked at again, with its name.
      for range in ranges.reversed() where range.upperBound > end && range.lowerBound - Self.nameReach < end {
        end = max(0, range.lowerBound - Self.nameReach)
      }
    }
    var result: [UInt8] = []
    var start = 0
    for range in ranges where range.upperBound <= end {
      result += held[start..<range.lowerBound] + PresignedText.mark.utf8
      start = range.upperBound
    }
    if start < end { result += held[start..<end] }
    held.removeFirst(max(start, end))
    return result
  }
}
