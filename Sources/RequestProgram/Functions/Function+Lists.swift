import Essentials
import JSONValue
import Requests

/// Functions of arrays, and of what can be counted or cut like one.
extension Function {
  static let lists: [Function] = [count, first, last, sum, sort, unique, join, unwrap]

  private static let count = Function(
    "count", makes: "how many", example: "[1, 2] | count", of: .countable, gives: .number
  ) { call throws(ProgramError) in
    if let elements = call.input.value.elements { return number(elements.count) }
    switch call.input.value.content {
    case .json(.object(let object)): return number(object.members.count)
    case .json(.string(let text)): return number(text.count)
    case .bytes(let bytes): return number(bytes.count)
    default:
      throw call.failure(
        .wrongKind(wanted: "an array, an object or text", actual: call.input.value.kind), call.input)
    }
  }

  private static let first = Function(
    "first", makes: "the first of many", example: "[1, 2] | first", of: .array, gives: { _ in nil }
  ) { call throws(ProgramError) in try end(try call.elements().first, call) }

  private static let last = Function(
    "last", makes: "the last of many", example: "[1, 2] | last", of: .array, gives: { _ in nil }
  ) { call throws(ProgramError) in try end(try call.elements().last, call) }

  private static let sum = Function(
    "sum", makes: "all numbers together", example: "[0.1, 0.2] | sum", of: .array, gives: .number
  ) { call throws(ProgramError) in
    // Prices are decimals, and their sum is no fraction more.
    var sum: Decimal? = 0
    var rounded = 0.0
    for element in try call.elements() {
      guard case .json(.number(let number)) = element.content else {
        throw call.failure(.wrongKind(wanted: "numbers", actual: element.kind), call.input)
      }
      sum = number.decimal.flatMap { number in sum.map { $0 + number } }
      rounded += number.double ?? .nan
    }
    guard let result = sum.flatMap(JSONNumber.init) ?? JSONNumber(rounded) else {
      throw call.failure(.number(Quoted(written: "the sum")), call.input)
    }
    return Value(.number(result))
  }

  private static let sort = Function(
    "sort", makes: "in order", example: "[2, 1] | sort", of: .array, gives: .array
  ) { call throws(ProgramError) in
    let elements = try call.elements()
    let numbers = elements.compactMap { element in
      if case .json(.number(let number)) = element.content { (element, number) } else { nil }
    }
    if numbers.count == elements.count { return .array(numbers.sorted { $0.1 < $1.1 }.map(\.0)) }
    let texts = elements.compactMap { element in
      if case .json(.string(let text)) = element.content { (element, Array(text.utf8)) } else { nil }
    }
    guard texts.count == elements.count else {
      throw call.failure(.notComparable("numbers", "other values"), call.input)
    }
    return .array(texts.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
  }

  private static let unique = Function(
    "unique", makes: "each once", example: "[1, 1, 2] | unique", of: .array, gives: .array
  ) { call throws(ProgramError) in
    var unique: [Value] = []
    var seen: Set<JSON> = []
    for element in try call.elements() {
      if let json = element.json {
        if seen.insert(json).inserted { unique.append(element) }
      } else if !unique.contains(where: { $0.isEqual(to: element) }) {
        unique.append(element)
      }
    }
    return .array(unique)
  }

  private static let join = Function(
    "join", taking: "(\",\")", makes: "one text from many", example: "[\"a\", \"b\"] | join(\",\")", of: .array,
    arity: 0...1,
    gives: .string
  ) { call throws(ProgramError) in
    let separator = try call.arguments.first.map { argument throws(ProgramError) in try call.text(argument) }
    var parts: [String] = []
    var size = 0
    for element in try call.elements() {
      let part = try call.text((element, call.input.range))
      size += part.utf8.count + (separator?.utf8.count ?? 0)
      try call.check(size)
      parts.append(part)
    }
    return Value(.string(parts.joined(separator: separator ?? "")))
  }

  private static let unwrap = Function(
    "unwrap", makes: "the only one of many, or all of them", example: "[7] | unwrap", of: .array, gives: { _ in nil }
  ) { call throws(ProgramError) in
    let elements = try call.elements()
    guard let first = elements.first else { throw call.failure(.nothing("an empty array has no element")) }
    return elements.count == 1 ? first : call.input.value
  }

  private static func number(_ count: Int) -> Value { Value(.number(JSONNumber(count))) }

  private static func end(_ element: Value?, _ call: FunctionCall) throws(ProgramError) -> Value {
    guard let element else { throw call.failure(.nothing("an empty array has no \(call.name) element")) }
    return element
  }
}
