package import RequestSyntax

extension CurlCommand {
  /// A line as somebody types or pastes it, and what it means: its variables are those of the environment.
  package static func typed(_ line: String) throws(ParseError) -> (command: CurlCommand, script: ScriptSyntax) {
    let command = try CurlCommand(line, .marked)
    var step = command.step
    step.target = TargetSyntax(command.target)
    if ShellVariable.isIn(command.target) {
      step.target = .string(StringSyntax(ShellVariable.string(command.target, ExpressionSyntax.environment)))
    }
    for index in step.clauses.indices {
      step.clauses[index].rewriteEach { ShellVariable.replace(in: &$0, ExpressionSyntax.environment) }
    }
    var script = command.script
    script.statements = [.step(step)]
    // What is not an expression has no place for one.
    if ShellVariable.isIn(SyntaxPrinter.print(script)) { throw .words(.expansion("$")) }
    return (command, script)
  }
}
