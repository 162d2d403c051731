import Diagnostics
import RequestSyntax

/// Sequences with their parameters, and the arguments that a `run` passes to them.
extension Checker {
  /// A sequence sees its parameters, its own steps and names, and the top level's names.
  mutating func check(_ node: SequenceSyntax) {
    let outer = (scope, lateSecrets)
    scope = CheckScope()
    scope.globals = outer.0.globals
    scope.outerNames = outer.0.names
    scope.later = Checker.declaredNames(node.body.statements)
    // By the time it runs, they may be set: that is checked where it is run.
    lateSecrets = []
    sequence = node.name.text
    for parameter in node.parameters { check(parameter) }
    for statement in node.body.statements { check(statement, isTopLevel: false) }
    for parameter in node.parameters where !scope.used.contains(parameter.name.text) {
      report(.unusedParameter(parameter.name.text, sequence: node.name.text), parameter.name.range)
    }
    sequence = nil
    (scope, lateSecrets) = outer
  }

  private mutating func check(_ parameter: ParameterSyntax) {
    let type = parameter.type.flatMap { ParameterType(rawValue: $0.text) }
    declare(parameter.name, .parameter, type?.staticType)
    if let name = parameter.type, type == nil { report(.unknownType(name.text), name.range) }
    guard let value = parameter.defaultValue else { return }
    user = .parameter(parameter.name.text)
    check(value)
    if let type { expect(type, of: parameter.name.text, value) }
  }

  mutating func check(_ node: RunSyntax) {
    user = .run(node.name.text)
    let sequence = sequences[node.name.text]
    if sequence == nil {
      report(.unknownSequence(node.name.text, known: sequences.keys.sorted()), node.name.range)
    }
    for argument in node.arguments { check(argument.value) }
    if let sequence { checkArguments(node, sequence) }
    for clause in node.clauses {
      if case .when(let condition) = clause.kind {
        check(condition)
        checkTypes(clause)
      } else {
        report(.clauseOfRun(clause.keyword.text), clause.keyword.range)
      }
    }
    checkRepeated(node.clauses)
    checkSecretsOfRun(node)
    if let label = node.label { declare(label, .run) }
  }

  private mutating func checkArguments(_ node: RunSyntax, _ sequence: SequenceSyntax) {
    let names = sequence.parameters.map(\.name.text)
    var given: Set<String> = []
    var hasUnknown = false
    for (index, argument) in node.arguments.enumerated() {
      guard let name = argument.name?.text ?? (index < names.count ? names[index] : nil) else {
        report(.tooManyArguments(sequence: node.name.text, count: names.count), argument.value.range)
        continue
      }
      let range = argument.name?.range ?? argument.value.range
      guard let parameter = sequence.parameters.first(where: { $0.name.text == name }) else {
        report(.unknownParameter(name, sequence: node.name.text, known: names), range)
        hasUnknown = true
        continue
      }
      if !given.insert(name).inserted { report(.duplicateArgument(name), range) }
      if let type = parameter.type.flatMap({ ParameterType(rawValue: $0.text) }) {
        expect(type, of: name, argument.value)
      }
    }
    // An unknown one was perhaps meant for a missing one.
    if hasUnknown { return }
    for parameter in sequence.parameters where parameter.defaultValue == nil && !given.contains(parameter.name.text) {
      report(.missingArgument(parameter.name.text, sequence: node.name.text), node.name.range)
    }
  }

  private mutating func expect(_ type: ParameterType, of parameter: String, _ value: ExpressionSyntax) {
    guard let found = scope.type(of: value), !type.allows(found) else { return }
    report(.parameterType(parameter, type, found: found), value.range)
  }

  /// No sequence may run before the secrets are set that its steps' profiles need.
  private mutating func checkSecretsOfRun(_ node: RunSyntax) {
    guard !lateSecrets.isEmpty else { return }
    var seen: Set<String> = []
    for name in profilesUsed(by: node.name.text, &seen).sorted() {
      for secret in profiles[name]?.referencedNames ?? [] where lateSecrets.contains(secret) {
        report(.secretSetLater(secret, profile: name), node.name.range)
      }
    }
  }

  private func profilesUsed(by sequence: String, _ seen: inout Set<String>) -> Set<String> {
    guard seen.insert(sequence).inserted, let node = sequences[sequence] else { return [] }
    return profilesUsed(in: node.body.statements, &seen)
  }

  private func profilesUsed(in statements: [StatementSyntax], _ seen: inout Set<String>) -> Set<String> {
    var names: Set<String> = []
    for statement in statements {
      switch statement {
      case .step(let step): if let name = staticProfile(of: step) { names.insert(name) }
      case .run(let run): names.formUnion(profilesUsed(by: run.name.text, &seen))
      case .loop(let node): names.formUnion(profilesUsed(in: node.body.statements, &seen))
      case .parallel(let node), .finally(let node): names.formUnion(profilesUsed(in: node.statements, &seen))
      case .binding, .secret, .sequence, .use, .tags, .profile: continue
      }
    }
    return names
  }
}
