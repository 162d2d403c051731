internal import Imports
package import RequestSyntax

extension ScriptSyntax {
  /// A line for another tool, whose `$BASE` and `$shop-token` are names of the session where that has them.
  ///
  /// - Parameters:
  ///   - names: those of the session.
  ///   - line: what was typed; a variable that is in it as `$env.BASE` is that of the environment.
  package func taking(_ names: [String], typed line: String) -> ScriptSyntax {
    var script = self
    for index in script.statements.indices {
      guard case .step(var step) = script.statements[index] else { continue }
      step.rewriteEach { expression in
        if case .string(let node) = expression { expression = .string(node.joining(names)) }
        guard let name = expression.environmentName, names.contains(name),
          !line.contains(SyntaxPrinter.print(expression))
        else {
          return
        }
        expression = .reference(name)
      }
      script.statements[index] = .step(step)
    }
    return script
  }
}
