/// One of the ways to write a character, or a byte, as an escape. The letters are in the store.
enum EscapeWay: Character, Hashable, Sendable {
  /// As it is.
  case plain = "p"
  /// `\u003c`, `\ud83d\ude00`
  case unicodeLower = "u"
  case unicodeUpper = "U"
  /// `\x3c`, a byte
  case hexLower = "x"
  case hexUpper = "X"
  /// `\074`, a byte
  case octal = "o"
  /// `\74`, a byte
  case octalShort = "k"
  /// `\n`, `\/`
  case backslash = "b"
  /// `%3c`, a byte
  case percentLower = "c"
  case percentUpper = "C"
  /// `%u003c`
  case percentUnicodeLower = "v"
  case percentUnicodeUpper = "V"
  /// `=3c`, a byte
  case quotedLower = "y"
  case quotedUpper = "Y"
  /// `=` before the end of a line
  case softLineFeed = "l"
  case softLineEnd = "L"
  /// The end of a line in base64
  case lineFeed = "n"
  case lineEnd = "N"
  /// `&lt;`
  case entity = "e"
  /// `&#60;`
  case entityDecimal = "d"
  /// `&#039;`
  case entityPadded = "z"
  /// `&#x3c;`
  case entityHexLower = "h"
  case entityHexUpper = "H"
  /// `'\''`
  case shellBackslash = "s"
  /// `'"'"'`
  case shellQuotes = "q"

  /// Writes the first character of the bytes, or the first byte.
  ///
  /// - Returns: how many of the bytes are written; nil: this one cannot be written in this way.
  func write(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    switch self {
    case .plain: text.append(first)
    case .hexLower: text += Array("\\x".utf8) + Self.hex(UInt32(first), digits: 2)
    case .hexUpper: text += Array("\\x".utf8) + Self.hex(UInt32(first), digits: 2, isUpper: true)
    case .percentLower: text += Array("%".utf8) + Self.hex(UInt32(first), digits: 2)
    case .percentUpper: text += Array("%".utf8) + Self.hex(UInt32(first), digits: 2, isUpper: true)
    case .quotedLower: text += Array("=".utf8) + Self.hex(UInt32(first), digits: 2)
    case .quotedUpper: text += Array("=".utf8) + Self.hex(UInt32(first), digits: 2, isUpper: true)
    case .softLineFeed: return Self.write("=\n", between: &text)
    case .softLineEnd: return Self.write("=\r\n", between: &text)
    case .lineFeed: return Self.write("\n", between: &text)
    case .lineEnd: return Self.write("\r\n", between: &text)
    case .octalShort:
      guard first < 0o100 else { return nil }
      text += [UInt8(ascii: "\\"), UInt8(ascii: "0") + first >> 3, UInt8(ascii: "0") + first & 7]
    case .octal:
      text.append(UInt8(ascii: "\\"))
      for shift in [6, 3, 0] { text.append(UInt8(ascii: "0") + first >> UInt8(shift) & 7) }
    case .backslash:
      guard let letter = Self.backslashed(first) else { return nil }
      text += [UInt8(ascii: "\\"), letter]
    case .entity:
      guard let entity = Self.entities.first(where: { $0.meaning == first }) else { return nil }
      text += entity.name
    case .shellBackslash, .shellQuotes:
      guard first == UInt8(ascii: "'") else { return nil }
      text += self == .shellQuotes ? Self.quotedQuote : Self.backslashedQuote
    case .percentUnicodeLower, .percentUnicodeUpper:
      var decoder = UTF8()
      var iterator = bytes.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.value <= 0xFFFF else { return nil }
      text += Array("%u".utf8) + Self.hex(scalar.value, digits: 4, isUpper: self == .percentUnicodeUpper)
      return UTF8.width(scalar)
    case .unicodeLower, .unicodeUpper, .entityDecimal, .entityPadded, .entityHexLower, .entityHexUpper:
      var decoder = UTF8()
      var iterator = bytes.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
      text += write(scalar)
      return UTF8.width(scalar)
    }
    return 1
  }

  /// What means nothing takes none of the bytes.
  private static func write(_ end: String, between text: inout [UInt8]) -> Int {
    text += end.utf8
    return 0
  }

