import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// What a parameter may be declared as.
enum ParameterType: String, CaseIterable, Sendable {
  case any, string, int, number, bool, url, datetime, object, array, file, duration

  /// Whether a value is of the type.
  func accepts(_ value: Value) -> Bool {
    switch (self, value.content) {
    case (.any, _), (.file, .file), (.file, .chunk), (.duration, .duration): true
    case (.file, _), (.duration, _): false
    case (.object, _): if case .object? = value.json { true } else { false }
    case (.array, _): value.elements != nil
    case (.string, .json(.string)), (.string, .digest), (.string, .time), (.number, .json(.number)),
      (.bool, .json(.bool)):
      true
    case (.int, .json(.number(let number))): number.int != nil
    case (.url, _): value.text?.isURL ?? false
    case (.datetime, .time): true
    case (.datetime, _): value.text.flatMap { DateText.rfc3339($0) } != nil
    case (.string, _), (.int, _), (.number, _), (.bool, _): false
    }
  }

  /// The value that a text on the command line stands for; nil if it is not one of the type.
  func value(of text: String, evaluator: Evaluator, _ range: SourceRange) throws(ProgramError) -> Value? {
    let value: Value?
    switch self {
    case .any, .string, .url, .datetime: value = Value(.string(text))
    case .int, .number:
      if let number = JSONNumber(text) { value = Value(.number(number)) } else { value = try literal(text, evaluator) }
    case .bool: value = text == "true" ? Value(.bool(true)) : text == "false" ? Value(.bool(false)) : nil
    case .object, .array: value = (try? JSON(parsing: text)).map { Value($0) }
    case .file: return Value(.file(try evaluator.file(text, range)), provenance: .file(text))
    case .duration: value = try literal(text, evaluator)
    }
    guard var value, accepts(value) else { return nil }
    value.provenance = .setting(text)
    value.isVerbatim = true
    return evaluator.scope.known.marking(value)
  }

  /// A number with a unit: `30s`, `5MiB`.
  private func literal(_ text: String, _ evaluator: Evaluator) throws(ProgramError) -> Value? {
    let parsed = Parser.parseExpression(SourceText(name: "", text: text)).expression
    guard case .number(let number)? = parsed, number.unit != nil else { return nil }
    return try evaluator.evaluate(.number(number))
  }
}
