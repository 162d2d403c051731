// Where in the text, what is wrong, what to do about it. This module knows neither the language nor HTTP: it turns
// offsets into lines and columns, and a diagnostic into the text that people read.

/// A named text, usually a file, with its table of lines.
public struct SourceText: Sendable, Hashable {
  /// Its name in diagnostics: a path, or a name such as `<prompt>`.
  public let name: String
  /// The text as it was read; not necessarily valid UTF-8.
  public let bytes: [UInt8]
  /// The offset at which each line starts; the first is 0.
  private let lineStarts: [Int]

  /// Whether it was typed, and is not a file.
  package var isTyped: Bool { name.hasPrefix("<") }

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      // Eight bytes at once, of which most have no line end ("haszero" of *Bit Twiddling Hacks*).
      while offset &+ 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
        if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 {
          for index in offset..<(offset &+ 8) where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
        }
        offset &+= 8
      }
      for index in offset..<bytes.count where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// The name of what `workbench send` was given: the words of a shell.
  package static let sentName = "<request>"

  public init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  public var lineCount: Int { lineStarts.count }

  /// The whole text as one range.
  public var range: SourceRange { SourceRange(0, bytes.count) }

  /// The text of a range, with invalid UTF-8 replaced by U+FFFD; a range outside the text is clamped to it.
  public subscript(range: SourceRange) -> String {
    let lower = min(max(0, range.lowerBound), bytes.count)
    let upper = min(max(lower, range.upperBound), bytes.count)
    return bytes.withUnsafeBytes { bytes in
      // Made in place, and not decoded: of a name, that takes half the time.
      String(unsafeUninitializedCapacity: upper - lower) { text in
        UnsafeMutableRawBufferPointer(text).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[lower..<upper]))
        return upper - lower
      }
    }
  }

  /// The zero-based index of the line that contains `offset`; offsets beyond the end belong to the last line.
  public func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The range of a line without its line end (`\n` or `\r\n`).
  public func lineRange(_ index: Int) -> SourceRange {
    let start = lineStarts[index]
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
    if index + 1 < lineStarts.count, end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return SourceRange(start, end)
  }

  /// Line and column as people count them: from 1, columns in characters.
  public func location(of offset: Int) -> (line: Int, column: Int) {
    let index = lineIndex(at: offset)
    let line = lineRange(index)
    let prefix = SourceRange(line.lowerBound, min(max(offset, line.lowerBound), line.upperBound))
    let isASCII = bytes[prefix.lowerBound..<prefix.upperBound].allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
    return (index + 1, (isASCII ? prefix.upperBound - prefix.lowerBound : self[prefix].count) + 1)
  }
}
