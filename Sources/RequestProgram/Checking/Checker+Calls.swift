import Diagnostics
import JSONValue
import RequestSyntax

/// Functions with their arguments, regular expressions, filters.
extension Checker {
  mutating func check(_ call: CallSyntax, isPiped: Bool) {
    guard let function = Function(rawValue: call.name.text) else {
      return report(.unknownFunction(call.name.text), call.name.range)
    }
    if function == .command, !mayRunCommands { return report(.commandInScript, call.name.range) }
    if function.takesInput, !isPiped {
      report(.functionNeedsPipe(call.name.text), call.name.range)
    } else if !function.takesInput, isPiped {
      report(.functionTakesNoInput(call.name.text), call.name.range)
    } else if !function.argumentCounts.contains(call.arguments.count) {
      report(.functionArguments(call.name.text, wanted: function.argumentsWanted), call.range)
    } else if function == .regex {
      checkRegex(call.arguments[0].value)
    } else if function == .date, let format = call.arguments.first {
      checkDateFormat(format.value)
    }
    for argument in call.arguments {
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

  private mutating func checkDateFormat(_ expression: ExpressionSyntax) {
    guard case .string(let string) = expression, let format = string.plainText else { return }
    do throws(TimestampFormatError) {
      _ = try Timestamp.text(of: .zero, format: format)
    } catch {
      report(.functionArguments("date", wanted: error.sentence), string.range)
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
      report(.invalidFilter(error.sentence), SourceRange(start, start + 1))
    }
  }
}
