/// "Did you mean": the known name that is nearest to a misspelled one.
public enum SpellingSuggestion {
  /// The candidate with the smallest edit distance (insertions, deletions, substitutions, swaps of neighbors), if it is
  /// near enough to be meant; else one that contains `name` as a whole part, such as `upload_url` for `url`.
  public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased())
    // Every single letter is one edit away from every other.
    guard (2...64).contains(wanted.count) else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (candidate: String, distance: Int)?
    var firstWhole: String?
    for candidate in candidates where candidate != name && candidate.utf8.count <= 256 {
      let folded = Array(candidate.lowercased())
      if firstWhole == nil, isPart(wanted, of: folded) { firstWhole = candidate }
      guard abs(folded.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, folded)
      if distance <= min(limit, Self.limit(between: wanted, folded)), distance < best?.distance ?? Int.max {
        best = (candidate, distance)
      }
    }
    return best?.candidate ?? firstWhole
  }

  /// How far apart they may be where they differ: a whole word of several that is another is no typo.
  private static func limit(between wanted: [Character], _ candidate: [Character]) -> Int {
    var (left, right) = (pieces(wanted)[...], pieces(candidate)[...])
    while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
    while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
    // What is only longer by a word is judged as a whole.
    return left.isEmpty || right.isEmpty ? .max : max(1, left.joined().count / 3)
  }

  private static func pieces(_ name: [Character]) -> [ArraySlice<Character>] { name.split { "-_.".contains($0) } }

  /// Whether `part` is one of the pieces of `whole` between `-`, `_` and `.`.
  private static func isPart(_ part: [Character], of whole: [Character]) -> Bool {
    let pieces = pieces(whole)
    return pieces.count > 1 && pieces.contains { $0.elementsEqual(part) }
  }

  /// Optimal string alignment distance.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in 1...left.count {
      var current = [i] + Array(repeating: 0, count: right.count)
      for j in 1...right.count {
        let substitution = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        current[j] = min(previous[j] + 1, current[j - 1] + 1, substitution)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          current[j] = min(current[j], beforePrevious[j - 2] + 1)
        }
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
