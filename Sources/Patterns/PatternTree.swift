/// A regular expression as a tree.
indirect enum PatternTree: Hashable {
  case characters(CharacterSet)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// `most` nil: unlimited. A reluctant one takes as little as it can.
  case repetition(PatternTree, least: Int, most: Int?, isReluctant: Bool = false)
  /// Numbered from 1; nil: `(?:…)`.
  case group(PatternTree, number: Int?)
  case assertion(Assertion)

  enum Assertion: Hashable, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
  }

  /// Which characters one place accepts.
  struct CharacterSet: Hashable, Sendable {
    enum Item: Hashable, Sendable {
      case range(ClosedRange<Unicode.Scalar>)
      case categories(Set<Unicode.GeneralCategory>)
      /// Every character that is not one of those.
      case none(of: [Item])

      static func one(_ scalar: Unicode.Scalar) -> Item { .range(scalar...scalar) }
    }

    var items: [Item]
    var isNegated = false
    /// Uppercase and lowercase letters are the same.
    var ignoresCase = false

    static let digits = CharacterSet(items: [.range("0"..."9")])
    static let word = CharacterSet(items: [.range("0"..."9"), .range("A"..."Z"), .one("_"), .range("a"..."z")])
    static let space = CharacterSet(
      items: [.range("\t"..."\r"), .one(" "), .one("\u{85}"), .one("\u{A0}"), .range("\u{2028}"..."\u{2029}")])
    /// Line ends too.
    static let all = CharacterSet(items: [], isNegated: true)
    /// All but line ends.
    static let any = CharacterSet(items: [.one("\n"), .one("\r")], isNegated: true)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      var isIn = Self.has(items, scalar)
      if !isIn, ignoresCase {
        let properties = scalar.properties
        for folded in [properties.lowercaseMapping, properties.uppercaseMapping] {
          if folded.unicodeScalars.count == 1, let other = folded.unicodeScalars.first, Self.has(items, other) {
            isIn = true
          }
        }
      }
      return isIn != isNegated
    }

    private static func has(_ items: [Item], _ scalar: Unicode.Scalar) -> Bool {
      for item in items {
        switch item {
        case .range(let range): if range.contains(scalar) { return true }
        case .categories(let categories): if categories.contains(scalar.properties.generalCategory) { return true }
        case .none(let others): if !has(others, scalar) { return true }
        }
      }
      return false
    }
  }
}

/// What is wrong with a regular expression.
package struct PatternError: Error, Hashable {
  /// One sentence.
  package var sentence: String
}
