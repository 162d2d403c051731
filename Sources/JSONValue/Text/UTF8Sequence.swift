/// The well-formed sequences of UTF-8 (RFC 3629 §4; Unicode, table 3-7).
enum UTF8Sequence {
  /// How many bytes the non-ASCII character at `index` has; 0 if they are not UTF-8.
  static func length(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    @inline(__always)
    func isTrail(_ offset: Int) -> Bool { bytes[index &+ offset] & 0xC0 == 0x80 }
    let left = bytes.count &- index
    let lead = bytes[index]
    switch lead {
    case 0xC2...0xDF:
      return left >= 2 && isTrail(1) ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3, isTrail(1), isTrail(2) else { return 0 }
      let second = bytes[index &+ 1]
      // Not overlong, and not a surrogate.
      return (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ? 0 : 3
    case 0xF0...0xF4:
      guard left >= 4, isTrail(1), isTrail(2), isTrail(3) else { return 0 }
      let second = bytes[index &+ 1]
      return (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F) ? 0 : 4
    default:
      return 0
    }
  }
}
