import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  /// A value with its place, for messages.
  private typealias Located = (value: Value, range: SourceRange)

  func call(_ call: CallSyntax, input: (value: Value, range: SourceRange)?) throws(ProgramError) -> Value {
    guard let function = Function(rawValue: call.name.text) else {
      throw failure(.unknownFunction(call.name.text, known: Function.allCases.map(\.rawValue)), call.name.range)
    }
    var arguments: [Located] = []
    for argument in call.arguments { arguments.append((try evaluate(argument.value), argument.value.range)) }
    guard function.argumentCounts.contains(arguments.count), function.takesInput == (input != nil) else {
      let wanted =
        function.takesInput ? "its input by a pipe, and \(function.argumentsWanted)" : function.argumentsWanted
      throw failure(.arguments(function: call.name.text, wanted: wanted), call.range)
    }
    var result: Value
    if let input {
      result = try apply(function, input, arguments, call.name.range).carrying(input.value)
      if !function.leavesFilesUnread {
        for located in [input] + arguments { result = try read(result, from: located) }
      }
      // What is made of a value came from where that did.
      if result.provenance == .script { result.provenance = input.value.provenance }
    } else {
      result = try produce(function, call, arguments, call.name.range)
    }
    for argument in arguments { result = result.carrying(argument.value) }
    return try bounded(result, call.range)
  }

  private func produce(
    _ function: Function, _ call: CallSyntax, _ arguments: [Located], _ range: SourceRange
  ) throws(ProgramError) -> Value {
    switch function {
    case .uuid: return Value(.string(Chance(moment, at: range, in: source).uuid))
    case .now: return Value(.time(moment.time))
    case .random:
      let low = try integer(arguments[0].value, arguments[0].range)
      let high = try integer(arguments[1].value, arguments[1].range)
      guard low <= high else {
        throw failure(.arguments(function: "random", wanted: "the smaller number first"), range)
      }
      return Value(.number(JSONNumber(Chance(moment, at: range, in: source).number(in: low...high))))
    case .file:
      let file = try file(try path(call.arguments[0].value), arguments[0].range)
      return Value(.file(file), provenance: .file(file.path))
    case .ask:
      let question = try text(of: arguments[0].value, arguments[0].range)
      guard arguments[0].value.isOpen, let reply = environment.ask?(question) else {
        throw failure(.unavailableSecret(Quoted(arguments[0].value)), range)
      }
      return scope.known.marking(.read(.json(.string(reply))))
    case .command:
      guard let run = environment.runCommand else { throw failure(.noCommands, range) }
      let command = try text(of: arguments[0].value, arguments[0].range)
      do throws(CommandError) {
        return scope.known.marking(.read(.json(.string(try run(command).trimmed))))
      } catch {
        throw failure(.command(Quoted(arguments[0].value, error.sentence)), range)
      }
    default: throw failure(.arguments(function: function.rawValue, wanted: "its input by a pipe"), range)
    }
  }

  private func apply(
    _ function: Function, _ input: Located, _ arguments: [Located], _ range: SourceRange
  ) throws(ProgramError) -> Value {
    switch function {
    case .count: return Value(.number(JSONNumber(try count(input))))
    case .first, .last:
      let elements = try elements(input)
      guard let element = function == .first ? elements.first : elements.last else {
        throw failure(.nothing("there is no \(function.rawValue) of nothing"), range)
      }
      return element
    case .sort: return .array(try sorted(try elements(input), input.range))
    case .unique:
      var unique: [Value] = []
      var seen: Set<JSON> = []
      for element in try elements(input) {
        if let json = element.json {
          if seen.insert(json).inserted { unique.append(element) }
        } else if !unique.contains(where: { $0.isEqual(to: element) }) {
          unique.append(element)
        }
      }
      return .array(unique)
    case .join:
      let separator = try arguments.first.map { argument throws(ProgramError) in
        try text(of: argument.value, argument.range)
      }
      var parts: [String] = []
      var size = 0
      for element in try elements(input) {
        let part = try text(of: element, input.range)
        size += part.utf8.count + (separator?.utf8.count ?? 0)
        try check(size, range)
        parts.append(part)
      }
      return Value(.string(parts.joined(separator: separator ?? "")))
    case .split:
      let separator = try text(of: arguments[0].value, arguments[0].range)
      let text = try text(of: input.value, input.range)
      if text.utf8.count > environment.valueLimit / ValueMeter.element {
        let count = separator.isEmpty ? text.count : text.ranges(of: separator).count
        try check(count, times: ValueMeter.element, range)
      }
      return Value(
        .array(
          separator.isEmpty
            ? text.map { .string(String($0)) }
            : text.split(separator: separator, omittingEmptySubsequences: false).map { .string(String($0)) }))
    case .replace:
      let old = try text(of: arguments[0].value, arguments[0].range)
      let new = try text(of: arguments[1].value, arguments[1].range)
      let text = try text(of: input.value, input.range)
      if !old.isEmpty,
        text.utf8.count.multipliedReportingOverflow(by: new.utf8.count).partialValue > environment.valueLimit
      {
        try check(text.ranges(of: old).count, times: new.utf8.count, range)
      }
      return Value(.string(old.isEmpty ? text : text.replacing(old, with: new)))
    case .regex:
      let pattern = try pattern(arguments[0].value, arguments[0].range)
      guard let match = pattern.firstMatch(in: try text(of: input.value, input.range)) else {
        throw failure(.nothing("the regular expression matches nothing"), range)
      }
      guard let found = pattern.hasGroup ? match.group : match.whole else {
        throw failure(.nothing("the group of the regular expression matches nothing"), range)
      }
      return Value(.string(found))
    case .upper: return Value(.string(try text(of: input.value, input.range).uppercased()))
    case .lower: return Value(.string(try text(of: input.value, input.range).lowercased()))
    case .trim: return Value(.string(try text(of: input.value, input.range).trimmed))
    case .base64: return Value(.string(Base64.encode(try bytes(input))))
    case .base64Decode:
      let text = try text(of: input.value, input.range)
      guard let bytes = Base64.decode(text) else {
        throw failure(.invalidEncoding("base64", Quoted(written: "")), range)
      }
      return Value(.bytes(bytes))
    case .urlEncode: return Value(.string(PercentEncoding.component.encode(try text(of: input.value, input.range))))
    case .urlDecode:
      guard let decoded = Self.percentDecoded(try text(of: input.value, input.range)) else {
        throw failure(.invalidEncoding("percent-encoding", Quoted(written: "")), range)
      }
      return Value(.string(decoded))
    case .sha256: return try digest(.sha256, input)
    case .md5: return try digest(.md5, input)
    case .hmacSHA256:
      return Value(.digest(Digest.hmacSHA256(try bytes(input), key: try bytes(arguments[0]))))
    case .json:
      guard let json = input.value.json else {
        throw failure(.wrongKind(wanted: "a JSON value", actual: input.value.kind), input.range)
      }
      return Value(.string(json.description))
    case .parseJSON:
      let bytes = try bytes(input)
      try checkParsed(bytes.count, range)
      return Value(try json(bytes, range, of: input.value))
    case .parseCSV:
      let text = try text(of: contents(input), input.range)
      try checkParsed(text.utf8.count, range)
      return Value(CommaSeparatedValues.objects(text))
    case .without:
      guard case .object(var object)? = input.value.json else {
        throw failure(.wrongKind(wanted: "an object", actual: input.value.kind), input.range)
      }
      for argument in arguments { object[try text(of: argument.value, argument.range)] = nil }
      return Value(.object(object))
    case .date: return try date(input, arguments.first)
    case .toNumber:
      let text = try text(of: input.value, input.range).trimmed
      guard let number = JSONNumber(text) else { throw failure(.number(Quoted(input.value, text)), range) }
      return Value(.number(number))
    case .toString: return Value(.string(try text(of: input.value, input.range)))
    case .slice: return try slice(input, arguments, range)
    case .chunks: return try chunks(input, arguments[0], range)
    case .uuid, .now, .random, .file, .ask, .command:
      throw failure(.arguments(function: function.rawValue, wanted: function.argumentsWanted), range)
    }
  }

  /// A value that was made of another, with the secrets that are in that if it is a file.
  private func read(_ value: Value, from located: Located) throws(ProgramError) -> Value {
    switch located.value.content {
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return try read(value, from: file)
      } catch {
        throw failure(.file(error), located.range)
      }
    case .json, .bytes, .digest, .duration, .time, .exchange, .headers, .request, .timings, .cookies, .list, .names:
      return value
    }
  }

  private func elements(_ located: Located) throws(ProgramError) -> [Value] {
    guard let elements = located.value.elements else {
      throw failure(.wrongKind(wanted: "an array", actual: located.value.kind), located.range)
    }
    return elements
  }

  private func count(_ located: Located) throws(ProgramError) -> Int {
    if let elements = located.value.elements { return elements.count }
    switch located.value.content {
    case .json(.object(let object)): return object.members.count
    case .json(.string(let text)): return text.count
    case .bytes(let bytes): return bytes.count
    default:
      throw failure(.wrongKind(wanted: "an array, an object or a text", actual: located.value.kind), located.range)
    }
  }

  private func sorted(_ elements: [Value], _ range: SourceRange) throws(ProgramError) -> [Value] {
    let numbers = elements.compactMap { element in
      if case .json(.number(let number)) = element.content { (element, number) } else { nil }
    }
    if numbers.count == elements.count { return numbers.sorted { $0.1 < $1.1 }.map(\.0) }
    let texts = elements.compactMap { element in
      if case .json(.string(let text)) = element.content { (element, Array(text.utf8)) } else { nil }
    }
    guard texts.count == elements.count else { throw failure(.notComparable("numbers", "other values"), range) }
    return texts.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// The bytes of a value: a text in UTF-8, a digest's own, a file's.
  private func bytes(_ located: Located) throws(ProgramError) -> [UInt8] {
    switch located.value.content {
    case .bytes(let bytes), .digest(let bytes): return bytes
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return try file.bytes()
      } catch {
        throw failure(.file(error), located.range)
      }
    default: return Array(try text(of: located.value, located.range).utf8)
    }
  }

  /// A file as its text, anything else as it is.
  private func contents(_ located: Located) throws(ProgramError) -> Value {
    guard case .file = located.value.content else { return located.value }
    return Value(.string(String(decoding: try bytes(located), as: UTF8.self)))
  }

  private func digest(_ digest: Digest, _ located: Located) throws(ProgramError) -> Value {
    switch located.value.content {
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return Value(.digest(try digest.of(file)))
      } catch {
        throw failure(.file(error), located.range)
      }
    default: return Value(.digest(digest.of(try bytes(located))))
    }
  }

  /// A time as a text: as RFC 3339 has it, or in the format's words.
  private func date(_ input: Located, _ format: Located?) throws(ProgramError) -> Value {
    let time: Duration
    if case .time(let value) = input.value.content {
      time = value
    } else if let parsed = input.value.text.flatMap(Timestamp.time) {
      time = parsed
    } else {
      throw failure(
        .wrongKind(wanted: "a time such as now() or \"2026-01-31T12:00:00Z\"", actual: input.value.kind), input.range)
    }
    guard let format else { return Value(.string(Timestamp.text(of: time))) }
    let pattern = try text(of: format.value, format.range)
    do throws(TimestampFormatError) {
      return Value(.string(try Timestamp.text(of: time, format: pattern)))
    } catch {
      throw failure(.arguments(function: "date", wanted: "\(Quoted(format.value, error.sentence))"), format.range)
    }
  }

  private func slice(_ input: Located, _ arguments: [Located], _ range: SourceRange) throws(ProgramError) -> Value {
    let offset = max(0, try integer(arguments[0].value, arguments[0].range))
    let length = arguments.count > 1 ? max(0, try integer(arguments[1].value, arguments[1].range)) : Int.max
    switch input.value.content {
    case .file(let file), .chunk(let file, _, _):
      return Value(.file(file.slice(offset: offset, count: length)), provenance: input.value.provenance)
    case .bytes(let bytes): return Value(.bytes(Array(bytes.dropFirst(offset).prefix(length))))
    default: break
    }
    if let elements = input.value.elements { return .array(Array(elements.dropFirst(offset).prefix(length))) }
    return Value(.string(String(try text(of: input.value, input.range).dropFirst(offset).prefix(length))))
  }

  private func chunks(_ input: Located, _ size: Located, _ range: SourceRange) throws(ProgramError) -> Value {
    guard case .file(let file) = input.value.content else {
      throw failure(.wrongKind(wanted: "a file", actual: input.value.kind), input.range)
    }
    let length = try integer(size.value, size.range)
    guard length > 0 else { throw failure(.arguments(function: "chunks", wanted: "a size above 0"), size.range) }
    try check(file.count / length, times: 4 * ValueMeter.element, range)
    let offsets = stride(from: 0, to: max(file.count, 1), by: length)
    let pieces = offsets.enumerated().map { index, offset in
      Value(
        .chunk(file.slice(offset: offset, count: length), number: index + 1, offset: offset),
        provenance: input.value.provenance)
    }
    return Value(.list(pieces))
  }

  private static func percentDecoded(_ text: String) -> String? {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: decoded, as: UTF8.self)
  }
}
