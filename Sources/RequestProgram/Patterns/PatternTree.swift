/// A regular expression as a tree.
indirect enum PatternTree: Hashable {
  case characters(CharacterSet)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// `most` nil: unlimited. A reluctant one takes as little as it can.
  case repetition(PatternTree, least: Int, most: Int?, isReluctant: Bool)
  /// Numbered from 1; nil: `(?:…)`.
  case group(PatternTree, number: Int?)
  case assertion(Assertion)

  enum Assertion: Hashable, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
  }

  /// Which characters one place accepts.
  struct CharacterSet: Hashable, Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false
    /// Uppercase and lowercase letters are the same.
    var ignoresCase = false

    static let digits = CharacterSet(ranges: [0x30...0x39])
    static let word = CharacterSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = CharacterSet(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2028...0x2029])
    /// All but line ends.
    static let any = CharacterSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true)

    /// What the set accepts if this is not negated; else what it does not accept.
    var complement: [ClosedRange<UInt32>] {
      var rest: [ClosedRange<UInt32>] = []
      var next: UInt32 = 0
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if range.lowerBound > next { rest.append(next...range.lowerBound - 1) }
        next = max(next, range.upperBound + 1)
      }
      if next <= 0x10FFFF { rest.append(next...0x10FFFF) }
      return rest
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      var isIn = has(scalar)
      if !isIn, ignoresCase {
        let properties = scalar.properties
        for folded in [properties.lowercaseMapping, properties.uppercaseMapping] {
          if folded.unicodeScalars.count == 1, let other = folded.unicodeScalars.first, has(other) { isIn = true }
        }
      }
      return isIn != isNegated
    }

    private func has(_ scalar: Unicode.Scalar) -> Bool {
      for range in ranges where range.contains(scalar.value) { return true }
      return false
    }
  }
}

/// What is wrong with a regular expression.
struct PatternError: Error, Hashable {
  /// One sentence.
  var sentence: String
}
