package import RequestSyntax

extension CurlCommand {
  /// A line as somebody types or pastes it, and what it means: its variables are those of the environment.
  package static func typed(_ line: String) throws(ParseError) -> (command: CurlCommand, script: ScriptSyntax) {
    let command = try CurlCommand(line, .marked)
    var step = command.step
    if ShellVariable.isIn(command.target) {
      step.target = .string(StringSyntax(ShellVariable.string(command.target, ExpressionSyntax.environment)))
    }
    try ShellVariable.replace(in: &step, ExpressionSyntax.environment)
    var script = command.script
    script.statements = [.step(step)]
    return (command, script)
  }
}
