/// Eight bytes examined together, the first in the lowest position.
///
/// Each test returns the high bit of every byte it holds for. Only the lowest bit that is set is exact, since a borrow
/// may reach the bytes above it: enough to find the first (after *Bit Twiddling Hacks*, "haszero").
struct ByteWord {
  static let count = 8

  private static let low: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080
  /// Eight spaces.
  static let spaces = low &* 0x20

  let bits: UInt64

  @inline(__always)
  init(_ bits: UInt64) {
    self.bits = bits
  }

  /// The caller makes sure that there are eight bytes.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    bits = UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  private static func zeros(_ bits: UInt64) -> UInt64 {
    (bits &- low) & ~bits & high
  }

  @inline(__always)
  func matches(_ byte: UInt8) -> UInt64 {
    Self.zeros(bits ^ (Self.low &* UInt64(byte)))
  }

  /// What the scan of a string cannot simply skip: a quote, a backslash, a control character, anything beyond ASCII.
  @inline(__always)
  var stringStops: UInt64 {
    let control = (bits &- (Self.low &* 0x20)) & ~bits
    return (control | matches(0x22) | matches(0x5C) | bits) & Self.high
  }

  /// What must be escaped in a JSON string: a quote, a backslash, a control character.
  @inline(__always)
  var escapeStops: UInt64 {
    let control = (bits &- (Self.low &* 0x20)) & ~bits & Self.high
    return control | matches(0x22) | matches(0x5C)
  }

  /// Whether all eight are ASCII digits.
  @inline(__always)
  var areDigits: Bool {
    (bits & (Self.low &* 0xF0)) == Self.low &* 0x30
      && ((bits &+ (Self.low &* 0x06)) & (Self.low &* 0xF0)) == Self.low &* 0x30
  }

  /// How many bytes come before the first that a test holds for.
  @inline(__always)
  static func index(of test: UInt64) -> Int {
    test.trailingZeroBitCount >> 3
  }
}
