import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// A call of a function with its values.
struct FunctionCall {
  /// A value with its place, for messages.
  typealias Located = (value: Value, range: SourceRange)

  let evaluator: Evaluator
  let name: String
  let syntax: CallSyntax
  /// What is piped into it; null for one that is called.
  let input: Located
  let arguments: [Located]
  /// The range of the function's name.
  var range: SourceRange { syntax.name.range }

  func failure(_ fact: ProgramError.Fact) -> ProgramError { evaluator.failure(fact, range) }

  func failure(_ fact: ProgramError.Fact, _ located: Located) -> ProgramError {
    evaluator.failure(fact, located.range)
  }

  // MARK: What was given

  /// The input as a text.
  func text() throws(ProgramError) -> String { try text(input) }

  func text(_ located: Located) throws(ProgramError) -> String {
    try evaluator.text(of: located.value, located.range)
  }

  func integer(_ located: Located) throws(ProgramError) -> Int {
    try evaluator.integer(located.value, located.range)
  }

  /// The elements of the input.
  func elements() throws(ProgramError) -> Value.Elements {
    guard let elements = input.value.elements else {
      throw failure(.wrongKind(wanted: "an array", actual: input.value.kind), input)
    }
    return elements
  }

  /// The bytes of a value: a text in UTF-8, a digest's own bytes, a file's content.
  func bytes(_ located: Located) throws(ProgramError) -> [UInt8] {
    switch located.value.content {
    case .bytes(let bytes), .digest(let bytes): return bytes
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return try file.bytes()
      } catch {
        throw failure(.file(error), located)
      }
    case .json, .duration, .time, .exchange, .headers, .headerLines, .request, .timings, .cookies, .list, .names:
      return Array(try text(located).utf8)
    }
  }

  // MARK: Limits of the result

  /// - Throws: `ProgramError` if that many, each of that size, are more than a value may be.
  func check(_ count: Int, times size: Int = 1) throws(ProgramError) {
    try evaluator.check(count, times: size, range)
  }

  /// - Throws: `ProgramError` if the result of parsing that many bytes may be more than a value may be.
  func checkParsed(_ count: Int) throws(ProgramError) {
    try evaluator.checkParsed(count, range)
  }
}
