import Diagnostics
import RequestSyntax

extension Program {
  /// The names of `let`s, parameters and loops whose values become part of a secret, wherever it is declared: whatever
  /// records what they were set to must know this before the run gets there.
  public var namesInSecrets: Set<String> {
    var flows: [(into: String?, value: ExpressionSyntax)] = []
    for statement in statements { collect(from: statement.node, &flows) }
    for sequence in sequences.values { collect(from: .sequence(sequence.node), &flows) }
    var names: Set<String> = []
    while true {
      let count = names.count
      for flow in flows where flow.into.map(names.contains) ?? true { names.formUnion(flow.value.contentNames) }
      if names.count == count { return names }
    }
  }

  private func collect(from statement: StatementSyntax, _ flows: inout [(into: String?, value: ExpressionSyntax)]) {
    switch statement {
    case .secret(let node): flows.append((nil, node.value))
    case .binding(let node): flows.append((node.name.text, node.value))
    case .run(let node):
      let parameters = sequences[node.name.text]?.node.parameters ?? []
      for (index, argument) in node.arguments.enumerated() {
        let name = argument.name ?? (parameters.indices.contains(index) ? parameters[index].name : nil)
        if let name { flows.append((name.text, argument.value)) }
      }
    case .loop(let node):
      flows.append((node.name.text, node.items))
      for inner in node.body.statements { collect(from: inner, &flows) }
    case .sequence(let node):
      for parameter in node.parameters {
        if let value = parameter.defaultValue { flows.append((parameter.name.text, value)) }
      }
      for inner in node.body.statements { collect(from: inner, &flows) }
    case .parallel(let block), .finally(let block):
      for inner in block.statements { collect(from: inner, &flows) }
    case .step(let node): for value in node.secretCredential { flows.append((nil, value)) }
    case .profile, .use, .tags: break
    }
  }
}

extension ExpressionSyntax {
  /// The names whose content becomes part of the value. The arguments of a function do not: a question, a path.
  fileprivate var contentNames: Set<String> {
    var called: Set<SourceRange> = []
    var names: Set<String> = []
    forEach { node in
      guard case .call(let call) = node else { return }
      for argument in call.arguments { argument.value.forEachReference { called.insert($0.range) } }
    }
    forEachReference { if !called.contains($0.range) { names.insert($0.root.text) } }
    return names
  }
}
