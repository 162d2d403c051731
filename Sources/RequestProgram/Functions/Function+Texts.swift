import JSONValue
import Patterns
import RequestSyntax
import Requests

/// Functions of texts.
extension Function {
  static let texts: [Function] = [
    split, replace, replaceRegex, regex, upper, lower, trim, toNumber, toInt, toString, htmlEscape, htmlUnescape, xpath,
  ]

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

  private static let replaceRegex = Function(
    "replace-regex", taking: "('…', b)", makes: "b in place of each match",
    example: "\"a1b22\" | replace-regex('\\d+', \"-\")", of: .text, arity: 2...2, gives: .string
  ) { call throws(ProgramError) in
    let pattern = try call.evaluator.pattern(call.arguments[0].value, call.arguments[0].range)
    let new = try call.text(call.arguments[1])
    let text = try call.text()
    guard let matches = pattern.ranges(in: text) else {
      throw call.failure(.tooLarge("finding each match of this expression in this text takes too long"))
    }
    try call.check(matches.count, times: new.utf8.count)
    var result = ""
    var rest = text.startIndex
    for match in matches where match.lowerBound >= rest {
      result += text[rest..<match.lowerBound] + new
      rest = match.upperBound
    }
    return Value(.string(result + text[rest...]))
  }

  private static let htmlEscape = Function(
    "html-escape", makes: "with entities for &, <, >, and quotes", example: "\"a < b\" | html-escape", of: .text,
    gives: .string
  ) { call throws(ProgramError) in
    let text = try call.text()
    try call.check(text.utf8.count, times: 6)
    return Value(.string(HTMLText.escape(text)))
  }

  private static let htmlUnescape = Function(
    "html-unescape", makes: "with characters for entities", example: "\"a &lt; b\" | html-unescape", of: .text,
    gives: .string
  ) { call throws(ProgramError) in Value(.string(HTMLText.unescape(try call.text()))) }

  private static let toInt = Function(
    "to-int", makes: "as a whole number, cut off after the point", example: "\"1.5\" | to-int", of: .text,
    gives: .number
  ) { call throws(ProgramError) in
    let text = try call.text().trimmed
    guard let number = JSONNumber(text) else { throw call.failure(.number(Quoted(call.input.value, text))) }
    if number.int != nil { return Value(.number(number)) }
    guard let whole = number.double.map({ $0.rounded(.towardZero) }).flatMap({ Int(exactly: $0) }) else {
      throw call.failure(.number(Quoted(call.input.value, text)))
    }
    return Value(.number(JSONNumber(whole)))
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
