import JSONValue
import Requests

/// Functions that cut, and functions of objects.
extension Function {
  static let files: [Function] = [slice, chunks]
  static let objects: [Function] = [without]

  private static let slice = Function(
    "slice", taking: "(offset, length)", makes: "a piece", example: "\"abcd\" | slice(1, 2)", of: .sliceable,
    arity: 1...2,
    gives: { $0 == .chunk ? .file : $0 }, leavesFilesUnread: true
  ) { call throws(ProgramError) in
    let offset = max(0, try call.integer(call.arguments[0]))
    let length = call.arguments.count > 1 ? max(0, try call.integer(call.arguments[1])) : Int.max
    let input = call.input.value
    switch input.content {
    case .file(let file), .chunk(let file, _, _):
      return Value(.file(file.slice(offset: offset, count: length)), provenance: input.provenance)
    case .bytes(let bytes): return Value(.bytes(Array(bytes.dropFirst(offset).prefix(length))))
    default: break
    }
    if let elements = input.elements { return .array(Array(elements.dropFirst(offset).prefix(length))) }
    return Value(.string(String(try call.text().dropFirst(offset).prefix(length))))
  }

  /// The checker knows that the items of a loop over these are pieces.
  static let chunksName = "chunks"

  private static let chunks = Function(
    chunksName, taking: "(8MiB)", makes: "pieces of a file", example: "file(\"a.bin\") | chunks(8MiB)", of: .file,
    arity: 1...1,
    gives: { _ in .array }, leavesFilesUnread: true
  ) { call throws(ProgramError) in
    let input = call.input.value
    guard case .file(let file) = input.content else {
      throw call.failure(.wrongKind(wanted: "a file", actual: input.kind), call.input)
    }
    let length = try call.integer(call.arguments[0])
    guard length > 0 else {
      throw call.failure(.arguments(function: call.name, wanted: "a size above 0"), call.arguments[0])
    }
    try call.check(file.count / length, times: 4 * ValueMeter.element)
    let offsets = stride(from: 0, to: max(file.count, 1), by: length)
    let pieces = offsets.enumerated().map { index, offset in
      Value(
        .chunk(file.slice(offset: offset, count: length), number: index + 1, offset: offset),
        provenance: input.provenance)
    }
    return Value(.list(pieces))
  }

  private static let without = Function(
    "without", taking: "(\"name\")", makes: "fewer members", example: "{ a: 1, b: 2 } | without(\"a\")", of: .object,
    arity: 1...16,
    gives: .object
  ) { call throws(ProgramError) in
    guard case .object(var object)? = call.input.value.json else {
      throw call.failure(.wrongKind(wanted: "an object", actual: call.input.value.kind), call.input)
    }
    for argument in call.arguments { object[try call.text(argument)] = nil }
    return Value(.object(object))
  }
}
