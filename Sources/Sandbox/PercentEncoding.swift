internal import JSONValue

/// Percent-encoding of path segments (RFC 3986 §2.1).
enum PercentEncoding {
  /// Everything except letters, digits, `-`, `_` and `~` is encoded. So are dots, except inside: `.` and `..` are
  /// special names.
  static func encode(_ text: String) -> String {
    var encoded = ""
    for (index, byte) in text.utf8.enumerated() {
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80,
        character.isLetter || character.isNumber || "-_~".contains(character) || character == "." && index > 0
      {
        encoded.append(character)
      } else {
        encoded += "%" + byte.hex(2).uppercased()
      }
    }
    return encoded
  }

  /// The text of a segment; nil if a `%` is not followed by two hex digits or the bytes are not UTF-8.
  static func decode(_ segment: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = segment.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

extension PercentEncoding {
  /// As used in signatures: everything except RFC 3986's unreserved characters is encoded.
  static func canonical(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += "%" + byte.hex(2).uppercased()
      }
    }
    return encoded
  }
}
