import Diagnostics
import RequestSyntax

extension Program {
  /// A variable of the environment that is missing and that a run is sure to read: it would stop there, with what is
  /// before it already sent. What may not be evaluated is left to the run: steps with `when`, rounds of loops that may
  /// have none, what `??`, `is`, `if` and `until` decide about, and secrets, which their profiles look for.
  ///
  /// - Parameters:
  ///   - statements: those that are run, in their order.
  ///   - variables: the environment.
  ///   - given: the names that are set from outside, whose own values are not evaluated.
  func missingVariable(
    in statements: [Located<StatementSyntax>], variables: [String: String], given: Set<String>
  ) -> ProgramError? {
    guard mayReadVariables else { return nil }
    var search = VariableSearch(program: self, variables: variables, given: given)
    for statement in statements {
      if let found = search.missing(in: statement.node, statement.source, isTopLevel: true) { return found }
    }
    return nil
  }
}

/// Walks what is certain to be evaluated.
private struct VariableSearch {
  let program: Program
  let variables: [String: String]
  let given: Set<String>
  /// The sequences that were looked into, each once.
  private var visited: Set<String> = []

  init(program: Program, variables: [String: String], given: Set<String>) {
    self.program = program
    self.variables = variables
    self.given = given
  }

  mutating func missing(
    in statement: StatementSyntax, _ source: Program.Source, isTopLevel: Bool = false
  ) -> ProgramError? {
    switch statement {
    case .step(let step):
      guard step.condition == nil else { return nil }
      var step = step
      step.clauses.removeAll { if case .repetition = $0.kind { true } else { false } }
      return missing(in: step, source)
    case .binding(let node): return isTopLevel && given.contains(node.name.text) ? nil : missing(in: node.value, source)
    case .run(let run): return missing(in: run, source, isTopLevel)
    case .loop(let loop):
      if let found = missing(in: loop.items, source) { return found }
      return loop.items.isFilledArray ? missing(in: loop.body, source) : nil
    case .parallel(let block), .finally(let block): return missing(in: block, source)
    case .secret, .sequence, .use, .tags, .profile: return nil
    }
  }

  private mutating func missing(in block: BlockSyntax, _ source: Program.Source) -> ProgramError? {
    for statement in block.statements {
      if let found = missing(in: statement, source) { return found }
    }
    return nil
  }

  private mutating func missing(in run: RunSyntax, _ source: Program.Source, _ isTopLevel: Bool) -> ProgramError? {
    guard !run.clauses.contains(where: { if case .when = $0.kind { true } else { false } }),
      let sequence = program.sequences[run.name.text]
    else { return nil }
    for (index, parameter) in sequence.node.parameters.enumerated() {
      let name = parameter.name.text
      if isTopLevel, given.contains(name) { continue }
      let isAtIndex = run.arguments.indices.contains(index) && run.arguments[index].name == nil
      let argument = run.arguments.first { $0.name?.text == name } ?? (isAtIndex ? run.arguments[index] : nil)
      if let argument {
        if let found = missing(in: argument.value, source) { return found }
      } else if let value = parameter.defaultValue, let found = missing(in: value, sequence.source) {
        return found
      }
    }
    guard visited.insert(run.name.text).inserted else { return nil }
    return missing(in: sequence.node.body, sequence.source)
  }

  private func missing(in holder: some ExpressionHolder, _ source: Program.Source) -> ProgramError? {
    var found: ProgramError?
    var holder = holder
    _ = holder.change { expression in
      found = found ?? missing(in: expression, source)
      return false
    }
    return found
  }

  private func missing(in expression: ExpressionSyntax, _ source: Program.Source) -> ProgramError? {
    switch expression {
    case .reference(let reference):
      guard reference.root.text == "env", reference.segments.count == 1, let segment = reference.segments.first,
        case .name(let name) = segment.kind, variables[name] == nil
      else { return nil }
      return ProgramError(.missingVariable(name, in: variables), in: source.text, at: segment.range)
    // Only this part of it is certain.
    case .conditional(let node): return missing(in: node.condition, source)
    case .quantified(let node): return missing(in: node.items, source)
    case .binary(let node) where node.operator == .and || node.operator == .or: return missing(in: node.left, source)
    case .fallback, .shapeTest: return nil
    default:
      var found: ProgramError?
      expression.forEachInside { inner in found = found ?? missing(in: inner, source) }
      return found
    }
  }
}

extension ExpressionSyntax {
  /// Whether it is clearly an array of at least one element.
  fileprivate var isFilledArray: Bool {
    guard case .array(let array) = self else { return false }
    return array.elements.contains { if case .value = $0 { true } else { false } }
  }
}
