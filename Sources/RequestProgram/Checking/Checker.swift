import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

/// Finds what can be found without a request. Its rules are in the files beside this one.
struct Checker {
  let program: Program
  let source: SourceText
  var scope: CheckScope
  private(set) var errors: [CheckError] = []
  /// What is being checked, for messages: `step "upload"`.
  var user: String?
  /// The label of the step whose clauses are looked at, and whether it repeats.
  var ownLabel: (name: String, repeats: Bool)?
  /// Whether an environment variable that stands here is a secret.
  var isInProfileOrSecret = false

  var sequences: [String: SequenceSyntax]
  var profiles: [String: ProfileSyntax]
  /// Profiles in the order they were declared.
  var profileNames: [String]

  init(program: Program, source: SourceText) {
    self.program = program
    self.source = source
    scope = program.scope
    sequences = program.sequences.mapValues(\.node)
    profiles = Dictionary(program.profiles.map { ($0.node.name.text, $0.node) }) { $1 }
    profileNames = program.profiles.map(\.node.name.text)
  }

  var diagnostics: [Diagnostic] {
    errors.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { $0.diagnostic(in: source) }
  }

  mutating func report(_ fact: CheckError.Fact, _ range: SourceRange) {
    errors.append(CheckError(fact: fact, range: range))
  }

  /// Checks a whole text; sequences, profiles and top-level names are known from its beginning.
  mutating func check(_ script: ScriptSyntax) {
    declareAll(script)
    for statement in script.statements { check(statement, isTopLevel: true) }
  }

  private mutating func declareAll(_ script: ScriptSyntax) {
    var seen: Set<String> = []
    for statement in script.statements {
      switch statement {
      case .sequence(let node):
        let isNew = seen.insert("sequence \(node.name.text)").inserted
        if !isNew || (!program.isPrompt && sequences[node.name.text] != nil) {
          report(.duplicateName(node.name.text, kind: "sequence"), node.name.range)
        }
        sequences[node.name.text] = node
      case .profile(let node):
        let isNew = seen.insert("profile \(node.name.text)").inserted
        if !isNew || (!program.isPrompt && profiles[node.name.text] != nil) {
          report(.duplicateName(node.name.text, kind: "profile"), node.name.range)
        }
        if profiles[node.name.text] == nil { profileNames.append(node.name.text) }
        profiles[node.name.text] = node
      case .binding(let node): scope.globals.insert(node.name.text)
      case .secret(let node): scope.globals.insert(node.name.text)
      case .step, .run, .loop, .parallel, .finally, .use: continue
      }
    }
    scope.later.formUnion(Checker.declaredNames(script.statements))
  }

  /// Labels and `let` names of a block.
  static func declaredNames(_ statements: [StatementSyntax]) -> Set<String> {
    var names: Set<String> = []
    for statement in statements {
      switch statement {
      case .step(let node): if let label = node.label { names.insert(label.text) }
      case .run(let node): if let label = node.label { names.insert(label.text) }
      case .binding(let node): names.insert(node.name.text)
      case .secret(let node): names.insert(node.name.text)
      case .sequence, .loop, .parallel, .finally, .use, .profile: continue
      }
    }
    return names
  }

  mutating func check(_ statement: StatementSyntax, isTopLevel: Bool) {
    switch statement {
    case .step(let node): check(node)
    case .run(let node): check(node)
    case .binding(let node):
      user = nil
      check(node.value)
      declare(node.name, .name)
    case .secret(let node): check(node)
    case .sequence(let node):
      if isTopLevel { check(node) } else { report(.notInThisPlace("sequence"), node.range) }
    case .profile(let node):
      if isTopLevel { check(node) } else { report(.notInThisPlace("profile"), node.range) }
    case .loop(let node):
      user = nil
      check(node.items)
      check(node.body, binding: node.name)
    case .parallel(let node): check(node)
    case .finally(let node):
      let outer = scope
      check(node)
      let used = scope.used
      scope = outer
      scope.used = used
    case .use(let node): report(.notSupported("use"), node.range.beginning(3))
    }
  }

