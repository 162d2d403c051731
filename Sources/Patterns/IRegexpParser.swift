/// Reads RFC 9485, with one method per production of its §3. Each returns nil for anything that is not an I-Regexp.
///
/// `^` and `$` outside brackets are the start and the end of the text, as they are for the engines that RFC 9485 §5
/// maps its expressions to and in JSONPath's compliance suite, though in the RFC's own grammar they are characters.
struct IRegexpParser {
  private static let depthLimit = 128

  /// How many instructions one may have, and how often a piece may be repeated by number.
  static let sizeLimit = 10_000

  private var reader: PatternReader
  private var depth = 0

  init(_ text: String) {
    reader = PatternReader(text)
  }

  mutating func parse() -> PatternTree? {
    guard let tree = choice(), reader.peek == nil else { return nil }
    return tree
  }

  /// `i-regexp = branch *( "|" branch )`
  private mutating func choice() -> PatternTree? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    var branches: [PatternTree] = []
    repeat {
      guard let branch = branch() else { return nil }
      branches.append(branch)
    } while reader.take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  /// `branch = *piece`
  private mutating func branch() -> PatternTree? {
    var pieces: [PatternTree] = []
    while let next = reader.peek, next != "|", next != ")" {
      guard let atom = atom(), let piece = quantified(atom) else { return nil }
      pieces.append(piece)
    }
    return .sequence(pieces)
  }

  /// `quantifier = ( "*" / "+" / "?" ) / "{" QuantExact [ "," [ QuantExact ] ] "}"`
  private mutating func quantified(_ atom: PatternTree) -> PatternTree? {
    if reader.take("*") { return .repetition(atom, least: 0, most: nil) }
    if reader.take("+") { return .repetition(atom, least: 1, most: nil) }
    if reader.take("?") { return .repetition(atom, least: 0, most: 1) }
    guard reader.take("{") else { return atom }
    guard let least = count() else { return nil }
    guard reader.take(",") else { return reader.take("}") ? .repetition(atom, least: least, most: least) : nil }
    if reader.take("}") { return .repetition(atom, least: least, most: nil) }
    guard let most = count(), most >= least, reader.take("}") else { return nil }
    return .repetition(atom, least: least, most: most)
  }

  /// `QuantExact = 1*%x30-39`; also nil if it is too large to be expanded.
  private mutating func count() -> Int? {
    guard let count = reader.number(), count <= Self.sizeLimit else { return nil }
    return count
  }

  /// `atom = NormalChar / charClass / ( "(" i-regexp ")" )`
  private mutating func atom() -> PatternTree? {
    guard let next = reader.peek else { return nil }
    switch next {
    case "(":
      _ = reader.next()
      guard let tree = choice(), reader.take(")") else { return nil }
      return tree
    case "[": return characterClass().map(PatternTree.characters)
    case "\\":
      let item = category() ?? escaped().map(Item.one)
      return item.map { .characters(PatternTree.CharacterSet(items: [$0])) }
    case ")", "*", "+", "?", "]", "{", "|", "}": return nil
    default:
      _ = reader.next()
      switch next {
      case ".": return .characters(.any)
      case "^": return .assertion(.textStart)
      case "$": return .assertion(.textEnd)
      default: return .characters(PatternTree.CharacterSet(items: [.one(next)]))
      }
    }
  }

  private typealias Item = PatternTree.CharacterSet.Item

  /// `SingleCharEsc`
  private mutating func escaped() -> Unicode.Scalar? {
    guard reader.take("\\") else { return nil }
    switch reader.next() {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case let scalar? where "()*+-.?[\\]^{|}".unicodeScalars.contains(scalar): return scalar
    default: return nil
    }
  }

  /// `charClassExpr = "[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"`
  private mutating func characterClass() -> PatternTree.CharacterSet? {
    _ = reader.next()
    var characters = PatternTree.CharacterSet(items: [], isNegated: reader.take("^"))
    if reader.take("-") { characters.items.append(.one("-")) }
    while let next = reader.peek, next != "]", next != "-" {
      if let category = category() {
        characters.items.append(category)
        continue
      }
      guard let first = classCharacter() else { return nil }
      // A hyphen before the bracket is a character; any other makes a range.
      guard let second = reader.second, second != "]", reader.take("-") else {
        characters.items.append(.one(first))
        continue
      }
      guard let last = classCharacter(), first <= last else { return nil }
      characters.items.append(.range(first...last))
    }
    if !characters.items.isEmpty, reader.take("-") { characters.items.append(.one("-")) }
    guard !characters.items.isEmpty, reader.take("]") else { return nil }
    return characters
  }

  /// `CCchar`
  private mutating func classCharacter() -> Unicode.Scalar? {
    switch reader.peek {
    case "\\": escaped()
    case nil, "-", "[", "]": nil
    case _?: reader.next()
    }
  }

  /// `charClassEsc = "\" ( "p" / "P" ) "{" IsCategory "}"`; nil, with nothing consumed, if none starts here.
  private mutating func category() -> Item? {
    let start = reader
    guard reader.take("\\"), let letter = reader.next(), letter == "p" || letter == "P", reader.take("{"),
      let categories = Self.categories(named: reader.take(count: reader.second == "}" ? 1 : 2)), reader.take("}")
    else {
      reader = start
      return nil
    }
    return letter == "p" ? .categories(categories) : .none(of: [.categories(categories)])
  }

  /// `IsCategory`: all whose names begin with one letter, or the one with two; `Cs` has none, since it is in no text.
  private static func categories(named name: String) -> Set<Unicode.GeneralCategory>? {
    let found = categories.filter { !name.isEmpty && $0.key.hasPrefix(name) }
    return found.isEmpty ? nil : Set(found.values)
  }

  private static let categories: [String: Unicode.GeneralCategory] = [
    "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter, "Lu": .uppercaseLetter,
    "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
    "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber,
    "Pc": .connectorPunctuation, "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation,
    "Pi": .initialPunctuation, "Po": .otherPunctuation, "Ps": .openPunctuation,
    "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Zs": .spaceSeparator,
    "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
    "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
  ]
}
