/// What is written in place of a character, or of a byte: `\u003c`, `%3C`, `&lt;`, `'\''`. Also what is written between
/// two characters and means nothing: the end of a line in base64.
struct Escape {
  /// In bytes of the text.
  let length: Int
  let content: Content
  let way: EscapeWay

  /// What it means.
  enum Content {
    case scalar(Unicode.Scalar)
    case byte(UInt8)
    case nothing
  }

  /// The kinds of escapes that begin with that byte.
  static func kinds(beginningWith byte: UInt8) -> EscapeWay.Kinds {
    switch byte {
    case backslash: .backslash
    case UInt8(ascii: "%"): .percent
    case UInt8(ascii: "&"): .entity
    case quote: .shell
    case equals: .quoted
    case lineFeed, carriageReturn: .fold
    default: []
    }
  }

  /// Whether an escape may begin with that byte.
  static func canBegin(with byte: UInt8) -> Bool {
    switch byte {
    case backslash, UInt8(ascii: "%"), UInt8(ascii: "&"), quote, equals, lineFeed, carriageReturn: true
    default: false
    }
  }

  /// Whether an escape may have that byte in it, or needs it before or after it.
  static func canContain(_ byte: UInt8) -> Bool {
    canBegin(with: byte) || isBase64(byte) || "#;{}\"".utf8.contains(byte)
  }

  /// The escape that begins there; nil: the byte stands for itself.
  init?(at start: Int, in text: UnsafeBufferPointer<UInt8>, _ kinds: EscapeWay.Kinds = .all) {
    let rest = Rest(text: text, start: start)
    let escape: Escape? =
      switch text[start] {
      case Self.backslash: Self.backslashed(rest)
      case UInt8(ascii: "%"): Self.percent(rest)
      case UInt8(ascii: "&"): Self.entity(rest)
      case Self.quote: Self.shell(rest)
      case Self.equals: Self.quoted(rest)
      case Self.lineFeed, Self.carriageReturn: Self.fold(rest)
      default: nil
      }
    guard let escape, kinds.contains(escape.way.kind) else { return nil }
    self = escape
  }

