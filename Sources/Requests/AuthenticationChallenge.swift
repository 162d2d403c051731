public import HTTPTypes

/// What a server asks for before it accepts a request: a scheme, and what that scheme says (RFC 9110 §11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
  /// As it was written: `Basic`, `Bearer`.
  public let scheme: String
  /// By their names in lowercase, without quotes: `realm`, `error`. Of a repeated one the first counts.
  public internal(set) var parameters: [String: String]
  /// What some schemes say instead of parameters: `Negotiate YII…`.
  public internal(set) var token: String?

  /// A challenge of this scheme that says nothing more.
  public init(_ scheme: String, parameters: [String: String] = [:], token: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token = token
  }

  /// Whether it is this scheme: their names are case-insensitive.
  public func has(scheme name: some StringProtocol) -> Bool { scheme.lowercased() == name.lowercased() }

  /// All challenges of a field that may be repeated, and hold several each (RFC 9110 §11.6.1). What is not a challenge
  /// is left out, up to the next comma.
  public static func all(_ name: HTTPField.Name, of headers: HTTPFields) -> [AuthenticationChallenge] {
    headers[values: name].flatMap { value in
      var parser = ChallengeParser(value)
      return parser.challenges()
    }
  }

  /// Those of a field that has no scheme: `Authentication-Info` (RFC 9110 §11.6.3).
  package static func parameters(in field: String) -> [String: String] {
    var parser = ChallengeParser("Info \(field)")
    return parser.challenges().first?.parameters ?? [:]
  }
}

/// `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]`: the comma that ends a parameter also ends a challenge,
/// so what comes after it tells which of them it was.
private struct ChallengeParser {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func challenges() -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    // A challenge begins the list or comes after a comma; a parameter may come directly after its scheme.
    var isAfterScheme = false
    while true {
      let isAfterComma = skipSeparators() || index == 0
      guard index < bytes.count else { return challenges }
      let mayBegin = isAfterComma || challenges.isEmpty
      let name = token()
      if !name.isEmpty, let value = parameterValue() {
        if isAfterScheme || isAfterComma, let last = challenges.indices.last, challenges[last].token == nil {
          let key = name.lowercased()
          challenges[last].parameters[key] = challenges[last].parameters[key] ?? value
        }
        isAfterScheme = false
      } else if !name.isEmpty, mayBegin {
        challenges.append(AuthenticationChallenge(name, token: token68()))
        isAfterScheme = true
      } else {
        skipToComma()
        isAfterScheme = false
      }
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// - Returns: whether there was a comma.
  private mutating func skipSeparators() -> Bool {
    var sawComma = false
    while let byte = next, Self.isSpace(byte) || byte == UInt8(ascii: ",") {
      if byte == UInt8(ascii: ",") { sawComma = true }
      index += 1
    }
    return sawComma
  }

  private mutating func skipSpaces() {
    while let byte = next, Self.isSpace(byte) { index += 1 }
  }

  /// Up to the next comma that is not in quotes.
  private mutating func skipToComma() {
    while let byte = next, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { _ = quoted() } else { index += 1 }
    }
  }

  private mutating func token() -> String {
    let start = index
    while let byte = next, Self.isTokenCharacter(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// What is after the `=` of a parameter; nil if there is none, and then nothing was read.
  private mutating func parameterValue() -> String? {
    let start = index
    skipSpaces()
    guard next == UInt8(ascii: "=") else {
      index = start
      return nil
    }
    index += 1
    skipSpaces()
    return next == UInt8(ascii: "\"") ? quoted() : token()
  }

  /// A quoted string; one that is not closed goes to the end.
  private mutating func quoted() -> String {
    var content: [UInt8] = []
    index += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      index += 1
      if byte == UInt8(ascii: "\\"), let escaped = next {
        content.append(escaped)
        index += 1
      } else {
        content.append(byte)
      }
    }
    index = min(index + 1, bytes.count)
    return String(decoding: content, as: UTF8.self)
  }

  /// The one value of a scheme without parameters; nil if there is none, and then nothing was read.
  private mutating func token68() -> String? {
    let start = index
    skipSpaces()
    let first = index
    while let byte = next, Self.isToken68Character(byte) { index += 1 }
    let hasText = index > first
    while next == UInt8(ascii: "=") { index += 1 }
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    skipSpaces()
    guard first > start, hasText, next == nil || next == UInt8(ascii: ",") else {
      index = start
      return nil
    }
    return text
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isToken68Character(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~+/".utf8.contains(byte)
  }
}
