/// Scans over JSON text that was checked before, without interpreting it.
///
/// It never reads beyond the end and never gets stuck, even if the text is no longer what was checked (a file that
/// somebody writes to).
struct JSONSkipper {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int

  @inline(__always)
  var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  mutating func skipWhiteSpace() {
    var scanner = JSONScanner(bytes, at: position)
    scanner.skipWhiteSpace()
    position = scanner.position
  }

  /// From a bracket to the first key or element; false if there is none.
  mutating func enter() -> Bool {
    position &+= 1
    skipWhiteSpace()
    return next | 0x20 != UInt8(ascii: "}") && position < bytes.count
  }

  /// From the end of a value to the next key or element; false if there is none.
  @inline(__always)
  mutating func advance() -> Bool {
    skipWhiteSpace()
    guard next == UInt8(ascii: ",") else { return false }
    position &+= 1
    skipWhiteSpace()
    return position < bytes.count
  }

  /// From a closing bracket to the position after it.
  mutating func leave() {
    if position < bytes.count { position &+= 1 }
  }

  /// Whether a key that was scanned is the given one.
  @inline(__always)
  func isKey(_ token: JSONScanner.StringToken, _ key: some RandomAccessCollection<UInt8>) -> Bool {
    if token.hasEscapes { return JSONEscape.decode(token, in: bytes).utf8.elementsEqual(key) }
    return token.range.count == key.count && bytes[token.range].elementsEqual(key)
  }

  /// From a key to its value.
  @inline(__always)
  mutating func key() -> JSONScanner.StringToken {
    let key = string()
    skipWhiteSpace()
    if position < bytes.count { position &+= 1 }
    skipWhiteSpace()
    return key
  }

  /// From an opening quote to the position after the closing one.
  @inline(__always)
  mutating func string() -> JSONScanner.StringToken {
    let start = position &+ 1
    var hasEscapes = false
    position = start
    while true {
      while position &+ ByteWord.count <= bytes.count {
        let word = ByteWord(bytes, at: position)
        let stops = word.matches(UInt8(ascii: "\"")) | word.matches(UInt8(ascii: "\\"))
        guard stops == 0 else {
          position &+= ByteWord.index(of: stops)
          break
        }
        position &+= ByteWord.count
      }
      guard position < bytes.count else { break }
      let byte = bytes[position]
      position &+= 1
      if byte == UInt8(ascii: "\"") {
        return JSONScanner.StringToken(range: Range(uncheckedBounds: (start, position &- 1)), hasEscapes: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position &+= 1
      }
    }
    position = bytes.count
    return JSONScanner.StringToken(range: min(start, position)..<position, hasEscapes: hasEscapes)
  }

  /// From the start of a value to its end.
  @inline(__always)
  mutating func value() {
    switch next {
    case UInt8(ascii: "\""): _ = string()
    case UInt8(ascii: "{"), UInt8(ascii: "["): container()
    default:
      while position < bytes.count, !isScalarEnd(bytes[position]) { position &+= 1 }
    }
  }

  @inline(__always)
  private func isScalarEnd(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}")
  }

  private mutating func container() {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        _ = string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth == 0 {
          position &+= 1
          return
        }
      default: break
      }
      position &+= 1
    }
  }
}
