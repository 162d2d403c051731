import Diagnostics

/// A place in a text that is being read, byte by byte. A copy is a place to return to.
struct TextCursor {
  let source: SourceText
  var position = 0

  init(_ source: SourceText) {
    self.source = source
    // A byte order mark says nothing about UTF-8.
    if source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  var isAtEnd: Bool { position >= source.bytes.count }
  var peek: UInt8? { isAtEnd ? nil : source.bytes[position] }

  func peek(_ offset: Int) -> UInt8? {
    position + offset < source.bytes.count ? source.bytes[position + offset] : nil
  }

  func isAt(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= source.bytes.count else { return false }
    for index in 0..<length where source.bytes[position + index] != text.utf8Start[index] { return false }
    return true
  }

  mutating func take(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// The next character, which may be several bytes.
  mutating func next() -> Character? {
    guard let first = peek else { return nil }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let end = min(position + length, source.bytes.count)
    defer { position = end }
    if first < 0x80 { return Character(Unicode.Scalar(first)) }
    return String(decoding: source.bytes[position..<end], as: UTF8.self).first
  }

  /// Spaces and tabs.
  mutating func skipSpaces() {
    while let byte = peek, byte == 0x20 || byte == 0x09 { position += 1 }
  }

  var isAtLineEnd: Bool { peek == nil || peek == 0x0A || (peek == 0x0D && peek(1) == 0x0A) }

  mutating func takeLineEnd() {
    if peek == 0x0D { position += 1 }
    if peek == 0x0A { position += 1 }
  }

  /// The bytes while they are such.
  mutating func take(while isPart: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek, isPart(byte) { position += 1 }
    return text(from: start)
  }

  func text(from start: Int) -> String { String(decoding: source.bytes[start..<position], as: UTF8.self) }

  func range(from start: Int) -> SourceRange { SourceRange(start, position) }

  /// The place of the next occurrence; nil: there is none.
  func offset(of text: StaticString) -> Int? {
    var copy = self
    while !copy.isAtEnd {
      if copy.isAt(text) { return copy.position }
      copy.position += 1
    }
    return nil
  }
}

extension UInt8 {
  var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
}
