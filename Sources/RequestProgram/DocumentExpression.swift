public import Diagnostics
public import JSONValue
import RequestSyntax
public import Requests

/// A standalone expression in which `$` is a document: no steps, no profiles.
public struct DocumentExpression: Sendable {
  /// The name of the root `$` in the tree.
  private static let root = ""

  private let expression: ExpressionSyntax
  private let source: SourceText

  /// Parses and checks a text.
  ///
  /// - Returns: no expression if there is an error among the diagnostics.
  public static func parse(_ source: SourceText) -> (expression: DocumentExpression?, diagnostics: [Diagnostic]) {
    let (parsed, errors) = Parser.parseExpression(source, allowsDocument: true)
    guard let parsed else { return (nil, errors.map { $0.diagnostic(in: source) }) }
    var checker = Checker(program: Program(), source: source)
    checker.scope.globals.insert(root)
    checker.check(parsed)
    // A secret's name is nothing to warn of when a person asks for its value.
    let found = checker.diagnostics.filter { $0.severity == .error }
    return (found.isEmpty ? DocumentExpression(expression: parsed, source: source) : nil, found)
  }

  /// Whether it uses `$`.
  public var usesDocument: Bool {
    var isUsed = false
    expression.forEachReference { if $0.root.text == Self.root { isUsed = true } }
    return isUsed
  }

  /// - Parameter document: what `$` stands for.
  public func value(
    of document: JSON?, in environment: ProgramEnvironment, at moment: StepSeed
  ) throws(ProgramError) -> Value {
    var scope = Scope()
    scope.bindings[Self.root] = document.map { Value($0) }
    return try Evaluator(
      source: source, directory: "", environment: environment, moment: moment, scope: scope
    ).evaluate(expression)
  }
}
