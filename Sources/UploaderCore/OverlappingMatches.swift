internal import Requests

/// Matches of secrets, each of which overlaps with another: nothing of any of them may remain.
struct OverlappingMatches {
  /// A piece of a match, usually all of it.
  struct Tile {
    var piece: Range<Int>
    var match: FormSearch.Match
  }

  /// In order.
  private let matches: ArraySlice<FormSearch.Match>
  /// The range they cover together.
  let range: Range<Int>

  /// Those that overlap with the first of these, directly or through others.
  ///
  /// - Parameter following: all that follow, in order; nothing before them overlaps with them.
  init?(from following: ArraySlice<FormSearch.Match>) {
    guard let first = following.first else { return nil }
    var range = first.range
    var end = following.startIndex
    while end < following.endIndex, following[end].range.lowerBound < range.upperBound {
      range = range.lowerBound..<max(range.upperBound, following[end].range.upperBound)
      end += 1
    }
    self.range = range
    matches = following[..<end]
  }

  var count: Int { matches.count }

  /// The pieces that cover the whole range, in order and disjoint.
  ///
  /// - Parameter rank: matches of a lower rank stay whole if possible.
  func tiles(rank: (FormSearch.Match) -> Int) -> [Tile] {
    if matches.count == 1 { return matches.map { Tile(piece: range, match: $0) } }
    var isFree = [Bool](repeating: true, count: range.count)
    var tiles: [Tile] = []
    let ranked = matches.enumerated().map { (match: $1, rank: rank($1), place: $0) }
    let ordered = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.match)
    func take(_ piece: Range<Int>, of match: FormSearch.Match) {
      tiles.append(Tile(piece: piece, match: match))
      for index in piece { isFree[index - range.lowerBound] = false }
    }
    for match in ordered where match.range.allSatisfy({ isFree[$0 - range.lowerBound] }) {
      take(match.range, of: match)
    }
    for match in ordered {
      var start = match.range.lowerBound
      while start < match.range.upperBound {
        guard isFree[start - range.lowerBound] else {
          start += 1
          continue
        }
        var end = start
        while end < match.range.upperBound, isFree[end - range.lowerBound] { end += 1 }
        take(start..<end, of: match)
        start = end
      }
    }
    return tiles.sorted { $0.piece.lowerBound < $1.piece.lowerBound }
  }
}
