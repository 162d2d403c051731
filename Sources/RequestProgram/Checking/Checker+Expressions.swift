import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension Checker {
  /// Checks names, functions and constants of an expression.
  mutating func check(_ expression: ExpressionSyntax) {
    var nodes: [ExpressionSyntax] = []
    expression.forEach { nodes.append($0) }
    for node in nodes {
      switch node {
      case .reference(let reference): check(reference)
      case .call(let call): check(call, isPiped: false)
      case .pipe(let pipe): check(pipe.call, isPiped: true)
      case .binary(let binary) where binary.operator == .matches: checkRegex(binary.right)
      case .path(let path): checkSegments(path.segments)
      default: continue
      }
    }
  }

  private mutating func check(_ call: CallSyntax, isPiped: Bool) {
    if call.name.text == "command" { return report(.commandInScript, call.name.range) }
    guard let function = Function(rawValue: call.name.text) else {
      return report(.unknownFunction(call.name.text), call.name.range)
    }
    if function.takesInput, !isPiped {
      report(.functionNeedsPipe(call.name.text), call.name.range)
    } else if !function.takesInput, isPiped {
      report(.functionTakesNoInput(call.name.text), call.name.range)
    } else if function == .date, !call.arguments.isEmpty {
      report(.notSupported("date with a format"), call.range)
    } else if !function.argumentCounts.contains(call.arguments.count) {
      report(.functionArguments(call.name.text, wanted: function.argumentsWanted), call.range)
    } else if function == .regex {
      checkRegex(call.arguments[0].value)
    }
  }

  private mutating func checkRegex(_ expression: ExpressionSyntax) {
    guard case .string(let string) = expression, let pattern = string.plainText else { return }
    do {
      _ = try Regex(pattern)
    } catch {
      report(.invalidRegex("\(error)"), string.range)
    }
  }

  private mutating func checkSegments(_ segments: [SegmentSyntax]) {
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

  /// What a `$name` stands for, if anything does where it stands.
  private mutating func check(_ reference: ReferenceSyntax) {
    checkSegments(reference.segments)
    let name = reference.root.text
    let range = reference.root.range
    if name == "env" { checkEnvironment(reference) } else { checkName(name, range) }
  }

  private mutating func checkName(_ name: String, _ range: SourceRange) {
    if name == "_" {
      if !program.isPrompt { report(.onlyAtThePrompt("_"), range) }
      return
    }
    if let number = Int(name) {
      // At the prompt only the run knows how many exchanges there have been.
      if !program.isPrompt, number < 1 || number > scope.steps {
        report(.noSuchStep(number: number, count: scope.steps), range)
      }
      return
    }
    scope.used.insert(name)
    if let ownLabel, ownLabel.name == name {
      if !ownLabel.repeats { report(.usedInItself(name), range) }
    } else if scope.names[name] != nil {
      return
    } else if scope.later.contains(name) {
      report(.usedBeforeItRuns(name, user: user), range)
    } else if !scope.globals.contains(name) {
      report(.unknownReference(name, user: user, known: scope.known + scope.later.sorted()), range)
    }
  }

  /// A variable whose name looks like a secret's, used where it is plain text.
  private mutating func checkEnvironment(_ reference: ReferenceSyntax) {
    guard case .name(let name)? = reference.segments.first?.kind, reference.segments.count == 1 else {
      return report(.notInThisPlace("$env without one name behind it"), reference.range)
    }
    guard !isInProfileOrSecret, !profiles.values.contains(where: { $0.environmentNames.contains(name) }) else { return }
    let upper = name.uppercased()
    if ["TOKEN", "SECRET", "PASSWORD", "API_KEY", "APIKEY", "PRIVATE"].contains(where: { upper.contains($0) }) {
      report(.looksSecret(name), reference.range)
    }
  }
}
