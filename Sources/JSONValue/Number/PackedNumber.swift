/// The text of a number of up to 32 characters, four bits each, so that it needs no separate memory.
struct PackedNumber: Sendable {
  static let capacity = 32

  /// The first character in the lowest bits; 0 marks the end.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The bytes must be a number as defined by RFC 8259 §6, of at most `capacity` characters.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    for index in 0..<min(bytes.count, 16) { low |= Self.code(bytes[index]) << (4 &* UInt64(truncatingIfNeeded: index)) }
    guard bytes.count > 16 else { return }
    for index in 16..<min(bytes.count, Self.capacity) {
      high |= Self.code(bytes[index]) << (4 &* UInt64(truncatingIfNeeded: index &- 16))
    }
  }

  /// An integer in decimal digits, of which it has at most 20 with its sign.
  init(_ value: Int) {
    var rest = value.magnitude
    repeat {
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(rest % 10 + 1)
      rest /= 10
    } while rest != 0
    if value < 0 {
      high = high << 4 | low >> 60
      low = low << 4 | 11
    }
  }

  @inline(__always)
  private static func code(_ byte: UInt8) -> UInt64 {
    if byte &- UInt8(ascii: "0") < 10 { return UInt64(byte &- UInt8(ascii: "0") &+ 1) }
    return switch byte {
    case UInt8(ascii: "-"): 11
    case UInt8(ascii: "+"): 12
    case UInt8(ascii: "."): 13
    case UInt8(ascii: "e"): 14
    default: 15
    }
  }

  /// Of up to 15.
  func hasMore(than characters: Int) -> Bool { low >> (4 &* UInt64(characters)) != 0 }

  func append(to buffer: inout ByteBuffer) {
    let output = buffer.room(for: Self.capacity)
    var count = 0
    forEachByte {
      output[count] = $0
      count &+= 1
    }
    buffer.advance(by: count)
  }

  var text: String {
    String(unsafeUninitializedCapacity: Self.capacity) { output in
      var count = 0
      forEachByte {
        output[count] = $0
        count += 1
      }
      return count
    }
  }

  /// The nearest double, if there are at most 15 characters and no exponent: digits and power of ten are exact then, and
  /// so one division rounds as it should (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
  var double: Double? {
    guard low >> 60 == 0 else { return nil }
    var rest = low
    var (digits, divisor): (Int64, Int64) = (0, 0)
    let isNegative = rest & 0xF == 11
    if isNegative { rest >>= 4 }
    while rest != 0 {
      switch Int64(rest & 0xF) {
      case 13: divisor = 1
      case let code where code <= 10:
        digits = 10 &* digits &+ code &- 1
        divisor &*= 10
      default: return nil
      }
      rest >>= 4
    }
    let value = divisor > 1 ? Double(digits) / Double(divisor) : Double(digits)
    return isNegative ? -value : value
  }

  @inline(__always)
  private func forEachByte(_ body: (UInt8) -> Void) {
    var (rest, next) = (low, high)
    while rest != 0 {
      body(Self.byte(UInt8(truncatingIfNeeded: rest & 0xF)))
      rest = rest >> 4 | next << 60
      next >>= 4
    }
  }

  @inline(__always)
  private static func byte(_ code: UInt8) -> UInt8 {
    switch code {
    case 11: UInt8(ascii: "-")
    case 12: UInt8(ascii: "+")
    case 13: UInt8(ascii: ".")
    case 14: UInt8(ascii: "e")
    case 15: UInt8(ascii: "E")
    default: code &- 1 &+ UInt8(ascii: "0")
    }
  }
}
