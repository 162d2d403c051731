/// A strict parser of RFC 8259 over bytes. It keeps its own stack, so no input can overflow ours.
public struct JSONParser {
  /// How many arrays and objects may stand inside each other.
  public static let depthLimit = 512

  /// A container that is being read.
  private enum Frame {
    case array([JSON])
    case object([JSONObject.Member], key: String)
  }

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a whole JSON text.
  public static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
    var parser = JSONParser(bytes)
    return try parser.document()
  }

  private mutating func document() throws(JSONSyntaxError) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure(.byteOrderMark) }
    var stack: [Frame] = []
    while true {
      var value = try begin(&stack)
      // A value is complete: put it where it belongs, and close what it completes.
      while let done = value {
        skipWhiteSpace()
        guard let frame = stack.popLast() else {
          guard position == bytes.count else { throw failure(.trailingData) }
          return done
        }
        value = try extend(frame, with: done, &stack)
      }
    }
  }

  /// Reads a value up to its end, or opens a container; nil if its first element is next.
  private mutating func begin(_ stack: inout [Frame]) throws(JSONSyntaxError) -> JSON? {
    skipWhiteSpace()
    guard position < bytes.count else { throw failure(.expected("a value")) }
    switch bytes[position] {
    case UInt8(ascii: "{"):
      try open(stack)
      if take("}") { return .object(JSONObject()) }
      stack.append(.object([], key: try key()))
      return nil
    case UInt8(ascii: "["):
      try open(stack)
      if take("]") { return .array([]) }
      stack.append(.array([]))
      return nil
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure(.expected("a value"))
    }
  }

  /// Adds an element to its container; the container itself if that was the last, else nil.
  private mutating func extend(
    _ frame: Frame, with value: JSON, _ stack: inout [Frame]
  ) throws(JSONSyntaxError) -> JSON? {
    switch frame {
    case .array(var elements):
      elements.append(value)
      if take("]") { return .array(elements) }
      guard take(",") else { throw failure(.expected("\",\" or \"]\"")) }
      stack.append(.array(elements))
      return nil
    case .object(var members, let key):
      members.append(JSONObject.Member(key: key, value: value))
      if take("}") { return .object(JSONObject(members)) }
      guard take(",") else { throw failure(.expected("\",\" or \"}\"")) }
      stack.append(.object(members, key: try self.key()))
      return nil
    }
  }

  private mutating func open(_ stack: [Frame]) throws(JSONSyntaxError) {
    guard stack.count < Self.depthLimit else { throw failure(.nestedTooDeeply) }
    position += 1
    skipWhiteSpace()
  }

  private mutating func key() throws(JSONSyntaxError) -> String {
    skipWhiteSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure(.expected("a key")) }
    let key = try string()
    skipWhiteSpace()
    guard take(":") else { throw failure(.expected("\":\"")) }
    return key
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONSyntaxError) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure(.expected("a value")) }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSON {
    let length = JSONNumber.length(of: bytes[position...])
    guard length > 0 else { throw failure(.invalidNumber) }
    let end = position + length
    defer { position = end }
    return .number(JSONNumber(checked: String(decoding: bytes[position..<end], as: UTF8.self)))
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    var decoded: [UInt8] = []
    while true {
      let start = position
      while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\""),
        bytes[position] != UInt8(ascii: "\\")
      {
        position += 1
      }
      decoded += bytes[start..<position]
      guard position < bytes.count else { throw failure(.expected("the end of the string")) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        guard let text = String(validating: decoded, as: UTF8.self) else { throw failure(.invalidUTF8) }
        return text
      case UInt8(ascii: "\\"):
        decoded += try escape()
      default:
        throw failure(.controlCharacter)
      }
    }
  }

  /// The UTF-8 of an escape sequence.
  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    let start = position
    position += 1
    guard position < bytes.count else { throw failure(.expected("the end of the string")) }
    defer { position += 1 }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[position]]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try codeUnit()
      if (0xD800...0xDBFF).contains(code) {
        guard bytes[(position + 1)...].starts(with: "\\u".utf8) else {
          throw JSONSyntaxError(.loneSurrogate, at: start, in: bytes)
        }
        position += 2
        let low = try codeUnit()
        guard (0xDC00...0xDFFF).contains(low) else { throw JSONSyntaxError(.loneSurrogate, at: start, in: bytes) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw JSONSyntaxError(.loneSurrogate, at: start, in: bytes) }
      return Array(String(Character(scalar)).utf8)
    default: throw JSONSyntaxError(.invalidEscape, at: start, in: bytes)
    }
  }

  /// Four hexadecimal digits; the position is left on the last.
  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
    let digits = bytes[(position + 1)...].prefix(4)
    guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
    else { throw failure(.invalidEscape) }
    position += 4
    return code
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private func failure(_ fact: JSONSyntaxError.Fact) -> JSONSyntaxError {
    JSONSyntaxError(fact, at: position, in: bytes)
  }
}

extension JSON {
  /// The value of a whole JSON text (RFC 8259).
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes)
  }

  /// The value of a whole JSON text (RFC 8259).
  public init(parsing text: String) throws(JSONSyntaxError) {
    self = try JSONParser.parse(Array(text.utf8))
  }
}
