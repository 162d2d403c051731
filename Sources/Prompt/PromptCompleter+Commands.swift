internal import LineEditing
internal import Sessions

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
    guard let command = try? Command.parse(text[..<blank]).command else { return none(typed) }
    let word = typed.ending { !$0.isWhitespace }
    switch command {
    case .help:
      let commands = Command.allCases.map(\.rawValue)
      let topics = HelpTopic.allCases.map(\.rawValue).filter { !commands.contains($0) }
      return matching(word, in: typed, (commands + topics).map { Candidate($0) })
    case .profile: return matching(word, in: typed, profileNames)
    case .show, .body, .diff, .timing, .repeat, .lint: return responseCompletions(command, word, in: typed)
    case .debug:
      let calls = sequences.map { Candidate($0, terminator: "(") }
      let files = fileCompletions(word, terminator: "")
      return calls.contains { $0.text.hasPrefix(word) } ? matching(word, in: typed, calls) : files
    case .load, .run, .save, .check, .fmt, .import: return fileCompletions(word, terminator: "")
    case .edit:
      return word.hasPrefix("$") ? responseCompletions(command, word, in: typed) : fileCompletions(word, terminator: "")
    case .explain:
      let request = text[blank...].drop(while: \.isWhitespace)
      if request.hasPrefix("$") { return responseCompletions(command, word, in: typed) }
      return statementCompletions(request)
    case .print: return expressionCompletions(text[blank...])
    case .set: return expressionCompletions(text[blank...].drop { $0 != "=" }.dropFirst())
    case .cookies:
      let isFirst = !text[blank...].drop(while: \.isWhitespace).contains(where: \.isWhitespace)
      return matching(word, in: typed, isFirst ? [Candidate("clear", terminator: " ")] : profileNames)
    case .auth:
      let isFirst = !text[blank...].drop(while: \.isWhitespace).contains(where: \.isWhitespace)
      let actions = SignInAction.allCases.map { Candidate($0.rawValue, terminator: " ") }
      return matching(word, in: typed, isFirst ? actions : profileNames)
    case .presign:
      let isFirst = !text[blank...].drop(while: \.isWhitespace).contains(where: \.isWhitespace)
      let methods = ["GET", "PUT"].map { Candidate($0, terminator: " ") }
      return matching(word, in: typed, isFirst ? methods + profileNames : methods)
    case .quit, .vars, .history, .clear: return none(typed)
    }
  }

  /// `$3`, then a part of it, or a file after `>`.
  private func responseCompletions(_ command: Command, _ word: Substring, in typed: Substring) -> Completions {
    if let arrow = typed.firstIndex(of: ">") {
      let path = typed[typed.index(after: arrow)...].drop(while: \.isWhitespace)
      return fileCompletions(path, terminator: "")
    }
    if word.first == "$" {
      let responses = roots.filter { $0.terminator == "." && $0.text != "env" }.map {
        Candidate("$\($0.text)", preview: $0.preview, terminator: " ")
      }
      return matching(word, in: typed, responses)
    }
    guard command == .show else { return none(typed) }
    return matching(word, in: typed, ShownPart.allCases.map { Candidate($0.rawValue) })
  }
}
