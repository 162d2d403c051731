internal import Formats
internal import Imports
internal import RequestSyntax

extension ScriptSyntax {
  /// The first name that is made from a step, and that step.
  ///
  /// - Parameter steps: statements that are not in it.
  func firstDeclared(from steps: [StatementSyntax]) -> (name: String, step: String)? {
    let labels = Set(steps.flatMap(\.labels))
    for statement in statements {
      guard let name = statement.declaredName else { continue }
      var found: String?
      statement.forEachReference { if labels.contains($0.root.text) { found = found ?? $0.root.text } }
      if let found { return (name, found) }
    }
    return nil
  }
}

extension StatementSyntax {
  /// What its steps and those in its blocks are called.
  var labels: [String] {
    switch self {
    case .step(let node): node.label.map { [$0.text] } ?? []
    case .run(let node): node.label.map { [$0.text] } ?? []
    case .loop(let node): node.body.statements.flatMap(\.labels)
    case .parallel(let node): node.statements.flatMap(\.labels)
    case .binding, .secret, .sequence, .finally, .use, .tags, .profile: []
    }
  }
}
