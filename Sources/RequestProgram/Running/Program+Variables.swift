import Diagnostics
import RequestSyntax

extension Program {
  /// The variables of the environment that are missing and that a run is sure to read: it would stop there, with what
  /// is before it already sent. What may not be evaluated is left to the run: steps with `when`, rounds of loops that
  /// may have none, and what `??`, `is`, `if` and `until` decide about.
  ///
  /// - Parameters:
  ///   - statements: those that are run, in their order.
  ///   - profiles: those that are declared for it.
  ///   - environment: has the variables.
  ///   - given: the names that are set from outside, whose own values are not evaluated.
  /// - Returns: nil if none is missing.
  func missingVariables(
    in statements: [Located<StatementSyntax>], profiles: [Located<ProfileSyntax>] = [], environment: ProgramEnvironment,
    given: Set<String>
  ) -> ProgramError? {
    guard mayReadVariables else { return nil }
    var search = VariableSearch(program: self, environment: environment, given: given)
    for profile in profiles {
      for setting in profile.node.settings { search.look(in: setting, profile.source) }
    }
    for statement in statements { search.look(in: statement.node, statement.source, isTopLevel: true) }
    return search.found
  }
}

/// Walks what is certain to be evaluated.
private struct VariableSearch {
  let program: Program
  let environment: ProgramEnvironment
  let given: Set<String>
  /// The sequences that were looked into, each once.
  private var visited: Set<String> = []
  /// Each variable where it is first read.
  private var missing: [(name: String, source: SourceText, range: SourceRange)] = []
  /// Those of them that are read for a secret.
  private var secrets: Set<String> = []

  init(program: Program, environment: ProgramEnvironment, given: Set<String>) {
    self.program = program
    self.environment = environment
    self.given = given
  }

  var found: ProgramError? {
    guard let first = missing.first else { return nil }
    guard missing.count > 1 else {
      let fact = ProgramError.Fact.missingVariable(
        first.name, in: environment, written: first.source[first.range], isSecret: secrets.contains(first.name),
        near: Self.meant(by: first.source[first.range], in: first.source))
      return ProgramError(fact, in: first.source, at: first.range)
    }
    let places = missing.map { variable in
      let place = variable.source.location(of: variable.range.lowerBound)
      let written = variable.source[variable.range]
      return ProgramError.MissingVariable(
        name: written.hasPrefix("{{") ? written : variable.name,
        place: "\(variable.source.name):\(place.line):\(place.column)")
    }
    var advice = environment.variableAdvice
    for variable in missing.prefix(10) {
      let written = variable.source[variable.range]
      guard let meant = Self.meant(by: written, in: variable.source) else { continue }
      advice = "for \(written), did you mean {{\(meant)}}? if not: \(advice)"
      break
    }
    return ProgramError(.missingVariables(places, advice: advice), in: first.source, at: first.range)
  }

  /// The variable of another tool's file, `@name = …`, that `{{nmae}}` may be; nil: it is none.
  private static func meant(by written: String, in source: SourceText) -> String? {
    guard written.hasPrefix("{{"), !written.hasPrefix("{{$") else { return nil }
    let name = written.filter { !"{} ".contains($0) }
    var known: [String] = []
    for line in source[SourceRange(0, source.bytes.count)].split(whereSeparator: \.isNewline) {
      let text = line.drop(while: \.isWhitespace)
      guard text.first == "@", let equals = text.firstIndex(of: "=") else { continue }
      known.append(String(text[..<equals].dropFirst().filter { !$0.isWhitespace }))
    }
    return SpellingSuggestion.nearest(to: name, among: known)
  }

  mutating func look(in statement: StatementSyntax, _ source: Program.Source, isTopLevel: Bool = false) {
    switch statement {
    case .step(let step):
      guard let last = source.lastVariable, last >= step.range.lowerBound, step.condition == nil else { return }
      var step = step
      step.clauses.removeAll { if case .repetition = $0.kind { true } else { false } }
      look(in: step, source)
    case .binding(let node): if !isTopLevel || !given.contains(node.name.text) { look(in: node.value, source) }
    case .secret(let node):
      let count = missing.count
      look(in: node.value, source)
      secrets.formUnion(missing[count...].map(\.name))
    case .run(let run): look(in: run, source, isTopLevel)
    case .loop(let loop):
      look(in: loop.items, source)
      if loop.items.isFilledArray { look(in: loop.body, source) }
    case .parallel(let block), .finally(let block): look(in: block, source)
    case .sequence, .use, .tags, .profile: break
    }
  }

  private mutating func look(in block: BlockSyntax, _ source: Program.Source) {
    for statement in block.statements { look(in: statement, source) }
  }

  private mutating func look(in run: RunSyntax, _ source: Program.Source, _ isTopLevel: Bool) {
    guard !run.clauses.contains(where: { if case .when = $0.kind { true } else { false } }),
      let sequence = program.sequences[run.name.text]
    else { return }
    for (index, parameter) in sequence.node.parameters.enumerated() {
      let name = parameter.name.text
      if isTopLevel, given.contains(name) { continue }
      let isAtIndex = run.arguments.indices.contains(index) && run.arguments[index].name == nil
      let argument = run.arguments.first { $0.name?.text == name } ?? (isAtIndex ? run.arguments[index] : nil)
      if let argument {
        look(in: argument.value, source)
      } else if let value = parameter.defaultValue {
        look(in: value, sequence.source)
      }
    }
    guard visited.insert(run.name.text).inserted else { return }
    look(in: sequence.node.body, sequence.source)
  }

  mutating func look(in holder: some ExpressionHolder, _ source: Program.Source) {
    var holder = holder
    _ = holder.change { expression in
      look(in: expression, source)
      return false
    }
  }

  private mutating func look(in expression: ExpressionSyntax, _ source: Program.Source) {
    switch expression {
    case .reference(let reference):
      guard reference.root.text == "env", reference.segments.count == 1, let segment = reference.segments.first,
        case .name(let name) = segment.kind, environment.variables[name] == nil,
        !missing.contains(where: { $0.name == name })
      else { return }
      missing.append((name, source.text, segment.range))
    // Only this part of it is certain.
    case .conditional(let node): look(in: node.condition, source)
    case .quantified(let node): look(in: node.items, source)
    case .binary(let node) where node.operator == .and || node.operator == .or: look(in: node.left, source)
    case .fallback, .shapeTest: break
    default: expression.forEachInside { look(in: $0, source) }
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
