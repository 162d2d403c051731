import JSONValue
import RequestSyntax
import Requests

extension ProgramRequestSequence {
  mutating func bind(_ node: LetSyntax, _ source: Program.Source) throws(ProgramError) {
    let name = node.name.text
    guard isTopLevel else {
      let value = try evaluator(source).evaluateNamed(node.value)
      block.scope.bindings[name] = value
      block.letNames[name] = value
      return
    }
    // A name that a profile reads already has its value, unless the prompt gives it another.
    let isSet = globals[name] != nil && (!program.isPrompt || settings[name] != nil)
    if !isSet { globals[name] = try value(of: node, source, scope) }
    block.scope.steps[name] = nil
    block.scope.bindings[name] = nil
    if program.isPrompt || !unavailable.isEmpty, program.namesOfProfiles.contains(name) { try declareProfiles() }
  }

  /// The value of a top-level name: set from outside, else as written.
  func value(of node: LetSyntax, _ source: Program.Source, _ scope: Scope) throws(ProgramError) -> Value {
    switch settings[node.name.text] {
    case .text(let text)?:
      return try value(of: text, named: node.name.text, inPlaceOf: node.value, evaluator(source, scope))
    case .read(let json)?: return scope.known.marking(.read(.json(json), from: .setting(node.name.text)))
    case .value(let value)?: return value
    case nil: break
    }
    return try evaluator(source, scope).evaluateNamed(node.value)
  }

  mutating func bind(_ node: SecretSyntax, _ source: Program.Source) throws(ProgramError) {
    let (secrets, bound) = try value(of: node, source, scope)
    learn(secrets)
    // In a script what follows a response is known when it comes; at the prompt it is typed afterwards.
    if program.isPrompt {
      for (index, exchange) in exchanges.enumerated() {
        learn(
          Companions.secrets(
            beside: Set(secrets), in: exchange.response, of: exchange.label ?? "$\(index + 1)"))
      }
    }
    guard isTopLevel else {
      block.scope.bindings[node.name.text] = bound
      return
    }
    globals[node.name.text] = bound
    block.scope.steps[node.name.text] = nil
    block.scope.bindings[node.name.text] = nil
    try declareProfiles()
  }

  /// The secret with what it was put together from, and the value of its name.
  func value(
    of node: SecretSyntax, _ source: Program.Source, _ scope: Scope
  ) throws(ProgramError) -> ([Secret], Value) {
    let evaluator = evaluator(source, scope)
    var (text, value) = try evaluator.text(node.value)
    // A file ends with a line end, which nobody intends and no header can contain.
    while text.last?.isNewline == true { text.removeLast() }
    let origins = node.profiles.flatMap { sessionProfiles[$0.text]?.origins ?? [] }
    let secret = try evaluator.secret(text, name: node.name.text, for: origins, node.value.range)
    // The secret's own text is what is looked for, whatever it was made from.
    let bound = Value(
      .string(text), secrets: value.withoutParts.taint.secrets.union([secret]), provenance: .secret(node.name.text))
    return ([secret] + value.parts(of: node.name.text, whole: text.trimmed, for: origins), bound)
  }
}
