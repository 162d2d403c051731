import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  func call(_ call: CallSyntax, input: FunctionCall.Located?) throws(ProgramError) -> Value {
    guard let function = Function(named: call.name.text) else {
      throw failure(.unknownFunction(call.name.text, known: Function.names), call.name.range)
    }
    var arguments: [FunctionCall.Located] = []
    for argument in call.arguments { arguments.append((try evaluate(argument.value), argument.value.range)) }
    guard function.arity.contains(arguments.count), function.isCalled == (input == nil) else {
      let wanted =
        function.isCalled ? function.argumentsWanted : "its input through a pipe, and \(function.argumentsWanted)"
      throw failure(.arguments(function: function.name, wanted: wanted), call.range)
    }
    var result = try function.apply(
      FunctionCall(
        evaluator: self, name: function.name, syntax: call, input: input ?? (Value(.null), call.range),
        arguments: arguments))
    if let input {
      result = result.carrying(input.value)
      // What is made from a value has that value's origin.
      if result.provenance == .script { result.provenance = input.value.provenance }
      if !function.leavesFilesUnread {
        for located in [input] + arguments { result = try read(result, from: located) }
      }
    }
    for argument in arguments { result = result.carrying(argument.value) }
    if function.isCalled { result = result.withoutInputs }
    return try bounded(result, call.range)
  }

  /// A value that was made from another; if that is a file, with the secrets in it.
  private func read(_ value: Value, from located: FunctionCall.Located) throws(ProgramError) -> Value {
    switch located.value.content {
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return try read(value, from: file)
      } catch {
        throw failure(.file(error), located.range)
      }
    case .json, .bytes, .digest, .duration, .time, .exchange, .headers, .headerLines, .request, .timings, .cookies,
      .list, .names:
      return value
    }
  }
}
