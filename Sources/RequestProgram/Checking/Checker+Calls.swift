import Diagnostics
import JSONValue
import Patterns
import RequestSyntax

/// Functions with their arguments, regular expressions, filters.
extension Checker {
  mutating func check(_ call: CallSyntax, isPiped: Bool) {
    guard let function = Function(named: call.name.text) else {
      return report(.unknownFunction(call.name.text), call.name.range)
    }
    if function.name == Function.commandName, !mayRunCommands { return report(.commandInScript, call.name.range) }
    if function.name == Function.fileName { noteRead(call.arguments.first?.value) }
    if !function.isCalled, !isPiped {
      report(.functionNeedsPipe(function.name), call.name.range)
    } else if function.isCalled, isPiped {
      report(.functionTakesNoInput(function.name), call.name.range)
    } else if !function.arity.contains(call.arguments.count) {
      report(.functionArguments(function.name, wanted: function.argumentsWanted), call.range)
    } else {
      for argument in call.arguments { check(argument.value, of: function) }
    }
    for (index, argument) in call.arguments.enumerated() {
      let isLast = index == function.arity.upperBound - 1
      if isLast, let name = function.lastName, argument.name?.text == name { continue }
      if let name = argument.name { report(.namedArgument(name.text, function: call.name.text), name.range) }
    }
  }

  mutating func checkRegex(_ expression: ExpressionSyntax) {
    guard case .string(let string) = expression, let pattern = string.plainText else { return }
    do throws(PatternError) {
      _ = try Pattern(pattern)
    } catch {
      report(.invalidRegex(error.sentence), string.range)
    }
  }

  /// An argument that is written as a text.
  private mutating func check(_ argument: ExpressionSyntax, of function: Function) {
    guard case .string(let string) = argument, let text = string.plainText else { return }
    switch function.fault(text) {
    case nil: break
    case .regex(let reason): report(.invalidRegex(reason), string.range)
    case .other(let reason): report(.functionArguments(function.name, wanted: reason), string.range)
    }
  }

  mutating func checkSegments(_ segments: [SegmentSyntax]) {
    for segment in segments {
      guard case .bracket(let selectors, _) = segment.kind else { continue }
      for selector in selectors {
        if case .filter(let text) = selector.kind { checkFilter(text, selector.range) }
      }
    }
  }

  private mutating func checkFilter(_ text: String, _ range: SourceRange) {
    do throws(JSONPathSyntaxError) {
      for variable in try JSONPath.Filter(text, dialect: .reference).variables {
        checkName(variable.name, range)
      }
    } catch {
      let start = range.lowerBound + min(error.offset, range.upperBound - range.lowerBound)
      report(.invalidFilter(error.sentence + text.filterAdvice), SourceRange(start, start + 1))
    }
  }
}
