internal import RequestSyntax

extension CurlCommand {
  /// What a line as somebody types or pastes it means: its variables are those of the environment, and it may refer to
  /// responses.
  package static func meaning(of line: String, input: CurlInput? = nil) throws(ParseError) -> MeantScript {
    let command = try CurlCommand(line, .typed, input: input)
    if let refusal = refusal(ofFunction: command.left) { throw refusal }
    var step = command.step
    step.target = ShellVariable.target(command.target) ?? step.target
    try ShellVariable.replace(in: &step, ShellVariable.value)
    return command.meaning(step)
  }

  /// Why a line that goes on with a function of the language, `| xpath("…")`, is not sent without it; nil: it does not.
  static func refusal(ofFunction rest: Substring) -> ParseError? {
    guard rest.prefixMatch(of: /\|\s*[a-z][\w\-]*\(/) != nil else { return nil }
    return .otherwise(option: "a function after |", "name its value first, let x = $1.body.a | …, then write $x")
  }

  /// The step as the whole line means it: without `-L` nothing is followed.
  func meaning(_ step: StepSyntax) -> MeantScript {
    var step = step
    if !follows {
      step.clauses.removeAll { if case .redirects = $0.kind { true } else { false } }
      step.clauses.append(ClauseSyntax(.redirects(nil)))
    }
    var script = script
    script.statements = [.step(step)]
    return MeantScript(self, as: script)
  }
}
