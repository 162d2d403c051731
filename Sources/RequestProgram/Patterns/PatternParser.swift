/// Reads the regular expressions that people know from elsewhere, except for what only backtracking can do:
/// back-references and lookaround.
struct PatternParser {
  /// How deep groups may be nested, and how often a piece may be repeated by number.
  private static let depthLimit = 100
  private static let countLimit = 1_000

  private var rest: ArraySlice<Unicode.Scalar>
  private(set) var groups = 0
  private var depth = 0
  private var ignoresCase = false
  private var isByLine = false

  init(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
  }

  mutating func parse() throws(PatternError) -> PatternTree {
    let tree = try choice()
    if !rest.isEmpty { throw PatternError(sentence: "there is a \")\" without its \"(\"") }
    return tree
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var pieces: [PatternTree] = []
    while let next = rest.first, next != "|", next != ")" {
      if let atom = try atom() { pieces.append(try quantified(atom)) }
    }
    return .sequence(pieces)
  }

  private mutating func quantified(_ atom: PatternTree) throws(PatternError) -> PatternTree {
    let counts: (Int, Int?)
    if take("*") {
      counts = (0, nil)
    } else if take("+") {
      counts = (1, nil)
    } else if take("?") {
      counts = (0, 1)
    } else if let range = try counted() {
      counts = range
    } else {
      return atom
    }
    let isReluctant = take("?")
    if rest.first == "+" || rest.first == "*" {
      throw PatternError(
        sentence: "nothing can be repeated here; write \\\(rest.first.map { "\($0)" } ?? "") for itself")
    }
    return .repetition(atom, least: counts.0, most: counts.1, isReluctant: isReluctant)
  }

  /// `{2}`, `{2,}`, `{2,5}`; any other brace stands for itself.
  private mutating func counted() throws(PatternError) -> (Int, Int?)? {
    let start = rest
    guard take("{"), let least = number() else {
      rest = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else {
      rest = start
      return nil
    }
    if least > Self.countLimit || most ?? 0 > Self.countLimit {
      throw PatternError(sentence: "a piece can be repeated \(Self.countLimit) times at most")
    }
    if let most, most < least { throw PatternError(sentence: "{\(least),\(most)} has its numbers in the wrong order") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var text = ""
    while let digit = rest.first, ("0"..."9").contains(digit), text.count < 9 {
      text.unicodeScalars.append(digit)
      rest.removeFirst()
    }
    return Int(text)
  }

  /// nil: something that consumes nothing, such as `(?i)`.
  private mutating func atom() throws(PatternError) -> PatternTree? {
    guard let next = rest.popFirst() else { return nil }
    switch next {
    case ".": return .characters(.any)
    case "^": return .assertion(isByLine ? .lineStart : .textStart)
    case "$": return .assertion(isByLine ? .lineEnd : .textEnd)
    case "(": return try group()
    case "[": return .characters(try characterClass())
    case "\\": return try escaped()
    case "*", "+", "?": throw PatternError(sentence: "\"\(next)\" has nothing before it to repeat; write \\\(next)")
    default: return .characters(literal(next))
    }
  }

  private func literal(_ scalar: Unicode.Scalar) -> PatternTree.CharacterSet {
    .init(ranges: [scalar.value...scalar.value], ignoresCase: ignoresCase)
  }

  private mutating func group() throws(PatternError) -> PatternTree? {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw PatternError(sentence: "groups are nested too deeply") }
    var number: Int?
    if take("?") {
      if let flags = flags() {
        ignoresCase = ignoresCase || flags.contains("i")
        isByLine = isByLine || flags.contains("m")
        return nil
      }
      if take("<"), let name = rest.first, name != "=", name != "!" {
        while let scalar = rest.popFirst(), scalar != ">" { continue }
        groups += 1
        number = groups
      } else if !take(":") {
        throw PatternError(sentence: "lookahead and lookbehind are not supported; match more and use a group")
      }
    } else {
      groups += 1
      number = groups
    }
    let inner = try choice()
    guard take(")") else { throw PatternError(sentence: "there is a \"(\" without its \")\"; write \\( for itself") }
    return .group(inner, number: number)
  }

  private mutating func flags() -> String? {
    for flags in ["i", "m", "im", "mi"] where take("\(flags))") { return flags }
    return nil
  }

  private mutating func escaped() throws(PatternError) -> PatternTree {
    guard let next = rest.popFirst() else { throw PatternError(sentence: "there is a lone \\ at the end") }
    switch next {
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    case "A": return .assertion(.textStart)
    case "z", "Z": return .assertion(.textEnd)
    case "1"..."9": throw PatternError(sentence: "\\\(next), which refers back to a group, is not supported")
    default:
      if let set = Self.named(next) { return .characters(set) }
      return .characters(literal(try character(next)))
    }
  }

  private static func named(_ scalar: Unicode.Scalar) -> PatternTree.CharacterSet? {
    var set: PatternTree.CharacterSet
    switch scalar {
    case "d", "D": set = .digits
    case "w", "W": set = .word
    case "s", "S": set = .space
    default: return nil
    }
    set.isNegated = scalar.properties.isUppercase
    return set
  }

  /// The one character after a backslash.
  private mutating func character(_ scalar: Unicode.Scalar) throws(PatternError) -> Unicode.Scalar {
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "f": return "\u{0C}"
    case "v": return "\u{0B}"
    case "0": return "\0"
    case "x": return try hexadecimal(2)
    case "u": return try hexadecimal(4)
    default:
      if scalar.properties.isAlphabetic { throw PatternError(sentence: "\\\(scalar) means nothing here") }
      return scalar
    }
  }

  private mutating func hexadecimal(_ count: Int) throws(PatternError) -> Unicode.Scalar {
    var digits = ""
    if take("{") {
      while let next = rest.popFirst(), next != "}" { digits.unicodeScalars.append(next) }
    } else {
      digits.unicodeScalars.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw PatternError(sentence: "\"\(digits)\" is not a character number")
    }
    return scalar
  }

  private mutating func characterClass() throws(PatternError) -> PatternTree.CharacterSet {
    var set = PatternTree.CharacterSet(ignoresCase: ignoresCase)
    set.isNegated = take("^")
    var isFirst = true
    while let next = rest.popFirst() {
      if next == "]", !isFirst { return set }
      isFirst = false
      if next == "[", take(":") { throw PatternError(sentence: "[:…:] is not supported; write \\d, \\w or \\s") }
      var low = next
      if next == "\\" {
        guard let name = rest.popFirst() else { break }
        if let named = Self.named(name) {
          set.ranges += named.isNegated ? named.complement : named.ranges
          continue
        }
        low = name == "b" ? "\u{08}" : try character(name)
      }
      var high = low
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        rest.removeFirst(2)
        high = end
        if end == "\\" {
          guard let name = rest.popFirst() else { break }
          high = try character(name)
        }
        if high < low { throw PatternError(sentence: "\(low)-\(high) has its ends in the wrong order") }
      }
      set.ranges.append(low.value...high.value)
    }
    throw PatternError(sentence: "there is a \"[\" without its \"]\"; write \\[ for itself")
  }
}
