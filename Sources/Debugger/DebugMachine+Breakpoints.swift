package import Diagnostics
internal import HTTPTypes
package import RequestProgram
package import RequestSyntax
internal import Requests
internal import UploaderCore

/// Where `continue` stops.
extension DebugMachine {
  /// The number of the breakpoint that stops before a step; nil: none does.
  mutating func breakpoint(before description: RequestDescription) -> Int? {
    for (number, breakpoint) in breakpoints.sorted(by: { $0.key < $1.key }) {
      let stops =
        switch breakpoint.place {
        case .step(let name, nil): isStep(name, description) && (description.head.round ?? 1) == 1
        case .step(let name, let condition?): isStep(name, description) && holds(condition)
        case .originChange: changesOrigin(description)
        case .status, .fail: false
        }
      if stops { return number }
    }
    return nil
  }

  /// The number of the breakpoint that stops after a response; nil: none does.
  func breakpoint(after response: Exchange) -> Int? {
    let found = breakpoints.filter { _, breakpoint in
      switch breakpoint.place {
      case .status(let codes): codes.contains(response.response.status.code)
      // A failure stops the run anyway.
      case .step, .originChange, .fail: false
      }
    }
    return found.keys.min()
  }

  /// A condition that cannot be evaluated is a reason to stop.
  private mutating func holds(_ condition: String) -> Bool {
    do throws(DebugExpression.Failure) {
      let expression = try DebugExpression(condition)
      return try value(of: expression).printed != "false"
    } catch {
      tell(error.news)
      return true
    }
  }

  private func changesOrigin(_ description: RequestDescription) -> Bool {
    guard let last = run.history.stepRecords.last(where: { $0.record.exchange != nil })?.record.exchange,
      let prepared = try? surroundings.prepare(description, run.innermostSequence)
    else { return false }
    return prepared.origin != last.request.origin
  }

  /// The value of an expression at the run's current position; after a step that failed, its response has its names.
  package func value(of expression: DebugExpression) throws(DebugExpression.Failure) -> Value {
    var sequence = run.innermostSequence
    if case .after(_, let exchange?, _) = stop { sequence = sequence.knowing(exchange) }
    do {
      return try sequence.value(of: expression.syntax, in: expression.source)
    } catch {
      throw .program(error)
    }
  }
}

/// An expression that was typed at the debugger.
package struct DebugExpression: Sendable {
  package enum Failure: Error {
    case syntax([Diagnostic])
    case program(ProgramError)

    package var news: DebugNews {
      switch self {
      case .syntax(let diagnostics): .unreadable(diagnostics)
      case .program(let error): .programError(error)
      }
    }
  }

  package let syntax: ExpressionSyntax
  package let source: SourceText

  package init(_ text: String) throws(Failure) {
    source = SourceText(name: "<debugger>", text: text)
    let (expression, found) = Parser.parseExpression(source)
    guard let expression, found.isEmpty else {
      throw .syntax(found.map { [source] in $0.diagnostic(in: source) })
    }
    syntax = expression
  }
}
