package import RequestSyntax

extension ScriptSyntax {
  /// The same with the JSON that is in quotes after `:=`, `tags:='["a"]'`: where it is typed, the quotes are those of a shell.
  package var withJSONOfQuotes: ScriptSyntax {
    var script = self
    for index in script.statements.indices {
      guard case .step(var step) = script.statements[index], step.items.contains(where: \.isQuotedJSON) else {
        continue
      }
      step.items = step.items.map(\.withoutQuotes)
      script.statements[index] = .step(step)
    }
    return script
  }
}
