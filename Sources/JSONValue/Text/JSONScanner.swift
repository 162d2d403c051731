/// The tokens of RFC 8259 over bytes that somebody else owns.
///
/// All reads are below `end`: one byte after `position < end` was checked, eight after `position + 8 <= end` was. A
/// debug build checks each of them.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  @inline(__always)
  var end: Int { bytes.count }

  /// A string between its quotes.
  struct StringToken {
    var range: Range<Int>
    var hasEscapes: Bool
  }

  /// The next byte; at the end 0, which no token starts with.
  @inline(__always)
  var next: UInt8 { position < end ? bytes[position] : 0 }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while position < end {
      let byte = bytes[position]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
      while position &+ ByteWord.count <= end, ByteWord(bytes, at: position).bits == ByteWord.spaces {
        position &+= ByteWord.count
      }
    }
  }

  /// U+FEFF at the start, which RFC 8259 §8.1 allows parsers to ignore.
  mutating func skipByteOrderMark() {
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  /// Reads a string whose opening quote is next.
  @inline(__always)
  mutating func string() throws(JSONSyntaxError) -> StringToken {
    let start = position &+ 1
    var hasEscapes = false
    position = start
    while true {
      while position &+ ByteWord.count <= end {
        let stops = ByteWord(bytes, at: position).stringStops
        guard stops == 0 else {
          position &+= ByteWord.index(of: stops)
          break
        }
        position &+= ByteWord.count
      }
      guard position < end else { throw error(.expected(.stringEnd)) }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position &+= 1
        return StringToken(range: Range(uncheckedBounds: (start, position &- 1)), hasEscapes: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try checkEscape()
      } else if byte >= 0x80 {
        try checkNonASCII()
      } else if byte < 0x20 {
        throw error(.controlCharacter)
      } else {
        position &+= 1
      }
    }
  }

  private mutating func checkNonASCII() throws(JSONSyntaxError) {
    while position < end, bytes[position] >= 0x80 {
      let length = UTF8Sequence.length(at: position, in: bytes)
      guard length > 0 else { throw error(.invalidUTF8) }
      position &+= length
    }
  }

  private mutating func checkEscape() throws(JSONSyntaxError) {
    guard position &+ 1 < end else { throw error(.expected(.stringEnd), at: end) }
    switch bytes[position &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position &+= 2
    case UInt8(ascii: "u"):
      guard let unit = JSONEscape.codeUnit(at: position, in: bytes) else { throw error(.invalidEscape) }
      if UTF16.isTrailSurrogate(unit) { throw error(.loneSurrogate) }
      if UTF16.isLeadSurrogate(unit) {
        guard let trail = JSONEscape.codeUnit(at: position + 6, in: bytes), UTF16.isTrailSurrogate(trail)
        else { throw error(.loneSurrogate) }
        position &+= 6
      }
      position &+= 6
    default: throw error(.invalidEscape)
    }
  }

  /// Reads a number that starts here with a minus or a digit.
  @inline(__always)
  mutating func number() throws(JSONSyntaxError) -> Range<Int> {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
    if next == UInt8(ascii: "0") {
      position &+= 1
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      position &+= 1
      try digits()
    }
    if next | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position &+= 1 }
      try digits()
    }
    return Range(uncheckedBounds: (start, position))
  }

  /// One or more digits.
  @inline(__always)
  private mutating func digits() throws(JSONSyntaxError) {
    guard next &- UInt8(ascii: "0") < 10 else { throw error(.expected(.digit)) }
    while position &+ ByteWord.count <= end, ByteWord(bytes, at: position).areDigits { position &+= ByteWord.count }
    while next &- UInt8(ascii: "0") < 10 { position &+= 1 }
  }

  /// Reads `true`, `false` or `null`, whose first letter is next.
  @inline(__always)
  mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
    let length = word.utf8CodeUnitCount
    guard position &+ length <= end else { throw error(.expected(.value)) }
    for index in 0..<length where bytes[position &+ index] != word.utf8Start[index] {
      throw error(.expected(.value))
    }
    position &+= length
  }

  @inline(never)
  func error(_ fact: JSONSyntaxError.Fact, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(fact, at: offset ?? position, in: bytes)
  }
}
