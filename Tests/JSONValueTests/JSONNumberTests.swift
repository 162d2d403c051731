import Foundation
import JSONValue
import Testing

@Suite struct JSONNumberTests {
  @Test(arguments: [
    "0", "-0", "1.0", "1.10", "1e400", "1E+2", "1e-05", "9007199254740993", "-123456789012345678901234567890.5",
    "3.14159265358979323846264338327950288419716939937510", "0.1e1", "12345678901234567890123456789012",
    "123456789012345678901234567890123", "-1.2345678901234567E-307",
  ])
  func `a number's text survives`(text: String) throws {
    let number = try #require(JSONNumber(text))
    #expect(number.text == text)
    #expect("\(number)" == text)
    #expect("\(try JSON(parsing: "[\(text) ]"))" == "[\(text)]")
  }

  @Test func `an integer is its decimal digits`() {
    var numbers = [0, 9, -9, .max, .min, .min + 1]
    for power in 1...18 {
      let value = (0..<power).reduce(1) { value, _ in value * 10 }
      numbers += [value - 1, value, value + 1, -value, 1 - value]
    }
    for number in numbers {
      #expect(JSONNumber(number).text == String(describing: number))
      #expect(JSONNumber(number).int == number)
    }
  }

  @Test(arguments: ["", "-", "01", "1.", ".1", "1e", "+1", "1 ", " 1", "0x1", "NaN", "Infinity", "1,0", "--1", "1e1.0"])
  func `anything that is not a number is refused`(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test(arguments: [
    ["1", "1.0", "1.00", "10e-1", "0.1e1", "1E0", "1e-0"], ["0", "-0", "0.0", "0e5", "-0.000e999999999999999999999"],
    ["-1500", "-1.5e3", "-15e2"], ["1e400", "10e399", "0.01e402"], ["9007199254740993", "9007199254740993.0"],
    ["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
  ])
  func `numbers are equal by value`(texts: [String]) throws {
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    #expect(Set(numbers).count == 1)
    for left in numbers {
      for right in numbers {
        #expect(left == right)
        #expect(!(left < right))
      }
    }
  }

  @Test func `numbers are ordered exactly`() throws {
    let texts = [
      "-1e99999999999999999999", "-1e400", "-1e10", "-2", "-1.5", "-1e-400", "0", "1e-99999999999999999999", "1e-400",
      "0.1",
      "0.10000000000000000000000000000000000001", "1", "1.5", "2", "9007199254740992", "9007199254740993", "1e400",
      "1e401",
      "1e99999999999999999999",
    ]
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
      #expect(left != right)
    }
  }

  @Test(
    arguments: [
      ("1", 1), ("1.0", 1), ("1e2", 100), ("-12.50e1", -125), ("-0", 0), ("9223372036854775807", Int.max),
      ("-9223372036854775808", Int.min), ("9223372036854775808", nil), ("1.5", nil), ("1e-1", nil), ("1e400", nil),
      ("1e99999999999999999999", nil), ("0e99999999999999999999", 0), ("9007199254740993.0", 9_007_199_254_740_993),
    ] as [(String, Int?)])
  func `integers are exact or nil`(text: String, int: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == int)
  }

  @Test func `integers of any width are exact or nil`() throws {
    let number = try #require(JSONNumber("300"))
    #expect(number.exactly(UInt8.self) == nil)
    #expect(number.exactly(Int16.self) == 300)
    #expect(try #require(JSONNumber("-1")).exactly(UInt.self) == nil)
    #expect(try #require(JSONNumber("1e20")).exactly(UInt64.self) == nil)
    #expect(try #require(JSONNumber("18446744073709551615")).exactly(UInt64.self) == .max)
    #expect(try #require(JSONNumber("1e30")).exactly(Int128.self) == 1_000_000_000_000_000_000_000_000_000_000)
  }

  @Test func `doubles are nil if something would be lost`() throws {
    for (text, double, exact) in [
      ("0.1", 0.1, 0.1), ("1e2", 100, 100), ("9007199254740993", 9_007_199_254_740_992, nil), ("1e400", nil, nil),
      ("1e-400", 0, nil), ("0.1000000000000000055", 0.1, nil),
      ("5e-324", .leastNonzeroMagnitude, .leastNonzeroMagnitude),
      ("1.7976931348623157e308", 1.7976931348623157e308, 1.7976931348623157e308),
    ] as [(String, Double?, Double?)] {
      let number = try #require(JSONNumber(text))
      #expect(number.double == double, "\(text)")
      #expect(number.exactDouble == exact, "\(text)")
    }
  }

  @Test func `a number of few digits has the double that is nearest`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let digits = String(UInt64.random(in: 0..<1_000_000_000_000_000, using: &generator) >> UInt64.random(in: 0..<50))
      let place = Int.random(in: 1...digits.count)
      var text = String(digits.prefix(place))
      if place < digits.count { text += "." + digits.dropFirst(place) }
      if Bool.random() { text = "-" + text }
      let number = try #require(JSONNumber(text))
      let double = try #require(Double(text))
      #expect(number.double?.bitPattern == double.bitPattern, "\(text)")
      #expect(number.int == Int(text) ?? Int(exactly: double), "\(text)")
    }
  }

  @Test(arguments: [
    (1.0, "1"), (0.1, "0.1"), (-2.5, "-2.5"), (1e21, "1e21"), (1e20, "100000000000000000000"), (1.5e-7, "0.00000015"),
    (Double.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0"), (123456.789, "123456.789"),
  ])
  func `a double's text is the shortest that reads back`(value: Double, text: String) throws {
    let number = try #require(JSONNumber(value))
    #expect(number.text == text)
    #expect(number.double?.bitPattern == value.bitPattern)
  }

  @Test func `infinities and NaN are not numbers`() {
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(Decimal.nan) == nil)
  }

  @Test func `decimals are exact or nil`() throws {
    #expect(try #require(JSONNumber("0.1")).decimal == Decimal(string: "0.1"))
    #expect(
      try #require(JSONNumber("-12345678901234567890.123456789")).decimal
        == Decimal(string: "-12345678901234567890.123456789"))
    #expect(try #require(JSONNumber("1e400")).decimal == nil)
    #expect(try #require(JSONNumber("3.14159265358979323846264338327950288419716939937510")).decimal == nil)
    #expect(JSONNumber(try #require(Decimal(string: "1234.50")))?.text == "1234.5")
  }
}
