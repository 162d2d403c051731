/// Why bytes are not a JSON text, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Fact: Hashable, Sendable {
    /// Something else is here, or nothing at all.
    case expected(Expectation)
    /// The text continues after its value.
    case trailingData
    /// A backslash followed by something that RFC 8259 §7 does not know.
    case invalidEscape
    /// A `\u` escape of half a surrogate pair: it stands for no character, so no string can hold it.
    case loneSurrogate
    /// A control character that must be escaped in a string (RFC 8259 §7).
    case controlCharacter
    /// Bytes that are not UTF-8 (RFC 3629 §4): overlong forms, surrogates, anything above U+10FFFF.
    case invalidUTF8
    /// Arrays and objects nested more deeply than the parser allows.
    case nestedTooDeeply(limit: Int)
  }

  /// What would have been right.
  public enum Expectation: Hashable, Sendable {
    /// Any value.
    case value
    /// A value, or `]`.
    case valueOrArrayEnd
    /// A member's key, a string.
    case key
    /// A member's key, or `}`.
    case keyOrObjectEnd
    /// `:` after a key.
    case colon
    /// `,` or `}`.
    case commaOrObjectEnd
    /// `,` or `]`.
    case commaOrArrayEnd
    /// A digit, where a number continues.
    case digit
    /// The quote that closes a string.
    case stringEnd
  }

  /// What is wrong.
  public let fact: Fact
  /// In bytes, from 0.
  public let offset: Int
  /// From 1; only a line feed ends a line.
  public let line: Int
  /// In Unicode scalars, from 1.
  public let column: Int
  /// Whether it looks like JSON lines, one value a line: where the text continues, another line begins with the same
  /// bracket as the first.
  public let isOfLines: Bool

  init(_ fact: Fact, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self.fact = fact
    self.offset = offset
    var line = 1
    var lineStart = 0
    for index in 0..<offset where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.line = line
    column = 1 + bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 }
    isOfLines = fact == .trailingData && Self.isLine(at: offset, in: bytes)
  }

  private static func isLine(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard offset < bytes.count, "{[".utf8.contains(bytes[offset]),
      let first = bytes.firstIndex(where: { !isSpace($0) }), bytes[first] == bytes[offset],
      let last = bytes[..<offset].lastIndex(where: { !isSpace($0) })
    else { return false }
    let lineFeed = UInt8(ascii: "\n")
    return !bytes[first...last].contains(lineFeed) && bytes[last..<offset].contains(lineFeed)
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  public var description: String {
    "\(sentence) at line \(line), column \(column)"
  }

  /// What is wrong, without the place.
  public var sentence: String {
    switch fact {
    case .expected(let expectation): "expected \(expectation)"
    case .trailingData:
      isOfLines ? "another value follows, as in JSON lines (ndjson)" : "something follows the value"
    case .invalidEscape: "no such escape"
    case .loneSurrogate: "half a surrogate pair is not a character"
    case .controlCharacter: "a control character must be escaped"
    case .invalidUTF8: "this is not UTF-8"
    case .nestedTooDeeply(let limit): "nested more than \(limit) levels deep"
    }
  }
}

extension JSONSyntaxError.Expectation: CustomStringConvertible {
  public var description: String {
    switch self {
    case .value: "a value"
    case .valueOrArrayEnd: "a value or \"]\""
    case .key: "a key in quotes"
    case .keyOrObjectEnd: "a key in quotes or \"}\""
    case .colon: "\":\""
    case .commaOrObjectEnd: "\",\" or \"}\""
    case .commaOrArrayEnd: "\",\" or \"]\""
    case .digit: "a digit"
    case .stringEnd: "the end of the string"
    }
  }
}