  /// A block inside of another: its steps have labels only, which the outer block knows afterwards.
  private mutating func check(_ block: BlockSyntax, binding name: NameSyntax? = nil) {
    let later = scope.later
    if let name { declare(name, .name) }
    scope.later.formUnion(Checker.declaredNames(block.statements))
    let steps = scope.steps
    for statement in block.statements { check(statement, isTopLevel: false) }
    scope.steps = steps
    scope.later = later.subtracting(scope.names.keys)
    if let name { scope.forget(name.text) }
  }

  mutating func declare(_ name: NameSyntax, _ kind: CheckScope.Kind) {
    if scope.declare(name.text, kind) { return }
    if program.isPrompt {
      scope.redeclare(name.text, kind)
    } else {
      report(.duplicateName(name.text, kind: scope.names[name.text]?.rawValue ?? "name"), name.range)
    }
  }

  private mutating func check(_ node: SecretSyntax) {
    user = nil
    isInProfileOrSecret = true
    check(node.value)
    isInProfileOrSecret = false
    for profile in node.profiles { checkProfile(profile.text, profile.range) }
    declare(node.name, .secret)
  }

  mutating func checkProfile(_ name: String, _ range: SourceRange) {
    if profiles[name] == nil { report(.unknownProfile(name, known: profileNames), range) }
  }

  // MARK: Sequences

  /// A sequence sees its parameters, its own steps and names, and the top level's names.
  private mutating func check(_ node: SequenceSyntax) {
    let outer = scope
    scope = CheckScope()
    scope.globals = outer.globals
    scope.later = Checker.declaredNames(node.body.statements)
    for parameter in node.parameters {
      declare(parameter.name, .parameter)
      if let type = parameter.type, ParameterType(rawValue: type.text) == nil {
        report(.unknownType(type.text), type.range)
      }
      if let value = parameter.defaultValue { check(value) }
    }
    for statement in node.body.statements { check(statement, isTopLevel: false) }
    for parameter in node.parameters where !scope.used.contains(parameter.name.text) {
      report(.unusedParameter(parameter.name.text, sequence: node.name.text), parameter.name.range)
    }
    scope = outer
  }

  private mutating func check(_ node: RunSyntax) {
    user = "run \(node.name.text)"
    let sequence = sequences[node.name.text]
    if sequence == nil {
      report(.unknownSequence(node.name.text, known: sequences.keys.sorted()), node.name.range)
    }
    for argument in node.arguments { check(argument.value) }
    if let sequence { checkArguments(node, sequence) }
    for clause in node.clauses {
      if case .when(let condition) = clause.kind {
        check(condition)
      } else {
        report(.notInThisPlace("\(clause.keyword.text) behind run"), clause.keyword.range)
      }
    }
    if let label = node.label { declare(label, .run) }
  }

  private mutating func checkArguments(_ node: RunSyntax, _ sequence: SequenceSyntax) {
    let names = sequence.parameters.map(\.name.text)
    var given: Set<String> = []
    for (index, argument) in node.arguments.enumerated() {
      guard let name = argument.name?.text ?? (index < names.count ? names[index] : nil) else {
        report(.tooManyArguments(sequence: node.name.text, count: names.count), argument.value.range)
        continue
      }
      if !names.contains(name) {
        report(
          .unknownParameter(name, sequence: node.name.text, known: names), argument.name?.range ?? argument.value.range)
      } else if !given.insert(name).inserted {
        report(.duplicateArgument(name), argument.name?.range ?? argument.value.range)
      }
    }
    for parameter in sequence.parameters where parameter.defaultValue == nil && !given.contains(parameter.name.text) {
      report(.missingArgument(parameter.name.text, sequence: node.name.text), node.name.range)
    }
  }
}

extension SourceRange {
  /// The first bytes of the range: a statement's keyword.
  func beginning(_ length: Int) -> SourceRange {
    SourceRange(lowerBound, min(upperBound, lowerBound + length))
  }
}
