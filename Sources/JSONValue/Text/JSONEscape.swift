/// The escapes in a JSON string (RFC 8259 §7).
enum JSONEscape {
  /// The code unit of the `\uXXXX` at `index`; nil if there is none.
  static func codeUnit(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
    guard index &+ 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index &+ 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = hexDigit(bytes[index &+ offset]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The text of a string that was scanned before, between its quotes. If its bytes have changed since (a mapped file),
  /// the text is a different one.
  static func decode(_ token: JSONScanner.StringToken, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let text = UnsafeBufferPointer(rebasing: bytes[token.range])
    return token.hasEscapes ? decode(text) : String(decoding: text, as: UTF8.self)
  }

  /// The result is never longer than the written form.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { output in
      var written = 0
      var index = 0
      while index < bytes.count {
        let plain = plainLength(bytes, from: index)
        written = output[written...].initialize(fromContentsOf: bytes[index..<(index + plain)])
        index += plain
        guard index + 1 < bytes.count else { break }
        guard bytes[index + 1] == UInt8(ascii: "u") else {
          output[written] = character(bytes[index + 1])
          written += 1
          index += 2
          continue
        }
        let scalar = scalar(at: &index, in: bytes)
        // Otherwise the bytes differ from what was scanned, and there might be no space.
        guard index <= bytes.count else { break }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          output[written] = byte
          written += 1
        }
      }
      return written
    }
  }

  /// How many bytes come before the next backslash.
  private static func plainLength(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index + ByteWord.count <= bytes.count {
      let stops = ByteWord(bytes, at: index).matches(UInt8(ascii: "\\"))
      guard stops == 0 else { return index + ByteWord.index(of: stops) - start }
      index += ByteWord.count
    }
    while index < bytes.count, bytes[index] != UInt8(ascii: "\\") { index += 1 }
    return index - start
  }

  /// The character for the letter after a backslash.
  private static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// The character of one `\u` escape, or of two that form a pair; U+FFFD for anything a scanner would refuse.
  private static func scalar(at index: inout Int, in bytes: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar {
    let unit = codeUnit(at: index, in: bytes)
    index += 6
    guard let unit else { return "\u{FFFD}" }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    let trail = codeUnit(at: index, in: bytes)
    index += 6
    guard let trail, UTF16.isTrailSurrogate(trail) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(trail) & 0x3FF) ?? "\u{FFFD}"
  }
}