  private func write(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch self {
    case .entityDecimal: return Array("&#\(scalar.value);".utf8)
    case .entityPadded:
      let digits = String(scalar.value)
      return Array("&#\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits);".utf8)
    case .entityHexLower, .entityHexUpper:
      let digits = String(scalar.value, radix: 16, uppercase: self == .entityHexUpper)
      return Array("&#x\(digits);".utf8)
    case .unicodeLower, .unicodeUpper, .plain, .hexLower, .hexUpper, .octal, .octalShort, .backslash, .percentLower,
      .percentUpper, .percentUnicodeLower, .percentUnicodeUpper, .quotedLower, .quotedUpper, .softLineFeed,
      .softLineEnd, .lineFeed, .lineEnd, .entity, .shellBackslash, .shellQuotes:
      return String(scalar).utf16.flatMap { unit in
        Array("\\u".utf8) + Self.hex(UInt32(unit), digits: 4, isUpper: self == .unicodeUpper)
      }
    }
  }

  private static func hex(_ number: UInt32, digits: Int, isUpper: Bool = false) -> [UInt8] {
    let text = String(number, radix: 16, uppercase: isUpper)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)) + Array(text.utf8)
  }

  // MARK: The kinds

  /// Escapes that the same programs write.
  struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let backslash = Kinds(rawValue: 1)
    static let percent = Kinds(rawValue: 2)
    static let entity = Kinds(rawValue: 4)
    static let shell = Kinds(rawValue: 8)
    /// What `=` and two digits mean is too uncertain, and lines in base64 end where nothing else is escaped.
    static let quoted = Kinds(rawValue: 16)
    static let fold = Kinds(rawValue: 32)
    static let each: [Kinds] = [.backslash, .percent, .entity, .shell, .quoted, .fold]
    static let all = Kinds(each)
    /// Those that are undone at once.
    static let together: Kinds = [.backslash, .percent, .entity, .shell]
  }

  var kind: Kinds {
    switch self {
    case .plain: []
    case .unicodeLower, .unicodeUpper, .hexLower, .hexUpper, .octal, .octalShort, .backslash: .backslash
    case .percentLower, .percentUpper, .percentUnicodeLower, .percentUnicodeUpper: .percent
    case .quotedLower, .quotedUpper, .softLineFeed, .softLineEnd: .quoted
    case .lineFeed, .lineEnd: .fold
    case .entity, .entityDecimal, .entityPadded, .entityHexLower, .entityHexUpper: .entity
    case .shellBackslash, .shellQuotes: .shell
    }
  }

  // MARK: The tables

  static let entities: [(name: [UInt8], meaning: UInt8)] = [
    (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&lt;".utf8), UInt8(ascii: "<")),
    (Array("&gt;".utf8), UInt8(ascii: ">")), (Array("&quot;".utf8), UInt8(ascii: "\"")),
    (Array("&apos;".utf8), UInt8(ascii: "'")),
  ]

  static let backslashedQuote = Array(#"'\''"#.utf8)
  static let quotedQuote = Array(#"'"'"'"#.utf8)

  /// What a backslash and that byte mean together.
  static func meaning(ofBackslashed byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case 0x20...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: byte
    default: nil
    }
  }

  /// The byte that means this one after a backslash.
  private static func backslashed(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0x09: UInt8(ascii: "t")
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case 0x20...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: byte
    default: nil
    }
  }

  /// How a program that writes this for one character usually writes another.
  func usual(for byte: UInt8) -> EscapeWay {
    switch self {
    case .plain, .lineFeed, .lineEnd: .plain
    case .unicodeLower, .unicodeUpper, .hexLower, .hexUpper, .octal, .octalShort, .backslash:
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09, 0x08, 0x0C: .backslash
      case 0..<0x20: .unicodeLower
      default: .plain
      }
    case .percentLower, .percentUpper, .percentUnicodeLower, .percentUnicodeUpper:
      PercentEncoding.component.encode([byte]).utf8.count == 1 ? .plain : self
    case .quotedLower, .quotedUpper, .softLineFeed, .softLineEnd:
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "=") ? .plain : .quotedUpper
    case .entity, .entityDecimal, .entityPadded, .entityHexLower, .entityHexUpper:
      Self.entities.contains { $0.meaning == byte } ? self : .plain
    case .shellBackslash, .shellQuotes: byte == UInt8(ascii: "'") ? self : .plain
    }
  }
}
