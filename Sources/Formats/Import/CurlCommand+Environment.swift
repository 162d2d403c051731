package import RequestSyntax

extension CurlCommand {
  /// What a line as somebody types or pastes it means: its variables are those of the environment.
  package static func meaning(of line: String, input: CurlInput? = nil) throws(ParseError) -> MeantScript {
    let command = try CurlCommand(line, .marked, input: input)
    var step = command.step
    if ShellVariable.isIn(command.target) {
      step.target = .string(StringSyntax(ShellVariable.string(command.target, ExpressionSyntax.environment)))
    }
    try ShellVariable.replace(in: &step, ExpressionSyntax.environment)
    var script = command.script
    script.statements = [.step(step)]
    return MeantScript(command, as: script)
  }
}
