import Diagnostics
import JSONValue
import Requests
import Testing

@testable import RequestProgram

/// Whatever numbers, times and sizes come from a script or a server: an expression has a value or gives the reason.
struct HostileExpressionTests {
  private static let clocks: [Duration] = [
    .seconds(1_767_322_800), .zero, .seconds(10_413_792_000), .seconds(-11_676_096_000), .seconds(Int.max),
    .seconds(Int.min), Duration(attoseconds: .max), Duration(attoseconds: .min),
  ]

  private static let numbers = [
    "0", "-0", "1", "-1", "1.5", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551616", "1e18", "1e19", "1e308", "-1e308", "1e400", "-1e-400", "1e99999999999999999999",
    "99999999999999999999999999999999999999999",
  ]
  private static let times = [
    "now()", "0s", "2562047h", "2500000h", "-2500000h", "9000000h", "153722867m", "9223372036s", "9e15ms",
  ]
  private static let texts = [
    #""""#, #""abc""#, #""9999-12-31T23:59:60.999999999999-23:59""#, #""0000-01-01T00:00:00+23:59""#,
    #""٢٠٢٦-٠١-٠٢T٠٣:٠٤:٠٥Z""#, #""%""#, #""%FF%""#, #""%Y%s%L%a%""#, #""a{999999999}""#, #""(a*)*""#, #""\u0000""#,
    "[]", "[1, \"x\", null]", "{}", "null", "true", "$",
  ]

  private static func evaluate(_ text: String, at time: Duration = clocks[0]) -> (value: Value?, said: String) {
    let (expression, diagnostics) = DocumentExpression.parse(SourceText(name: "expression", text: text))
    guard let expression else { return (nil, diagnostics.map(\.message).joined()) }
    do throws(ProgramError) {
      let value = try expression.value(
        of: .array([1, 2, 3]), in: ProgramEnvironment(variables: [:]), at: StepSeed(time: time, seed: 7))
      // What is made from it on its way to a request, a screen or a record.
      return (value, "\(value.printed) \(value.text ?? "") \(value.json.map(\.description) ?? "")")
    } catch {
      return (nil, error.diagnostic.message)
    }
  }

  @Test func `an operator takes any two values`() {
    let all = Self.numbers + Self.times + Self.texts
    for left in all {
      for right in all {
        for operation in ["+", "-", "*", "/", "<", "==", "contains", "in", "matches"] {
          #expect(!Self.evaluate("\(left) \(operation) \(right)").said.isEmpty)
        }
      }
      #expect(!Self.evaluate("-(\(left))").said.isEmpty)
    }
  }

  @Test(arguments: Function.all.map(\.name).filter { !Self.reachingOut.contains($0) })
  func `a function takes any values`(name: String) throws {
    let function = try #require(Function(named: name))
    let all = Self.numbers + Self.times + Self.texts
    for input in all {
      for count in function.arity where count <= 2 {
        let lists =
          count == 0 ? [""] : count == 1 ? all : Self.numbers.flatMap { a in Self.numbers.map { "\(a), \($0)" } }
        for arguments in lists {
          let call = count == 0 && !function.isCalled ? name : "\(name)(\(arguments))"
          #expect(!Self.evaluate(!function.isCalled ? "\(input) | \(call)" : call).said.isEmpty)
        }
      }
      if function.isCalled { break }
    }
  }

  private static let reachingOut: Set<String> = ["file", "ask", "command"]

  @Test func `a path takes any index, slice and filter`() {
    let numbers = ["", "0", "-1", "9007199254740991", "-9007199254740991"]
    for first in numbers {
      #expect(!Self.evaluate("$[\(first)]").said.isEmpty)
      for second in numbers {
        for third in numbers { #expect(!Self.evaluate("$[\(first):\(second):\(third)]").said.isEmpty) }
      }
    }
    for number in Self.numbers { #expect(!Self.evaluate("$[?@ < \(number)]").said.isEmpty) }
    for index in [Int.min, Int.min + 1, -1, 0, Int.max - 1, Int.max] {
      for end in [nil, Int.min, -1, 0, Int.max] as [Int?] {
        for step in [Int.min, -1, 0, 1, Int.max] {
          #expect(
            JSONPath.Slice(start: index, end: end, step: step).indices(count: 3).allSatisfy { (0..<3).contains($0) })
        }
      }
    }
  }

  @Test func `a file can be cut anywhere`() throws {
    let directory = try TemporaryDirectory(["file": "hello"])
    let path = directory.path + "/file"
    for number in Self.numbers {
      for call in ["chunks(\(number))", "slice(\(number))", "slice(1, \(number))", "slice(\(number), \(number))"] {
        #expect(!Self.evaluate("file(\"\(path)\") | \(call)").said.isEmpty)
      }
    }
    #expect(Self.evaluate("file(\"\(path)\") | chunks(9223372036854775807) | count").said.hasPrefix("1"))
  }

  @Test func `the clock shows any time`() {
    for clock in Self.clocks {
      for expression in [
        "now()", "now() | date", "now() | date(\"%Y-%m-%d %H:%M:%S.%L %s %y %a %b\")", "now() + 2500000h",
        "now() - 2500000h", "now() - now()", "uuid()", "random(-9223372036854775808, 9223372036854775807)",
        "\"{now()}\"", "now() < now()",
      ] {
        #expect(!Self.evaluate(expression, at: clock).said.isEmpty)
      }
    }
  }

  @Test(arguments: [
    (Duration.seconds(10_413_792_000), "2300-01-01T00:00:00Z"), (.seconds(-11_676_096_000), "1600-01-01T00:00:00Z"),
    (.milliseconds(-1), "1969-12-31T23:59:59.999Z"), (.seconds(Int.max), "9999-12-31T23:59:59.999Z"),
    (.seconds(Int.min), "0000-01-01T00:00:00Z"), (Duration(attoseconds: .max), "9999-12-31T23:59:59.999Z"),
  ])
  func `a time is formatted, one that no date can express as the nearest that can be`(clock: Duration, text: String) {
    #expect(Self.evaluate("now() | date", at: clock).value?.text == text)
  }

  @Test(arguments: [
    ("now()" + String(repeating: " + 2400000h", count: 30), "this time is before the year 0000 or after 9999"),
    ("2400000h * 2", "this duration is longer than 285 years"),
    ("2400000h / 1e-400", "this duration is longer than 285 years"),
    ("2400000h + 2400000h", "this duration is longer than 285 years"),
    ("9000000h", "\"9000000\" is not a number"),
  ])
  func `a time out of range is reported`(expression: String, message: String) {
    #expect(Self.evaluate(expression).said == message)
  }
}
