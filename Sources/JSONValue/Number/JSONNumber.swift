/// A JSON number: its text is kept, so `1.0`, `1e400`, `-0` and integers of any size survive a round trip.
///
/// A number that Swift types cannot hold is never silently rounded except by `double`: `exactly(_:)`, `int`,
/// `exactDouble` and `decimal` are nil if something would be lost.
public struct JSONNumber: Sendable {
  private enum Storage {
    case packed(PackedNumber)
    case long(String)
  }

  private let storage: Storage

  /// Bytes that have been checked against the grammar.
  init(checked bytes: UnsafeBufferPointer<UInt8>) {
    storage =
      bytes.count <= PackedNumber.capacity
      ? .packed(PackedNumber(bytes)) : .long(String(decoding: bytes, as: UTF8.self))
  }

  /// A text that is a number.
  private init(checked text: String) {
    var text = text
    self = text.withUTF8 { JSONNumber(checked: $0) }
  }

  /// The number that the text represents; nil if it is not one as defined by RFC 8259 §6.
  public init?(_ text: String) {
    let number: JSONNumber?? = try? withBytes(text.utf8) { bytes throws(JSONSyntaxError) in
      var scanner = JSONScanner(bytes)
      guard scanner.end > 0 else { return nil }
      let range = try scanner.number()
      return range.upperBound == scanner.end ? JSONNumber(checked: bytes) : nil
    }
    guard let number = number ?? nil else { return nil }
    self = number
  }

  /// As it was written (RFC 8259 §6).
  public var text: String {
    switch storage {
    case .packed(let packed): packed.text
    case .long(let text): text
    }
  }

  /// Whether the text has more characters than that, of up to 15.
  package func hasMore(than characters: Int) -> Bool {
    switch storage {
    case .packed(let packed): packed.hasMore(than: characters)
    case .long: true
    }
  }

  /// Appends the text in ASCII.
  func append(to buffer: inout ByteBuffer) {
    switch storage {
    case .packed(let packed): packed.append(to: &buffer)
    case .long(var text): text.withUTF8 { buffer.append(contentsOf: $0) }
    }
  }

  /// The double of a number of few digits, which nearly all are.
  private var shortDouble: Double? {
    if case .packed(let packed) = storage { packed.double } else { nil }
  }

  /// The number in decimal digits.
  public init(_ value: some BinaryInteger) {
    self.init(checked: String(value))
  }

  /// The number in decimal digits, as most integers are.
  public init(_ value: Int) {
    storage = .packed(PackedNumber(value))
  }

  /// The shortest text that reads back as the same number; nil for an infinity and for NaN, which JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.description
    if text.utf8.contains(UInt8(ascii: "e")) {
      self.init(checked: DecimalForm(text).text)
    } else {
      self.init(checked: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
  }

  /// The number as that integer type, if it is a whole number and fits: `1.0` and `1e2` are integers, `1.5` is not.
  public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
    if let shortDouble, let integer = Integer(exactly: shortDouble) { return integer }
    if let integer = Integer(text) { return integer }
    return DecimalForm(text).wholeDigits.flatMap { Integer($0) }
  }

  /// The integer, if the number is whole and fits; nothing is rounded.
  public var int: Int? { exactly(Int.self) }

  /// The nearest double; nil if the number is too large for one.
  public var double: Double? { shortDouble ?? Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// The double, if nothing is lost: its shortest text has the value of this number. So `0.1` has one, `1e400` and 2^53
  /// + 1 do not.
  public var exactDouble: Double? {
    guard let double, DecimalForm(double.description) == DecimalForm(text) else { return nil }
    return double
  }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { text }
}

extension JSONNumber: Hashable {
  /// By value: 1.0, 1 and 10e-1 are the same number, whatever their size. (Two numbers whose exponents have more than
  /// 17 digits are equal only if they are written alike.)
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if let doubles = exactDoubles(left, right) { return doubles.0 == doubles.1 }
    return DecimalForm(left.text) == DecimalForm(right.text)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(DecimalForm(text))
  }
}

extension JSONNumber: Comparable {
  /// By value, exactly.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if let doubles = exactDoubles(left, right) { return doubles.0 < doubles.1 }
    return DecimalForm(left.text) < DecimalForm(right.text)
  }

  /// Doubles that compare as the numbers do: up to 15 digits, each decimal has its own double.
  private static func exactDoubles(_ left: JSONNumber, _ right: JSONNumber) -> (Double, Double)? {
    guard let left = left.shortDouble, let right = right.shortDouble else { return nil }
    return (left, right)
  }
}
