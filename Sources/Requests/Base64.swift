/// Base64 (RFC 4648 §4).
public enum Base64 {
  /// The bytes in base64, with padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let second = rest > 1 ? bytes[index + 1] : 0
      let third = rest > 2 ? bytes[index + 2] : 0
      encoded.append(alphabet[Int(bytes[index] >> 2)])
      encoded.append(alphabet[Int((bytes[index] & 0x03) << 4 | second >> 4)])
      encoded.append(rest > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : UInt8(ascii: "="))
      encoded.append(rest > 2 ? alphabet[Int(third & 0x3F)] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The bytes in the alphabet of URLs (RFC 4648 §5), without padding.
  public static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The bytes that the text encodes, in the URL-safe alphabet too (§5), where padding is often left out; nil if it is
  /// not base64.
  public static func decode(_ text: String) -> [UInt8]? {
    var characters = Array(text.utf8)
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    if padding > 2 || padding > 0 && !characters.count.isMultiple(of: 4) { return nil }
    characters.removeLast(padding)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(characters.count / 4 * 3 + 2)
    var accumulator: UInt32 = 0
    for (index, character) in characters.enumerated() {
      guard let value = values[Int(character)] else { return nil }
      accumulator = accumulator << 6 | value
      if index % 4 == 3 {
        decoded += [UInt8(accumulator >> 16 & 0xFF), UInt8(accumulator >> 8 & 0xFF), UInt8(accumulator & 0xFF)]
        accumulator = 0
      }
    }
    switch characters.count % 4 {
    case 1: return nil
    case 2: decoded.append(UInt8(accumulator >> 4 & 0xFF))
    case 3: decoded += [UInt8(accumulator >> 10 & 0xFF), UInt8(accumulator >> 2 & 0xFF)]
    default: break
    }
    return decoded
  }

  /// What each byte stands for.
  private static let values: [UInt32?] = {
    var values: [UInt32?] = Array(repeating: nil, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt32(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
