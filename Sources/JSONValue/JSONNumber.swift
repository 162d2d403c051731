/// A JSON number: its text is kept, so `1.0`, `1e400` and integers of any size survive a round trip.
public struct JSONNumber: Sendable, CustomStringConvertible {
  /// As it was written (RFC 8259 §6).
  public let text: String

  /// A text that the caller has checked against the grammar.
  init(checked text: String) {
    self.text = text
  }

  /// The number that the text is; nil if it is none by RFC 8259 §6.
  public init?(_ text: String) {
    guard Self.length(of: Array(text.utf8)[...]) == text.utf8.count, !text.isEmpty else { return nil }
    self.text = text
  }

  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// The shortest text that reads back as the same number; nil for an infinity and for NaN.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = Decimal(value.description).map(\.plainText) ?? value.description
  }

  /// The integer, if the number is one and fits; nothing is rounded: `1.0` and `1e2` are integers.
  public var int: Int? { Decimal(text)?.int }

  /// The nearest double; nil if it is too large for one.
  public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  public var description: String { text }

  /// How many bytes at the beginning are a number; 0 if none.
  static func length(of bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    func digit() -> Bool { index < bytes.endIndex && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) }
    func take(_ characters: String) -> Bool {
      guard index < bytes.endIndex, characters.utf8.contains(bytes[index]) else { return false }
      index += 1
      return true
    }
    _ = take("-")
    guard digit() else { return 0 }
    if !take("0") { while digit() { index += 1 } }
    if take(".") {
      guard digit() else { return 0 }
      while digit() { index += 1 }
    }
    if take("eE") {
      _ = take("+-")
      guard digit() else { return 0 }
      while digit() { index += 1 }
    }
    return index - bytes.startIndex
  }
}

extension JSONNumber: Hashable {
  /// By value: 1.0, 1 and 10e-1 are the same number, whatever their size.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || Decimal(left.text) == Decimal(right.text)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Decimal(text))
  }
}

extension JSONNumber: Comparable {
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    guard let left = Decimal(left.text), let right = Decimal(right.text) else { return false }
    return left < right
  }
}

/// Sign, digits without zeros at either end, and the power of ten of the last digit.
private struct Decimal: Hashable, Comparable {
  var isNegative: Bool
  var digits: [UInt8]
  var exponent: Int

  /// nil for an exponent that is no machine integer.
  init?(_ text: String) {
    var exponent = 0
    var digits: [UInt8] = []
    var sawPoint = false
    var rest = Array(text.utf8)[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: ".") {
        sawPoint = true
      } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
        if rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard let power = Int(String(decoding: rest, as: UTF8.self)), abs(power) < Int.max / 4 else { return nil }
        exponent += power
        break
      } else {
        digits.append(byte - UInt8(ascii: "0"))
        if sawPoint { exponent -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == 0 })
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    if digits.isEmpty { isNegative = false }
  }

  var int: Int? {
    guard exponent >= 0, digits.count + exponent <= 20 else { return nil }
    return Int((isNegative ? "-" : "") + plainDigits)
  }

  /// Without an exponent where that is short.
  var plainText: String {
    let sign = isNegative ? "-" : ""
    if (0...20).contains(exponent) { return sign + plainDigits }
    guard (-20..<0).contains(exponent) else {
      return "\(sign)\(plainDigitsWithoutExponent)e\(exponent)"
    }
    let text = plainDigitsWithoutExponent
    let padded = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
    return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }

  private var plainDigits: String {
    digits.isEmpty ? "0" : plainDigitsWithoutExponent + String(repeating: "0", count: exponent)
  }

  private var plainDigitsWithoutExponent: String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }

  static func < (left: Decimal, right: Decimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    if left.digits.isEmpty || right.digits.isEmpty {
      return left.digits.isEmpty ? !right.digits.isEmpty && !right.isNegative : left.isNegative
    }
    let (small, large) = left.isNegative ? (right, left) : (left, right)
    let (smallTop, largeTop) = (small.digits.count + small.exponent, large.digits.count + large.exponent)
    if smallTop != largeTop { return smallTop < largeTop }
    return small.digits.lexicographicallyPrecedes(large.digits)
  }
}
