extension JSONPathParser {
  /// `string-literal`: in either kind of quotes, with JSON's escapes and that of its own quote.
  mutating func string() throws(JSONPathSyntaxError) -> String {
    let quote = bytes[position]
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case quote:
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw error(.invalidUTF8) }
        return string
      case UInt8(ascii: "\\"):
        try escape(quote: quote, to: &text)
      case 0..<0x20:
        throw error(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error(.expected(.stringEnd))
  }

  /// `escapable`
  private mutating func escape(quote: UInt8, to text: inout [UInt8]) throws(JSONPathSyntaxError) {
    let start = position
    position += 2
    guard position <= bytes.count else { throw error(.expected(.stringEnd), at: bytes.count) }
    switch bytes[position - 1] {
    case quote: text.append(quote)
    case UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[position - 1])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      position = start
      text.append(contentsOf: String(Character(try escapedScalar())).utf8)
    default: throw error(.invalidEscape, at: start)
    }
  }

  /// `non-surrogate / (high-surrogate "\" %x75 low-surrogate)`
  private mutating func escapedScalar() throws(JSONPathSyntaxError) -> Unicode.Scalar {
    guard let unit = codeUnit(at: position) else { throw error(.invalidEscape) }
    if let scalar = Unicode.Scalar(unit) {
      position += 6
      return scalar
    }
    guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: position + 6), UTF16.isTrailSurrogate(trail) else {
      throw error(.loneSurrogate)
    }
    position += 12
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private func codeUnit(at index: Int) -> UInt16? {
    bytes.withUnsafeBufferPointer { JSONEscape.codeUnit(at: index, in: $0) }
  }
}
