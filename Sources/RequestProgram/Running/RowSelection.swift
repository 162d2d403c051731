public import Diagnostics
public import JSONValue
import RequestSyntax
public import Requests

/// Something of a run that is wanted when it is done: `id=$create.body.id`.
public struct RowSelection: Sendable {
  public let name: String
  private let expression: ExpressionSyntax
  private let source: SourceText

  /// Parses a text, and checks what it refers to.
  ///
  /// - Parameter sequence: the sequence that is run; nil: the program's own steps.
  /// - Returns: no selection if there is an error among the diagnostics.
  public static func parse(
    _ text: String, in program: Program, running sequence: String?
  ) -> (selection: RowSelection?, diagnostics: [Diagnostic]) {
    let name = text.prefix { $0 != "=" }
    let source = SourceText(name: "--select \(name)", text: String(text.dropFirst(name.count + 1)))
    guard !name.isEmpty, name.count < text.count else {
      let whole = SourceText(name: "--select", text: text)
      return (
        nil,
        [
          Diagnostic(
            "\"\(text)\" is not a name and an expression", in: whole, at: SourceRange(at: 0),
            notes: ["such as id=$create.body.id"])
        ]
      )
    }
    let (parsed, errors) = Parser.parseExpression(source)
    guard let parsed else { return (nil, errors.map { $0.diagnostic(in: source) }) }
    var checker = Checker(program: program, source: source)
    for name in program.namesAtEnd(running: sequence) { _ = checker.scope.declare(name, .name) }
    checker.check(parsed)
    let found = checker.diagnostics
    let isWrong = found.contains { $0.severity == .error }
    return (isWrong ? nil : RowSelection(name: String(name), expression: parsed, source: source), found)
  }

  /// Its value when a run has ended, as it may leave; null if there is none.
  public func value(in sequence: ProgramRequestSequence, leavingBy outlet: Outlet) -> JSON {
    guard let value = try? sequence.valueAtEnd(of: expression, in: source) else { return .null }
    return value.json(leavingBy: outlet)?.json ?? .null
  }
}

extension Program {
  /// What is known when a run has ended.
  fileprivate func namesAtEnd(running sequence: String?) -> [String] {
    guard let sequence, let node = sequences[sequence]?.node else { return [] }
    return node.parameters.map(\.name.text) + node.body.statements.flatMap(\.declaredNames)
  }
}
