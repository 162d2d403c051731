/// Reads the regular expressions that people know from elsewhere, except for what only backtracking can do:
/// back-references and lookaround.
struct PatternParser {
  /// How deep groups may be nested, and how often a piece may be repeated by number.
  private static let depthLimit = 100
  private static let countLimit = 1_000
  /// The most instructions that one may have.
  static let sizeLimit = 20_000

  private var reader: PatternReader
  private(set) var groups = 0
  private var depth = 0
  private var ignoresCase = false
  private var isByLine = false
  /// Whether a dot is any character, a line end too.
  private var dotIsAll = false

  init(_ text: String) {
    reader = PatternReader(text)
  }

  mutating func parse() throws(PatternError) -> PatternTree {
    let tree = try choice()
    if reader.peek != nil { throw PatternError(sentence: "there is a \")\" without its \"(\"") }
    return tree
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    var branches = [try sequence()]
    while reader.take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var pieces: [PatternTree] = []
    while let next = reader.peek, next != "|", next != ")" {
      if let atom = try atom() { pieces.append(try quantified(atom)) }
    }
    return .sequence(pieces)
  }

  private mutating func quantified(_ atom: PatternTree) throws(PatternError) -> PatternTree {
    let counts: (Int, Int?)
    if reader.take("*") {
      counts = (0, nil)
    } else if reader.take("+") {
      counts = (1, nil)
    } else if reader.take("?") {
      counts = (0, 1)
    } else if let range = try counted() {
      counts = range
    } else {
      return atom
    }
    let isReluctant = reader.take("?")
    if reader.peek == "+" || reader.peek == "*" {
      throw PatternError(
        sentence: "nothing can be repeated here; write \\\(reader.peek.map { "\($0)" } ?? "") for itself")
    }
    return .repetition(atom, least: counts.0, most: counts.1, isReluctant: isReluctant)
  }

  /// `{2}`, `{2,}`, `{2,5}`; any other brace stands for itself.
  private mutating func counted() throws(PatternError) -> (Int, Int?)? {
    let start = reader
    guard reader.take("{"), let least = reader.number() else {
      reader = start
      return nil
    }
    var most: Int? = least
    if reader.take(",") { most = reader.number() }
    guard reader.take("}") else {
      reader = start
      return nil
    }
    if least > Self.countLimit || most ?? 0 > Self.countLimit {
      throw PatternError(sentence: "a piece can be repeated \(Self.countLimit) times at most")
    }
    if let most, most < least { throw PatternError(sentence: "{\(least),\(most)} has its numbers in the wrong order") }
    return (least, most)
  }

  /// nil: something that consumes nothing, such as `(?i)`.
  private mutating func atom() throws(PatternError) -> PatternTree? {
    guard let next = reader.next() else { return nil }
    switch next {
    case ".": return .characters(dotIsAll ? .all : .any)
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
    .init(items: [.one(scalar)], ignoresCase: ignoresCase)
  }

  private mutating func group() throws(PatternError) -> PatternTree? {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw PatternError(sentence: "groups are nested too deeply") }
    var number: Int?
    if reader.take("?") {
      if let flags = flags() {
        ignoresCase = ignoresCase || flags.contains("i")
        isByLine = isByLine || flags.contains("m")
        dotIsAll = dotIsAll || flags.contains("s")
        return nil
      }
      if reader.take("<"), let name = reader.peek, name != "=", name != "!" {
        while let scalar = reader.next(), scalar != ">" { continue }
        groups += 1
        number = groups
      } else if !reader.take(":") {
        throw PatternError(sentence: "lookahead and lookbehind are not supported; match more and use a group")
      }
    } else {
      groups += 1
      number = groups
    }
    let inner = try choice()
    guard reader.take(")") else {
      throw PatternError(sentence: "there is a \"(\" without its \")\"; write \\( for itself")
    }
    return .group(inner, number: number)
  }

  private mutating func flags() -> String? {
    let start = reader
    var flags = ""
    while let flag = reader.peek, "ims".unicodeScalars.contains(flag) { flags += reader.take(count: 1) }
    if !flags.isEmpty, reader.take(")") { return flags }
    reader = start
    return nil
  }

  private mutating func escaped() throws(PatternError) -> PatternTree {
    guard let next = reader.next() else { throw PatternError(sentence: "there is a lone \\ at the end") }
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
    if reader.take("{") {
      while let next = reader.next(), next != "}" { digits.unicodeScalars.append(next) }
    } else {
      digits = reader.take(count: count)
    }
    guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw PatternError(sentence: "\"\(digits)\" is not a character number")
    }
    return scalar
  }

  private mutating func characterClass() throws(PatternError) -> PatternTree.CharacterSet {
    var set = PatternTree.CharacterSet(items: [], ignoresCase: ignoresCase)
    set.isNegated = reader.take("^")
    var isFirst = true
    while let next = reader.next() {
      if next == "]", !isFirst { return set }
      isFirst = false
      if next == "[", reader.take(":") { throw PatternError(sentence: "[:…:] is not supported; write \\d, \\w or \\s") }
      var low = next
      if next == "\\" {
        guard let name = reader.next() else { break }
        if let named = Self.named(name) {
          set.items += named.isNegated ? [.none(of: named.items)] : named.items
          continue
        }
        low = name == "b" ? "\u{08}" : try character(name)
      }
      var high = low
      if let end = reader.second, end != "]", reader.take("-") {
        _ = reader.next()
        high = end
        if end == "\\" {
          guard let name = reader.next() else { break }
          high = try character(name)
        }
        if high < low { throw PatternError(sentence: "\(low)-\(high) has its ends in the wrong order") }
      }
      set.items.append(.range(low...high))
    }
    throw PatternError(sentence: "there is a \"[\" without its \"]\"; write \\[ for itself")
  }
}
