import Diagnostics
import JSONValue
import Patterns
import RequestSyntax
import Requests

extension Evaluator {
  func evaluate(_ node: UnarySyntax) throws(ProgramError) -> Value {
    switch node.operator {
    case .not:
      let value = try evaluate(node.operand)
      return Value(.bool(!(try truth(of: value, node.operand.range)))).carrying(value)
    case .negate:
      let value = try evaluate(node.operand)
      switch value.content {
      case .json(.number(let number)):
        let text = number.text.hasPrefix("-") ? String(number.text.dropFirst()) : "-\(number.text)"
        guard let negated = JSONNumber(text) else { break }
        return Value(.number(negated)).carrying(value)
      case .duration(let duration): return Value(.duration(Duration.zero.subtracting(duration))).carrying(value)
      default: break
      }
      throw failure(.wrongKind(wanted: "a number", actual: value.kind), node.operand.range)
    }
  }

  func evaluate(_ node: BinarySyntax) throws(ProgramError) -> Value {
    switch node.operator {
    case .and: return try decide(node, unless: false)
    case .or: return try decide(node, unless: true)
    default: break
    }
    let left = try evaluate(node.left)
    let right = try evaluate(node.right)
    return try apply(node.operator, left, right, node).carrying(left, right)
  }

  /// The right side decides where the left has not.
  private func decide(_ node: BinarySyntax, unless decisive: Bool) throws(ProgramError) -> Value {
    let left = try evaluate(node.left)
    if try truth(of: left, node.left.range) == decisive { return Value(.bool(decisive)).carrying(left) }
    let right = try evaluate(node.right)
    return Value(.bool(try truth(of: right, node.right.range))).carrying(left, right)
  }

  private func apply(
    _ operation: BinarySyntax.Operator, _ left: Value, _ right: Value, _ node: BinarySyntax
  ) throws(ProgramError) -> Value {
    switch operation {
    case .equal: return Value(.bool(left.isEqual(to: right)))
    case .notEqual: return Value(.bool(!left.isEqual(to: right)))
    case .less: return Value(.bool(try order(left, right, node) < 0))
    case .lessOrEqual: return Value(.bool(try order(left, right, node) <= 0))
    case .greater: return Value(.bool(try order(left, right, node) > 0))
    case .greaterOrEqual: return Value(.bool(try order(left, right, node) >= 0))
    case .contains: return Value(.bool(try contains(left, right, node.left.range, node.right.range)))
    case .in: return Value(.bool(try contains(right, left, node.right.range, node.left.range)))
    case .startsWith:
      if case .bytes(let bytes) = left.content { return Value(.bool(bytes.starts(with: try self.bytes(right, node)))) }
      return Value(.bool(try text(of: left, node.left.range).hasPrefix(text(of: right, node.right.range))))
    case .endsWith:
      if case .bytes(let bytes) = left.content {
        return Value(.bool(bytes.reversed().starts(with: try self.bytes(right, node).reversed())))
      }
      return Value(.bool(try text(of: left, node.left.range).hasSuffix(text(of: right, node.right.range))))
    case .matches:
      let pattern = try pattern(right, node.right.range)
      return Value(.bool(pattern.isFound(in: try text(of: left, node.left.range))))
    case .add, .subtract, .multiply, .divide: return try arithmetic(operation, left, right, node)
    case .and, .or: return Value(.bool(false))
    }
  }

  /// What bytes are compared with: bytes, or a text in UTF-8.
  private func bytes(_ value: Value, _ range: SourceRange) throws(ProgramError) -> [UInt8] {
    switch value.content {
    case .bytes(let bytes), .digest(let bytes): bytes
    default: Array(try text(of: value, range).utf8)
    }
  }

  private func bytes(_ value: Value, _ node: BinarySyntax) throws(ProgramError) -> [UInt8] {
    try bytes(value, node.right.range)
  }

  func pattern(_ value: Value, _ range: SourceRange) throws(ProgramError) -> Pattern {
    let text = try text(of: value, range)
    do throws(PatternError) {
      return try Pattern(text)
    } catch {
      throw failure(.invalidRegex(Quoted(value, error.sentence)), range)
    }
  }

  private func order(_ left: Value, _ right: Value, _ node: BinarySyntax) throws(ProgramError) -> Int {
    func sign<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Int {
      left < right ? -1 : left > right ? 1 : 0
    }
    switch (left.content, right.content) {
    case (.json(.number(let left)), .json(.number(let right))): return sign(left, right)
    case (.duration(let left), .duration(let right)), (.time(let left), .time(let right)): return sign(left, right)
    case (.json(.string(let left)), .json(.string(let right))):
      return left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    default:
      let times = [(left, node.left.range), (right, node.right.range)].first { $0.0.isTimings }
      throw failure(
        .notComparable(left.kind, right.kind, hint: times.map { "how long it took is \(source[$0.1]).total" }),
        node.left.range.union(node.right.range))
    }
  }

