/// A word of at most eight bytes as a number: different words, in which no byte is 0, have different ones.
enum ShortWord {
  /// The word of `length` bytes at `start`; nil if it is longer.
  @inline(__always)
  static func number(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ length: Int) -> UInt64? {
    guard length <= 8, length > 0 else { return length == 0 ? 0 : nil }
    guard start + 8 <= bytes.count, let base = bytes.baseAddress else {
      return number(UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
    }
    // Mostly there are eight bytes to read at once.
    let all = UInt64(littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
    return all & (.max &>> UInt64(8 * (8 - length)))
  }

  /// - Parameter word: at most eight bytes.
  static func number(_ word: some Sequence<UInt8>) -> UInt64 {
    var (number, shift) = (UInt64(0), UInt64(0))
    for byte in word {
      number |= UInt64(byte) &<< shift
      shift += 8
    }
    return number
  }
}
