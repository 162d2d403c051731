internal import Diagnostics
import JSONValue
internal import RequestSyntax
import Requests

/// Functions that are called: time, randomness, files, and whoever sits at the terminal.
extension Function {
  static let sources: [Function] = [uuid, now, random, range, file, ask, command, presign]

  static let fileName = "file"

  /// Only the author of the text may run it: a script never does.
  static let commandName = "command"

  private static let uuid = Function(
    "uuid", taking: "()", makes: "a random identifier", example: "uuid()", of: nil, gives: .string
  ) { call throws(ProgramError) in
    Value(.string(SeededRandom(call.evaluator.moment, at: call.range, in: call.evaluator.source).uuid))
  }

  private static let now = Function(
    "now", taking: "()", makes: "the time", example: "now()", of: nil, gives: .time
  ) { call throws(ProgramError) in Value(.time(call.evaluator.moment.time)) }

  private static let random = Function(
    "random", taking: "(1, 6)", makes: "a random number in this range", example: "random(1, 6)", of: nil, arity: 2...2,
    gives: .number
  ) { call throws(ProgramError) in
    let low = try call.integer(call.arguments[0])
    let high = try call.integer(call.arguments[1])
    guard low <= high else {
      throw call.failure(.arguments(function: call.name, wanted: "the smaller number first"))
    }
    let chance = SeededRandom(call.evaluator.moment, at: call.range, in: call.evaluator.source)
    return Value(.number(JSONNumber(chance.number(in: low...high))))
  }

  /// The most numbers of a range.
  private static let longestRange = 1_000_000

  private static let range = Function(
    "range", taking: "(1, 3)", makes: "the whole numbers from one to another", example: "range(1, 3)", of: nil,
    arity: 2...2, gives: .array
  ) { call throws(ProgramError) in
    let first = try call.integer(call.arguments[0])
    let last = try call.integer(call.arguments[1])
    guard first <= last else { return Value(.array([])) }
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    guard !overflows, distance < longestRange else {
      throw call.failure(.tooLarge("a range has at most \(longestRange) numbers"))
    }
    try call.check(distance + 1, times: ValueMeter.element)
    return Value(.array((first...last).map { .number(JSONNumber($0)) }))
  }

  private static let file = Function(
    fileName, taking: "(\"path\")", makes: "a file", example: "file(\"a.bin\")", of: nil, arity: 1...1, gives: .file
  ) { call throws(ProgramError) in
    let path = try call.evaluator.path(call.syntax.arguments[0].value)
    let file = try call.evaluator.file(path, call.arguments[0].range)
    return Value(.file(file), provenance: .file(file.path))
  }

  private static let ask = Function(
    "ask", taking: "(\"question\")", makes: "what somebody types, hidden", example: "ask(\"token\")", of: nil,
    arity: 1...1,
    gives: .string
  ) { call throws(ProgramError) in
    let question = try call.text(call.arguments[0])
    let environment = call.evaluator.environment
    guard call.arguments[0].value.isOpen, let reply = environment.reply(to: question, at: call.place) else {
      throw call.failure(.unavailableSecret(Quoted(call.arguments[0].value)))
    }
    return call.evaluator.scope.known.marking(.read(.json(.string(reply))))
  }

  private static let command = Function(
    commandName, taking: "(\"gh auth token\")", makes: "the output of a program", example: "command(\"gh auth token\")",
    of: nil,
    arity: 1...1, gives: .string
  ) { call throws(ProgramError) in
    guard let run = call.evaluator.environment.runCommand else { throw call.failure(.noCommands) }
    let command = try call.text(call.arguments[0])
    do throws(CommandError) {
      return call.evaluator.scope.known.marking(.read(.json(.string(try run(command).trimmed))))
    } catch {
      throw call.failure(.command(Quoted(call.arguments[0].value, error.sentence)))
    }
  }
}

extension FunctionCall {
  /// The line that it is in, and which of those that read like it: that stays the same when other lines are changed.
  fileprivate var place: RememberedReplies.Place {
    let source = evaluator.source
    let range = source.lineRange(source.lineIndex(at: self.range.lowerBound))
    let line = source[range]
    let earlier = source[SourceRange(0, range.lowerBound)].split(whereSeparator: \.isNewline)
    return RememberedReplies.Place(source: source.name, line: line, twins: earlier.count { $0 == line })
  }
}