  private func contains(
    _ whole: Value, _ part: Value, _ wholeRange: SourceRange, _ partRange: SourceRange
  ) throws(ProgramError) -> Bool {
    if let elements = whole.elements { return elements.contains { $0.isEqual(to: part) } }
    if case .object(let object)? = whole.json { return object[try text(of: part, partRange)] != nil }
    if case .bytes(let bytes) = whole.content { return bytes.contains(try self.bytes(part, partRange)) }
    var isText = true
    if case .json(.number) = whole.content { isText = false }
    if case .json(.bool) = whole.content { isText = false }
    guard isText, let text = whole.text else {
      throw failure(.wrongKind(wanted: "text, an array or an object", actual: whole.kind), wholeRange)
    }
    return text.contains(try self.text(of: part, partRange))
  }

  private func arithmetic(
    _ operation: BinarySyntax.Operator, _ left: Value, _ right: Value, _ node: BinarySyntax
  ) throws(ProgramError) -> Value {
    switch (left.content, right.content, operation) {
    case (.duration(let left), .duration(let right), .add): return try value(left.adding(right), node)
    case (.duration(let left), .duration(let right), .subtract): return try value(left.subtracting(right), node)
    case (.time(let time), .duration(let duration), .add): return Value(try moment(time.adding(duration), node))
    case (.time(let time), .duration(let duration), .subtract):
      return Value(try moment(time.subtracting(duration), node))
    case (.time(let left), .time(let right), .subtract): return Value(.duration(left.subtracting(right)))
    case (.duration(let left), .duration(let right), .divide) where right != .zero:
      if let quotient = JSONNumber(left / right) { return Value(.number(quotient)) }
    case (.duration(let duration), .json(.number(let factor)), .multiply),
      (.json(.number(let factor)), .duration(let duration), .multiply):
      return try product(duration, factor.double, node)
    case (.duration(let duration), .json(.number(let divisor)), .divide) where divisor != JSONNumber(0):
      return try product(duration, divisor.double.map { 1 / $0 }, node)
    default: break
    }
    guard case .json(.number(let first)) = left.content else {
      throw failure(.wrongKind(wanted: "a number", actual: left.kind), node.left.range)
    }
    guard case .json(.number(let second)) = right.content else {
      throw failure(.wrongKind(wanted: "a number", actual: right.kind), node.right.range)
    }
    if operation == .divide, second == JSONNumber(0) { throw failure(.divisionByZero, node.right.range) }
    if let a = first.int, let b = second.int, let exact = Self.exact(operation, a, b) {
      return Value(.number(JSONNumber(exact)))
    }
    guard let a = first.double, let b = second.double, let result = JSONNumber(Self.inexact(operation, a, b)) else {
      throw failure(.number(Quoted(written: "the result")), node.left.range.union(node.right.range))
    }
    return Value(.number(result))
  }

  /// A duration that nobody can wait for is not one.
  private func value(_ duration: Duration, _ node: BinarySyntax) throws(ProgramError) -> Value {
    guard Self.longest.contains(duration) else {
      throw failure(.timeRange("this duration is longer than 285 years"), node.left.range.union(node.right.range))
    }
    return Value(.duration(duration))
  }

  /// A time that no date can express is not one.
  private func moment(_ time: Duration, _ node: BinarySyntax) throws(ProgramError) -> Value.Content {
    guard (CivilTime.first...CivilTime.last).contains(time) else {
      throw failure(
        .timeRange("this time is before the year 0000 or after 9999"), node.left.range.union(node.right.range))
    }
    return .time(time)
  }

  private static let longest = Duration.seconds(-9_000_000_000)...(.seconds(9_000_000_000))

  private func product(_ duration: Duration, _ factor: Double?, _ node: BinarySyntax) throws(ProgramError) -> Value {
    let nanoseconds = duration.milliseconds * 1e6 * (factor ?? .infinity)
    // Zero times infinity is not a number.
    guard nanoseconds.magnitude < 9e18 else { return try value(Duration(attoseconds: .max), node) }
    return Value(.duration(.nanoseconds(Int64(nanoseconds.rounded()))))
  }

  private static func exact(_ operation: BinarySyntax.Operator, _ left: Int, _ right: Int) -> Int? {
    let (result, overflow) =
      switch operation {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      default: left.isMultiple(of: right) ? left.dividedReportingOverflow(by: right) : (0, true)
      }
    return overflow ? nil : result
  }

  private static func inexact(_ operation: BinarySyntax.Operator, _ left: Double, _ right: Double) -> Double {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    default: left / right
    }
  }
}

extension Value {
  /// Whether it is the `time` of an exchange, all parts of it.
  fileprivate var isTimings: Bool { if case .timings = content { true } else { false } }

  /// Values of different types are not equal; numbers are compared by value, digests by their text.
  func isEqual(to other: Value) -> Bool {
    switch (content, other.content) {
    case (.duration(let left), .duration(let right)): left == right
    case (.duration, _), (_, .duration): false
    default:
      if let json, let other = other.json { json == other } else { content == other.content }
    }
  }
}
