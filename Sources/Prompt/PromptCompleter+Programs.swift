internal import LineEditing
internal import RequestSyntax

/// The programs that a response goes through: `GET /x | jq`.
extension PromptCompleter {
  /// What is offered before a letter is typed.
  private static let usualPrograms: Set = ["grep", "head", "jq", "less", "sort", "tail", "wc"]

  /// nil: no program begins where the text ends.
  func programCompletions(_ typed: Substring) -> Completions? {
    guard let program = REPL.lastProgram(in: String(typed)), !program.contains(where: \.isWhitespace) else {
      return nil
    }
    let word = typed.suffix(program.count)
    let names = Set(programDirectories.flatMap { listDirectory($0) }).filter { name in
      word.isEmpty ? Self.usualPrograms.contains(name) : !name.hasSuffix("/")
    }
    let programs = matching(word, in: typed, names.sorted().map { Candidate($0, terminator: " ") })
    return programs.candidates.isEmpty ? nil : programs
  }
}
