import JSONValue
import Patterns
import RequestSyntax
import Requests

/// Functions of texts.
extension Function {
  static let texts: [Function] = [split, replace, regex, upper, lower, trim, toNumber, toString]

  private static let split = Function(
    "split", taking: "(\",\")", makes: "many from one text", example: "\"a,b\" | split(\",\")", of: .text, arity: 1...1,
    gives: .array
  ) { call throws(ProgramError) in
    let separator = try call.text(call.arguments[0])
    let text = try call.text()
    if text.utf8.count > call.evaluator.environment.valueLimit / ValueMeter.element {
      let count = separator.isEmpty ? text.count : text.ranges(of: separator).count
      try call.check(count, times: ValueMeter.element)
    }
    return Value(
      .array(
        separator.isEmpty
          ? text.map { .string(String($0)) }
          : text.split(separator: separator, omittingEmptySubsequences: false).map { .string(String($0)) }))
  }

  private static let replace = Function(
    "replace", taking: "(a, b)", makes: "b in place of a", example: "\"a-b\" | replace(\"-\", \"+\")", of: .text,
    arity: 2...2,
    gives: .string
  ) { call throws(ProgramError) in
    let old = try call.text(call.arguments[0])
    let new = try call.text(call.arguments[1])
    let text = try call.text()
    if !old.isEmpty,
      text.utf8.count.multipliedReportingOverflow(by: new.utf8.count).partialValue
        > call.evaluator.environment.valueLimit
    {
      try call.check(text.ranges(of: old).count, times: new.utf8.count)
    }
    return Value(.string(old.isEmpty ? text : text.replacing(old, with: new)))
  }

  private static let regex = Function(
    "regex", taking: "('…')", makes: "the first group, or the match", example: "\"id=7\" | regex('id=(\\d+)')",
    of: .text,
    arity: 1...1, gives: .string,
    fault: { pattern in
      do throws(PatternError) {
        _ = try Pattern(pattern)
        return nil
      } catch {
        return .regex(error.sentence)
      }
    }
  ) { call throws(ProgramError) in
    let pattern = try call.evaluator.pattern(call.arguments[0].value, call.arguments[0].range)
    guard let match = pattern.firstMatch(in: try call.text()) else {
      throw call.failure(.nothing("the regular expression matches nothing"))
    }
    guard let found = pattern.hasGroup ? match.group : match.whole else {
      throw call.failure(.nothing("the group of the regular expression matches nothing"))
    }
    return Value(.string(found))
  }

  private static let upper = Function(
    "upper", makes: "uppercase", example: "\"a\" | upper", of: .text, gives: .string
  ) { call throws(ProgramError) in Value(.string(try call.text().uppercased())) }

  private static let lower = Function(
    "lower", makes: "lowercase", example: "\"A\" | lower", of: .text, gives: .string
  ) { call throws(ProgramError) in Value(.string(try call.text().lowercased())) }

  private static let trim = Function(
    "trim", makes: "without surrounding whitespace", example: "\" a \" | trim", of: .text, gives: .string
  ) { call throws(ProgramError) in Value(.string(try call.text().trimmed)) }

  private static let toNumber = Function(
    "to-number", makes: "as a number", example: "\"1.50\" | to-number", of: .text, gives: .number
  ) { call throws(ProgramError) in
    let text = try call.text().trimmed
    guard let number = JSONNumber(text) else { throw call.failure(.number(Quoted(call.input.value, text))) }
    return Value(.number(number))
  }

  private static let toString = Function(
    "to-string", makes: "as text", example: "7 | to-string", of: .text, gives: .string
  ) { call throws(ProgramError) in Value(.string(try call.text())) }
}
