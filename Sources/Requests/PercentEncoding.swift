/// Percent-encoding by the place where a text will appear (RFC 3986 §2).
public enum PercentEncoding: Hashable, Sendable {
  /// One path segment, one query name or value: everything except unreserved characters is encoded.
  case component
  /// As with `{+…}`: reserved characters are kept too, and so is anything already percent-encoded (RFC 6570 §3.2.3).
  case reserved
  /// `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space becomes `+`.
  case form

  /// The text's UTF-8 bytes, encoded.
  public func encode(_ text: some StringProtocol) -> String { encode(Array(text.utf8)) }

  /// The bytes, encoded.
  public func encode(_ bytes: [UInt8]) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if keeps(byte, at: index, of: bytes) {
        encoded.append(byte)
      } else if self == .form, byte == UInt8(ascii: " ") {
        encoded.append(UInt8(ascii: "+"))
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(Self.hexDigits[Int(byte >> 4)])
        encoded.append(Self.hexDigits[Int(byte & 15)])
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// A text as a server reads it in a form or a query, where `+` is a space; nil: it is the same, or no text.
  package static func decodedInForm(_ text: String) -> String? {
    guard text.contains("+") || text.contains("%") else { return nil }
    return String(validating: decode(text.replacing("+", with: " ")), as: UTF8.self).flatMap { $0 == text ? nil : $0 }
  }

  /// The decoded bytes of the text; a `%` that two digits do not follow is kept as is.
  public static func decode(_ text: some StringProtocol) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  private func keeps(_ byte: UInt8, at index: Int, of bytes: [UInt8]) -> Bool {
    switch self {
    case .component:
      return Self.isUnreserved(byte)
    case .form:
      return Self.isAlphanumeric(byte) || "*-._".utf8.contains(byte)
    case .reserved:
      if Self.isUnreserved(byte) || ":/?#[]@!$&'()*+,;=".utf8.contains(byte) { return true }
      return byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && Self.isHexDigit(bytes[index + 1]) && Self.isHexDigit(bytes[index + 2])
    }
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// The text without percent-encoding; what is no UTF-8 then stays as it is.
  package var percentDecoded: String { String(validating: PercentEncoding.decode(self), as: UTF8.self) ?? String(self) }
}
