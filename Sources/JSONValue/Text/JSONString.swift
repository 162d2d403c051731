/// Strings as they are written in a JSON text (RFC 8259 §7).
enum JSONString {
  /// Appends the text in quotes, with only the escapes that are required.
  static func append(_ text: String, to buffer: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      buffer.append(UInt8(ascii: "\""))
      var start = 0
      while start < bytes.count {
        let stop = firstEscaped(in: bytes, from: start)
        buffer.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<stop]))
        if stop < bytes.count { appendEscape(of: bytes[stop], to: &buffer) }
        start = stop + 1
      }
      buffer.append(UInt8(ascii: "\""))
    }
  }

  private static func firstEscaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index + ByteWord.count <= bytes.count {
      let stops = ByteWord(bytes, at: index).escapeStops
      guard stops == 0 else { return index + ByteWord.index(of: stops) }
      index += ByteWord.count
    }
    while index < bytes.count, !mustBeEscaped(bytes[index]) { index += 1 }
    return index
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    case 0..<0x20: buffer.append(contentsOf: "u\(byte.hex(4))".utf8)
    default: buffer.append(byte)
    }
  }
}
