/// The meaning of a number's text: sign, digits without zeros at either end, and the power of ten of the last digit.
struct DecimalForm: Hashable {
  private var isNegative: Bool
  private var digits: [UInt8]
  private var exponent: Int
  /// The whole text, if its exponent is too large to compute with.
  private var beyond: String?

  private static let exponentLimit = 100_000_000_000_000_000

  /// The text must be a number as defined by RFC 8259 §6.
  init(_ text: String) {
    var digits: [UInt8] = []
    var fraction = 0
    var sawPoint = false
    var power: Substring.UTF8View?
    loop: for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "-"): continue
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        power = text.utf8[text.utf8.index(after: index)...]
        break loop
      case let byte:
        digits.append(byte &- UInt8(ascii: "0"))
        if sawPoint { fraction += 1 }
      }
    }
    var trailing = 0
    while digits.last == 0 {
      digits.removeLast()
      trailing += 1
    }
    self.digits = Array(digits.drop { $0 == 0 })
    guard !self.digits.isEmpty else {
      isNegative = false
      exponent = 0
      return
    }
    isNegative = text.utf8.first == UInt8(ascii: "-")
    exponent = trailing - fraction
    guard let power else { return }
    if let value = Int(Substring(power)), value.magnitude < Self.exponentLimit {
      exponent += value
    } else {
      exponent = power.first == UInt8(ascii: "-") ? -Self.exponentLimit : Self.exponentLimit
      beyond = text
    }
  }

  /// The number without exponent or fraction, if it is whole and has at most 40 digits, more than any integer type of
  /// Swift.
  var wholeDigits: String? {
    guard exponent >= 0, digits.count + exponent <= 40 else { return nil }
    return (isNegative ? "-" : "") + plainDigits + String(repeating: "0", count: exponent)
  }

  /// As a person would write it: without an exponent if that is short.
  var text: String {
    let sign = isNegative ? "-" : ""
    switch exponent {
    case 0...20:
      return sign + plainDigits + String(repeating: "0", count: exponent)
    case -20..<0:
      let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + plainDigits
      return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
    default:
      return "\(sign)\(plainDigits)e\(exponent)"
    }
  }

  private var plainDigits: String {
    digits.isEmpty ? "0" : String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}

extension DecimalForm: Comparable {
  static func < (left: DecimalForm, right: DecimalForm) -> Bool {
    if left.digits.isEmpty || right.digits.isEmpty {
      return left.digits.isEmpty ? !right.digits.isEmpty && !right.isNegative : left.isNegative
    }
    if left.isNegative != right.isNegative { return left.isNegative }
    let (small, large) = left.isNegative ? (right, left) : (left, right)
    let (smallTop, largeTop) = (small.digits.count + small.exponent, large.digits.count + large.exponent)
    if smallTop != largeTop { return smallTop < largeTop }
    if small.digits != large.digits { return small.digits.lexicographicallyPrecedes(large.digits) }
    return (small.beyond ?? "") < (large.beyond ?? "")
  }
}
