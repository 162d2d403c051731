public import Diagnostics
import JSONValue
public import RequestSyntax
public import Requests

extension ProgramRequestSequence {
  func evaluator(_ source: Program.Source, _ scope: Scope? = nil, exchange: Exchange? = nil) -> Evaluator {
    var moment = moment
    // Expectations of a response are judged as of its arrival, however late they are evaluated again.
    if let exchange { moment.time = exchange.started.adding(exchange.timings.total) }
    return Evaluator(
      source: source.text, directory: source.directory, environment: environment, moment: moment,
      scope: scope ?? self.scope, bodies: bodies, mayRunCommands: source.mayRunCommands,
      exchange: exchange)
  }

  /// What names stand for in this block, including the top level's.
  var scope: Scope {
    var scope = known(to: block.scope)
    if program.isPrompt, isTopLevel {
      scope.numbered = exchanges
      scope.last = exchanges.last
    }
    return scope
  }

  /// The scope together with what is known everywhere.
  func known(to scope: Scope) -> Scope {
    var scope = scope
    scope.globals = globals
    scope.environmentSecrets = environmentSecrets
    scope.profiles = sessionProfiles
    scope.known = runSecrets.search
    return scope
  }

  /// The value of an expression now.
  ///
  /// - Parameter moment: the time and randomness of it; nil: those of the last step.
  public func value(
    of expression: ExpressionSyntax, in source: SourceText, directory: String = "", at moment: StepSeed? = nil
  ) throws(ProgramError) -> Value {
    if let moment {
      var now = self
      now.moment = moment
      return try now.value(of: expression, in: source, directory: directory)
    }
    return try evaluator(.init(text: source, directory: directory)).evaluate(expression)
  }

  /// The value of an expression when the run has ended: in the sequence that was run, else at the top level.
  func valueAtEnd(of expression: ExpressionSyntax, in source: SourceText) throws(ProgramError) -> Value {
    let scope = scopeAtEnd.map { known(to: $0.whole) } ?? scope
    return try evaluator(.init(text: source, directory: ""), scope).evaluate(expression)
  }

  /// At the prompt: what a name stood for in the block that a response came from. Nil for a name that is known outside,
  /// and for one that was a step.
  ///
  /// - Parameter index: the response's, from 0.
  public func localValue(of reference: ReferenceSyntax, in source: SourceText, at index: Int) -> Value? {
    let name = reference.root.text
    // A number, and `$_`, are the block's own.
    guard exchangeScopes.indices.contains(index),
      exchangeScopes[index].binds(name) || Int(name) != nil || name == "_"
    else { return nil }
    let evaluator = evaluator(.init(text: source, directory: ""), known(to: exchangeScopes[index]))
    return try? evaluator.evaluate(.reference(reference))
  }
}