  /// Whether these bytes are an escape without its end: no byte of them ends one, or could be outside of one.
  static func isBeginning(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first != lineFeed && bytes.first != carriageReturn
      && bytes.dropFirst().allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "U"), UInt8(ascii: "X"), UInt8(ascii: "#"),
          UInt8(ascii: "{"), quote, UInt8(ascii: "\""), backslash, carriageReturn:
          true
        default: false
        }
      } && Array(bytes + [CutText.firstByte]).withUnsafeBufferPointer { Escape(at: 0, in: $0) == nil }
  }

  func write(to bytes: inout [UInt8]) {
    switch content {
    case .nothing: break
    case .byte(let byte): bytes.append(byte)
    case .scalar(let scalar) where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    case .scalar(let scalar): if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
    }
  }

  private init(length: Int, scalar: Unicode.Scalar, _ way: EscapeWay) {
    self.length = length
    content = .scalar(scalar)
    self.way = way
  }

  private init(length: Int, byte: UInt32, _ way: EscapeWay) {
    self.length = length
    content = .byte(UInt8(truncatingIfNeeded: byte))
    self.way = way
  }

  private init(length: Int, nothing way: EscapeWay) {
    self.length = length
    content = .nothing
    self.way = way
  }

  private static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "'")
  private static let equals = UInt8(ascii: "=")
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  // MARK: Backslashes: JSON, C, the shell

  private static func backslashed(_ rest: Rest) -> Escape? {
    guard let next = rest[1] else { return nil }
    switch next {
    case UInt8(ascii: "u"): return unicode(rest)
    case UInt8(ascii: "U"):
      guard let (number, isUpper) = rest.number(at: 2, digits: 8), let scalar = Unicode.Scalar(number) else {
        return nil
      }
      return Escape(length: 10, scalar: scalar, isUpper ? .unicodeUpper : .unicodeLower)
    case UInt8(ascii: "x"):
      guard let (number, isUpper) = rest.number(at: 2, digits: 2) else { return nil }
      return Escape(length: 4, byte: number, isUpper ? .hexUpper : .hexLower)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      guard let second = rest.octalDigit(at: 2) else { return nil }
      let short = UInt32(next & 7) << 3 | second
      guard next <= UInt8(ascii: "3"), let third = rest.octalDigit(at: 3) else {
        // A cut may have gone through one of three digits.
        return rest[3] == CutText.firstByte ? nil : Escape(length: 3, byte: short, .octalShort)
      }
      return Escape(length: 4, byte: short << 3 | third, .octal)
    default:
      guard let meaning = EscapeWay.meaning(ofBackslashed: next) else { return nil }
      return Escape(length: 2, byte: UInt32(meaning), .backslash)
    }
  }

  /// `\u003c`, `\ud83d\ude00`, `\u{1f600}`
  private static func unicode(_ rest: Rest) -> Escape? {
    if rest[2] == UInt8(ascii: "{") { return braced(rest) }
    guard let (unit, isUpper) = rest.number(at: 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(unit) {
      return Escape(length: 6, scalar: scalar, isUpper ? .unicodeUpper : .unicodeLower)
    }
    guard unit < 0xDC00, rest[6] == backslash, rest[7] == UInt8(ascii: "u"),
      let (low, isLowUpper) = rest.number(at: 8, digits: 4), 0xDC00...0xDFFF ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return Escape(length: 12, scalar: scalar, isUpper || isLowUpper ? .unicodeUpper : .unicodeLower)
  }

  private static func braced(_ rest: Rest) -> Escape? {
    guard let (number, digits, isUpper) = rest.number(from: 3, radix: 16), rest[3 + digits] == UInt8(ascii: "}"),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return Escape(length: 4 + digits, scalar: scalar, isUpper ? .unicodeUpper : .unicodeLower)
  }

  // MARK: Percent-encoding, quoted-printable, lines

  /// `%3c`, and `%u003c` as JavaScript's `escape` writes it.
  private static func percent(_ rest: Rest) -> Escape? {
    if let (number, isUpper) = rest.number(at: 1, digits: 2) {
      return Escape(length: 3, byte: number, isUpper ? .percentUpper : .percentLower)
    }
    guard rest[1] == UInt8(ascii: "u"), let (unit, isUpper) = rest.number(at: 2, digits: 4),
      let scalar = Unicode.Scalar(unit)
    else { return nil }
    return Escape(length: 6, scalar: scalar, isUpper ? .percentUnicodeUpper : .percentUnicodeLower)
  }

  /// `=3C`, and `=` at the end of a line that goes on (RFC 2045 §6.7).
  private static func quoted(_ rest: Rest) -> Escape? {
    if rest[1] == lineFeed { return Escape(length: 2, nothing: .softLineFeed) }
    if rest[1] == carriageReturn, rest[2] == lineFeed { return Escape(length: 3, nothing: .softLineEnd) }
    return rest.number(at: 1, digits: 2).map { number, isUpper in
      Escape(length: 3, byte: number, isUpper ? .quotedUpper : .quotedLower)
    }
  }

  /// The end of a line in base64 (RFC 2045 §6.8).
  private static func fold(_ rest: Rest) -> Escape? {
    let length = rest[0] == carriageReturn ? 2 : 1
    guard length == 1 || rest[1] == lineFeed, rest[length].map(isBase64) ?? false,
      (1...fewestBeforeFold).allSatisfy({ rest[-$0].map(isBase64) ?? false })
    else { return nil }
    return Escape(length: length, nothing: length == 2 ? .lineEnd : .lineFeed)
  }

  /// Shorter words before the end of a line are not taken for base64.
  static let fewestBeforeFold = 16

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // MARK: HTML and XML

  private static func entity(_ rest: Rest) -> Escape? {
    guard rest[1] == UInt8(ascii: "#") else {
      // Most `&` separate the items of a query.
      guard (3...5).contains(where: { rest[$0] == UInt8(ascii: ";") }) else { return nil }
      for (name, meaning) in EscapeWay.entities where rest.continues(with: name) {
        return Escape(length: name.count, byte: UInt32(meaning), .entity)
      }
      return nil
    }
    let isHex = rest[2] == UInt8(ascii: "x") || rest[2] == UInt8(ascii: "X")
    let start = isHex ? 3 : 2
    guard let (number, digits, isUpper) = rest.number(from: start, radix: isHex ? 16 : 10),
      rest[start + digits] == UInt8(ascii: ";"), let scalar = Unicode.Scalar(number)
    else { return nil }
    let way: EscapeWay =
      if isHex {
        isUpper ? .entityHexUpper : .entityHexLower
      } else {
        rest[start] == UInt8(ascii: "0") ? .entityPadded : .entityDecimal
      }
    return Escape(length: start + digits + 1, scalar: scalar, way)
  }

  // MARK: A quote inside the shell's quotes

  private static func shell(_ rest: Rest) -> Escape? {
    if rest.continues(with: EscapeWay.backslashedQuote) {
      return Escape(length: EscapeWay.backslashedQuote.count, byte: UInt32(quote), .shellBackslash)
    }
    guard rest.continues(with: EscapeWay.quotedQuote) else { return nil }
    return Escape(length: EscapeWay.quotedQuote.count, byte: UInt32(quote), .shellQuotes)
  }
}

/// The text from where an escape may begin.
private struct Rest {
  let text: UnsafeBufferPointer<UInt8>
  let start: Int

  /// More digits than this are not a character.
  private static let mostDigits = 8

  subscript(offset: Int) -> UInt8? {
    text.indices.contains(start + offset) ? text[start + offset] : nil
  }

  func continues(with bytes: [UInt8]) -> Bool {
    guard bytes.count <= text.count - start else { return false }
    for index in bytes.indices where text[start + index] != bytes[index] { return false }
    return true
  }

  func octalDigit(at offset: Int) -> UInt32? {
    guard let byte = self[offset], UInt8(ascii: "0")...UInt8(ascii: "7") ~= byte else { return nil }
    return UInt32(byte & 7)
  }

  /// So many hex digits, and whether there is an uppercase letter among them.
  func number(at offset: Int, digits: Int) -> (number: UInt32, isUpper: Bool)? {
    guard offset + digits <= text.count - start else { return nil }
    var number: UInt32 = 0
    var isUpper = false
    for index in offset..<offset + digits {
      guard let digit = Self.digit(text[start + index], isUpper: &isUpper) else { return nil }
      number = number << 4 | digit
    }
    return (number, isUpper)
  }

  /// All digits there are, at least one.
  func number(from offset: Int, radix: UInt32) -> (number: UInt32, digits: Int, isUpper: Bool)? {
    var number: UInt32 = 0
    var digits = 0
    var isUpper = false
    while let byte = self[offset + digits], let digit = Self.digit(byte, isUpper: &isUpper), digit < radix {
      guard digits < Self.mostDigits else { return nil }
      number = number &* radix &+ digit
      digits += 1
    }
    return digits == 0 ? nil : (number, digits, isUpper)
  }

  private static func digit(_ byte: UInt8, isUpper: inout Bool) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte & 15)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return UInt32(byte & 15) + 9
    case UInt8(ascii: "A")...UInt8(ascii: "F"):
      isUpper = true
      return UInt32(byte & 15) + 9
    default: return nil
    }
  }
}
