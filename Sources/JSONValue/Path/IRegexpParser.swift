/// Reads RFC 9485, with one method per production of its §3. Each returns nil for anything that is not an I-Regexp.
struct IRegexpParser {
  private static let depthLimit = 128

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() -> IRegexpTree? {
    guard let tree = choice(), position == scalars.count else { return nil }
    return tree
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  /// `i-regexp = branch *( "|" branch )`
  private mutating func choice() -> IRegexpTree? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    var branches: [IRegexpTree] = []
    repeat {
      guard let branch = branch() else { return nil }
      branches.append(branch)
    } while take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  /// `branch = *piece`
  private mutating func branch() -> IRegexpTree? {
    var pieces: [IRegexpTree] = []
    while let next = peek, next != "|", next != ")" {
      guard let atom = atom(), let piece = quantified(atom) else { return nil }
      pieces.append(piece)
    }
    return .sequence(pieces)
  }

  /// `quantifier = ( "*" / "+" / "?" ) / "{" QuantExact [ "," [ QuantExact ] ] "}"`
  private mutating func quantified(_ atom: IRegexpTree) -> IRegexpTree? {
    if take("*") { return .repetition(atom, min: 0, max: nil) }
    if take("+") { return .repetition(atom, min: 1, max: nil) }
    if take("?") { return .repetition(atom, min: 0, max: 1) }
    guard take("{") else { return atom }
    guard let min = count() else { return nil }
    guard take(",") else { return take("}") ? .repetition(atom, min: min, max: min) : nil }
    if take("}") { return .repetition(atom, min: min, max: nil) }
    guard let max = count(), max >= min, take("}") else { return nil }
    return .repetition(atom, min: min, max: max)
  }

  /// `QuantExact = 1*%x30-39`; also nil if it is too large to be expanded.
  private mutating func count() -> Int? {
    let start = position
    while let digit = peek, ("0"..."9").contains(digit) { position += 1 }
    guard let count = Int(String(String.UnicodeScalarView(scalars[start..<position]))), count <= IRegexp.sizeLimit
    else {
      return nil
    }
    return count
  }

  /// `atom = NormalChar / charClass / ( "(" i-regexp ")" )`
  private mutating func atom() -> IRegexpTree? {
    guard let next = peek else { return nil }
    switch next {
    case "(":
      position += 1
      guard let tree = choice(), take(")") else { return nil }
      return tree
    case ".":
      position += 1
      return .characters(.any)
    case "[":
      return characterClass().map(IRegexpTree.characters)
    case "\\":
      if let category = category() { return .characters(IRegexpCharacters(items: [category])) }
      return escaped().map { .characters(.one($0)) }
    case "^", "$":
      position += 1
      return .anchor(next == "^" ? .start : .end)
    case ")", "*", "+", "?", "]", "{", "|", "}":
      return nil
    default:
      position += 1
      return .characters(.one(next))
    }
  }

  /// `SingleCharEsc`
  private mutating func escaped() -> Unicode.Scalar? {
    guard position + 1 < scalars.count, scalars[position] == "\\" else { return nil }
    let scalar = scalars[position + 1]
    position += 2
    switch scalar {
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    default: return nil
    }
  }

  /// `charClassExpr = "[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"`
  private mutating func characterClass() -> IRegexpCharacters? {
    position += 1
    var characters = IRegexpCharacters(items: [], isNegated: take("^"))
    if take("-") { characters.items.append(.range("-"..."-")) }
    while let next = peek, next != "]", next != "-" {
      if let category = category() {
        characters.items.append(category)
        continue
      }
      guard let first = classCharacter() else { return nil }
      // A hyphen before the bracket is a character; any other makes a range.
      guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        characters.items.append(.range(first...first))
        continue
      }
      position += 1
      guard let last = classCharacter(), first <= last else { return nil }
      characters.items.append(.range(first...last))
    }
    if !characters.items.isEmpty, take("-") { characters.items.append(.range("-"..."-")) }
    guard !characters.items.isEmpty, take("]") else { return nil }
    return characters
  }

  /// `CCchar`
  private mutating func classCharacter() -> Unicode.Scalar? {
    switch peek {
    case "\\": return escaped()
    case nil, "-", "[", "]": return nil
    case let scalar?:
      position += 1
      return scalar
    }
  }

  /// `charClassEsc = "\" ( "p" / "P" ) "{" IsCategory "}"`; nil, with nothing consumed, if none starts here.
  private mutating func category() -> IRegexpCharacters.Item? {
    guard position + 3 < scalars.count, scalars[position] == "\\", scalars[position + 2] == "{",
      scalars[position + 1] == "p" || scalars[position + 1] == "P",
      let end = scalars[position...].prefix(6).firstIndex(of: "}")
    else { return nil }
    let name = String(String.UnicodeScalarView(scalars[(position + 3)..<end]))
    guard let categories = Unicode.GeneralCategory.named(name) else { return nil }
    defer { position = end + 1 }
    return .category(categories, isContained: scalars[position + 1] == "p")
  }
}

extension Unicode.GeneralCategory {
  /// The categories of a name with one or two letters (RFC 9485 §3, `IsCategory`); `Cs` has none, since no text
  /// contains it.
  fileprivate static func named(_ name: String) -> Set<Unicode.GeneralCategory>? {
    switch name {
    case "L": [.lowercaseLetter, .modifierLetter, .otherLetter, .titlecaseLetter, .uppercaseLetter]
    case "Ll": [.lowercaseLetter]
    case "Lm": [.modifierLetter]
    case "Lo": [.otherLetter]
    case "Lt": [.titlecaseLetter]
    case "Lu": [.uppercaseLetter]
    case "M": [.spacingMark, .enclosingMark, .nonspacingMark]
    case "Mc": [.spacingMark]
    case "Me": [.enclosingMark]
    case "Mn": [.nonspacingMark]
    case "N": [.decimalNumber, .letterNumber, .otherNumber]
    case "Nd": [.decimalNumber]
    case "Nl": [.letterNumber]
    case "No": [.otherNumber]
    case "P":
      [
        .connectorPunctuation, .dashPunctuation, .closePunctuation, .finalPunctuation, .initialPunctuation,
        .otherPunctuation, .openPunctuation,
      ]
    case "Pc": [.connectorPunctuation]
    case "Pd": [.dashPunctuation]
    case "Pe": [.closePunctuation]
    case "Pf": [.finalPunctuation]
    case "Pi": [.initialPunctuation]
    case "Po": [.otherPunctuation]
    case "Ps": [.openPunctuation]
    case "Z": [.lineSeparator, .paragraphSeparator, .spaceSeparator]
    case "Zl": [.lineSeparator]
    case "Zp": [.paragraphSeparator]
    case "Zs": [.spaceSeparator]
    case "S": [.currencySymbol, .modifierSymbol, .mathSymbol, .otherSymbol]
    case "Sc": [.currencySymbol]
    case "Sk": [.modifierSymbol]
    case "Sm": [.mathSymbol]
    case "So": [.otherSymbol]
    case "C": [.control, .format, .unassigned, .privateUse]
    case "Cc": [.control]
    case "Cf": [.format]
    case "Cn": [.unassigned]
    case "Co": [.privateUse]
    default: nil
    }
  }
}
