package import RequestSyntax

extension HTTPieLine {
  /// The script that a line means, which replaces no file: where `--download` chose the name, a number is added until it
  /// is free, as HTTPie does.
  ///
  /// - Parameter isTaken: whether there is a file of that name.
  package static func withFreeName(
    _ script: ScriptSyntax, of line: HTTPieLine?, isTaken: (String) -> Bool
  ) -> ScriptSyntax {
    guard line?.choosesFile ?? false, case .step(var step)? = script.statements.first else { return script }
    var script = script
    for index in step.clauses.indices {
      guard case .save(let value) = step.clauses[index].kind, let name = value.plainText, isTaken(name) else {
        continue
      }
      var count = 1
      while isTaken("\(name)-\(count)") { count += 1 }
      step.clauses[index].kind = .save(.text("\(name)-\(count)"))
    }
    script.statements[0] = .step(step)
    return script
  }
}
