internal import Diagnostics

/// Texts in XML 1.0 (its section 2.2 says what it can hold): the only place where that is decided.
package enum XMLText {
  /// The text between two tags.
  package static func append(_ text: String, to bytes: inout [UInt8]) { append(text, to: &bytes, isAttribute: false) }

  /// The text between the quotation marks of an attribute; a reader must not make spaces of its line ends.
  package static func append(attribute text: String, to bytes: inout [UInt8]) {
    append(text, to: &bytes, isAttribute: true)
  }

  /// Appends it if it can be copied as it is, wherever it is to stand: printable ASCII without markup.
  ///
  /// - Returns: whether it was appended. Nearly every text is.
  static func appendPlain(_ text: String, to bytes: inout [UInt8]) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { source in
      guard PlainBytes.areAll(source) else { return false }
      bytes.append(contentsOf: source)
      return true
    } ?? false
  }

  private static func append(_ text: String, to bytes: inout [UInt8], isAttribute: Bool) {
    if appendPlain(text, to: &bytes) { return }
    var text = text
    text.withUTF8 { source in
      var index = 0
      // Where what can be copied as it is begins.
      var start = 0
      while index < source.count {
        let byte = source[index]
        guard needsCare(byte) else {
          index += 1
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<index]))
        switch byte {
        case UInt8(ascii: "&"): bytes.append("&amp;")
        case UInt8(ascii: "<"): bytes.append("&lt;")
        case UInt8(ascii: ">"): bytes.append("&gt;")
        case UInt8(ascii: "\""): if isAttribute { bytes.append("&quot;") } else { bytes.append(byte) }
        case 0x0D: bytes.append("&#13;")
        case 0x09, 0x0A:
          if isAttribute { bytes.append(byte == 0x09 ? "&#9;" : "&#10;") } else { bytes.append(byte) }
        // No reader accepts these, not even escaped: their pictures stand for them, as on a terminal.
        case 0x00...0x1F, 0x7F: bytes += VisibleText.escape(String(UnicodeScalar(byte))).utf8
        // U+FFFE and U+FFFF.
        case 0xEF where index + 2 < source.count && source[index + 1] == 0xBF && source[index + 2] >= 0xBE:
          bytes += "\u{FFFD}".utf8
          index += 2
        default: bytes.append(byte)
        }
        index += 1
        start = index
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start...]))
    }
  }
}

private func needsCare(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0x00...0x1F, 0x7F, 0xEF: true
  default: false
  }
}

/// Printable ASCII but for `&`, `<`, `>` and `"`, eight bytes together (after *Bit Twiddling Hacks*, "haszero").
private enum PlainBytes {
  static func areAll(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index &+ 8 <= bytes.count {
      guard areAll(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) else { return false }
      index &+= 8
    }
    guard index < bytes.count else { return true }
    if bytes.count > 8 { return areAll(raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)) }
    var rest = low &* 0x20
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    return areAll(rest)
  }

  private static let low: UInt64 = 0x0101_0101_0101_0101

  @inline(__always)
  private static func areAll(_ word: UInt64) -> Bool {
    let control = (word &- (low &* 0x20)) & ~word
    // `<` and `>` differ in one bit, `"` and `&` as well.
    let markup = zeros((word | low &* 0x02) ^ (low &* 0x3E)) | zeros((word | low &* 0x04) ^ (low &* 0x26))
    return (control | markup | zeros(word ^ (low &* 0x7F)) | word) & (low &* 0x80) == 0
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- low) & ~word }
}

extension [UInt8] {
  /// Ours, which needs no escapes.
  mutating func append(_ text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil { append(contentsOf: text.utf8) }
  }

  /// In decimal digits.
  mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var (rest, divisor) = (number.magnitude, 1 as UInt)
    while rest / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }

  /// ` name="value"`
  mutating func append(attribute name: String, _ value: String) {
    append(UInt8(ascii: " "))
    append(name)
    append("=\"")
    XMLText.append(attribute: value, to: &self)
    append(UInt8(ascii: "\""))
  }
}
