/// Well-formed UTF-8 (Unicode 15, table 3-7).
package enum UTF8Validation {
  /// The offset of the first byte that is not part of a well-formed sequence.
  package static func firstInvalid(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { firstInvalid($0, from: 0) }
  }

  /// The offset of the first byte at or after `start` that is not part of a well-formed sequence.
  static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      // Eight at once, of which mostly all are ASCII.
      while index &+ 8 <= bytes.count,
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
      }
      guard index < bytes.count else { return nil }
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: length = 4
      default: return index
      }
      guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return index }
      for next in (index + 2)..<(index + max(2, length)) where !(0x80...0xBF).contains(bytes[next]) { return index }
      index += length
    }
    return nil
  }
}
