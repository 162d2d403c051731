package import RequestSyntax

extension HTTPieLine {
  /// The script that a line means, which replaces no file: where `--download` chose the name, a number is added until it
  /// is free, as HTTPie does.
  ///
  /// - Parameter names: what is in the directory, directories with a trailing `/`.
  package static func withFreeName(
    _ script: ScriptSyntax, of line: HTTPieLine?, in names: [String]
  ) -> ScriptSyntax {
    guard line?.choosesFile ?? false, case .step(var step)? = script.statements.first else { return script }
    func isTaken(_ name: String) -> Bool { names.contains(name) || names.contains(name + "/") }
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
