internal import LineEditing

/// Commands and what they are about.
extension PromptCompleter {
  func commandCompletions(_ typed: Substring) -> Completions {
    let text = typed.dropFirst()
    guard let blank = text.firstIndex(where: \.isWhitespace) else {
      let commands = Command.allCases.map { command in
        Candidate(
          command.rawValue, display: command.usage, preview: command.summary,
          terminator: command.usage.contains(" ") ? " " : "")
      }
      return matching(text, in: typed, commands.sorted { $0.text < $1.text })
    }
    guard let command = try? Command.parse(":\(text[..<blank])").command else { return none(typed) }
    let word = typed.ending { !$0.isWhitespace }
    switch command {
    case .help: return matching(word, in: typed, Command.allCases.map { Candidate($0.rawValue) })
    case .profile: return matching(word, in: typed, profileNames)
    case .quit: return none(typed)
    }
  }
}
