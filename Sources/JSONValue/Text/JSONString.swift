/// Strings as they are written in a JSON text (RFC 8259 §7).
enum JSONString {
  /// Appends the text in quotes, with only the escapes that are required.
  static func append(_ text: String, to buffer: inout ByteBuffer) {
    if text.utf8.withContiguousStorageIfAvailable({ append($0, to: &buffer) }) != nil { return }
    var text = text
    text.withUTF8 { append($0, to: &buffer) }
  }

  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
    let output = buffer.room(for: bytes.count + 2)
    output[0] = UInt8(ascii: "\"")
    var start = copy(bytes, to: output + 1)
    buffer.advance(by: start + 1)
    while start < bytes.count {
      appendEscape(of: bytes[start], to: &buffer)
      let rest = UnsafeBufferPointer(rebasing: bytes[(start + 1)...])
      let copied = copy(rest, to: buffer.room(for: rest.count + 1))
      buffer.advance(by: copied)
      start += 1 + copied
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Copies up to the first byte that must be escaped.
  ///
  /// - Returns: how many are copied.
  @inline(__always)
  private static func copy(_ bytes: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let raw = UnsafeMutableRawPointer(output)
    var index = 0
    while index &+ ByteWord.count <= bytes.count {
      let word = ByteWord(bytes, at: index)
      // What is stored after the first that must be escaped is written over.
      raw.storeBytes(of: word.bits.littleEndian, toByteOffset: index, as: UInt64.self)
      let stops = word.escapeStops
      guard stops == 0 else { return index &+ ByteWord.index(of: stops) }
      index &+= ByteWord.count
    }
    while index < bytes.count, !mustBeEscaped(bytes[index]) {
      output[index] = bytes[index]
      index &+= 1
    }
    return index
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    case 0..<0x20:
      var code = "u\(byte.hex(4))"
      code.withUTF8 { buffer.append(contentsOf: $0) }
    default: buffer.append(byte)
    }
  }
}
