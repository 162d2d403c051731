internal import Requests

/// Matches of secrets, each of which overlaps with another: nothing of any of them may remain.
struct OverlappingMatches {
  /// A piece of a match, usually all of it.
  struct Tile {
    var piece: Range<Int>
    var match: Range<Int>
  }

  /// In order.
  private var matches: [Range<Int>]
  /// The range they cover together.
  private(set) var range: Range<Int>

  /// - Parameter first: nothing before it overlaps with it.
  init(from first: Range<Int>, in bytes: [UInt8], _ search: ByteSearch) {
    matches = [first]
    range = first
    var start = first.lowerBound + 1
    while let next = search.firstMatch(in: bytes, from: start, before: range.upperBound) {
      matches.append(next)
      range = range.lowerBound..<max(range.upperBound, next.upperBound)
      start = next.lowerBound + 1
    }
  }

  /// The pieces that cover the whole range, in order and disjoint.
  ///
  /// - Parameter rank: matches of a lower rank stay whole if possible.
  func tiles(in bytes: [UInt8], rank: ([UInt8]) -> Int) -> [Tile] {
    if matches.count == 1 { return [Tile(piece: range, match: range)] }
    var isFree = [Bool](repeating: true, count: range.count)
    var tiles: [Tile] = []
    let ranked = matches.map { (match: $0, rank: rank(Array(bytes[$0]))) }
    let ordered = ranked.sorted { ($0.rank, $0.match.lowerBound) < ($1.rank, $1.match.lowerBound) }.map(\.match)
    func take(_ piece: Range<Int>, of match: Range<Int>) {
      tiles.append(Tile(piece: piece, match: match))
      for index in piece { isFree[index - range.lowerBound] = false }
    }
    for match in ordered where match.allSatisfy({ isFree[$0 - range.lowerBound] }) { take(match, of: match) }
    for match in ordered {
      var start = match.lowerBound
      while start < match.upperBound {
        guard isFree[start - range.lowerBound] else {
          start += 1
          continue
        }
        var end = start
        while end < match.upperBound, isFree[end - range.lowerBound] { end += 1 }
        take(start..<end, of: match)
        start = end
      }
    }
    return tiles.sorted { $0.piece.lowerBound < $1.piece.lowerBound }
  }
}
