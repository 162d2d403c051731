/// A small set of combinations of several axes' values in which every pair of values of two axes occurs.
package enum PairwiseCover {
  /// - Parameter counts: how many values each axis has.
  /// - Returns: for each combination the index of each axis' value. The same every time.
  package static func combinations(of counts: [Int]) -> [[Int]] {
    var open: Set<Pair> = []
    for first in counts.indices {
      for second in counts.indices.dropFirst(first + 1) {
        for one in 0..<counts[first] {
          for other in 0..<counts[second] { open.insert(Pair(first, one, second, other)) }
        }
      }
    }
    var combinations: [[Int]] = []
    while let seed = open.min() {
      var combination = [Int?](repeating: nil, count: counts.count)
      (combination[seed.first], combination[seed.second]) = (seed.one, seed.other)
      for axis in counts.indices where combination[axis] == nil {
        let gains = (0..<counts[axis]).map { value in
          combination.indices.count { other in
            combination[other].map { open.contains(Pair(axis, value, other, $0)) } ?? false
          }
        }
        let best = gains.max() ?? 0
        // Equally good ones take turns.
        let choices = gains.indices.filter { gains[$0] == best }
        combination[axis] = choices[combinations.count % choices.count]
      }
      let whole = combination.map { $0 ?? 0 }
      for first in counts.indices {
        for second in counts.indices.dropFirst(first + 1) {
          open.remove(Pair(first, whole[first], second, whole[second]))
        }
      }
      combinations.append(whole)
    }
    return combinations
  }

  private struct Pair: Hashable, Comparable {
    var first, one, second, other: Int

    init(_ axis: Int, _ value: Int, _ otherAxis: Int, _ otherValue: Int) {
      (first, one, second, other) =
        axis < otherAxis ? (axis, value, otherAxis, otherValue) : (otherAxis, otherValue, axis, value)
    }

    static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.one, left.second, left.other) < (right.first, right.one, right.second, right.other)
    }
  }
}
