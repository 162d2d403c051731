internal import Debugger
internal import LineEditing
internal import Requests

/// Completes commands, after them the names of steps, and in expressions what the prompt would.
struct DebuggerCompleter: Completer {
  typealias Candidate = Completions.Candidate

  /// What the prompt knows about responses, names and files.
  var prompt: PromptCompleter
  /// The names of the steps.
  var labels: [String]

  private static let commands = DebuggerCommand.allCases.map { command in
    let (usage, summary) = command.help
    return Candidate(
      command.rawValue, display: usage, preview: summary, terminator: command.takesArgument ? " " : "")
  }

  func completions(of line: String, at cursor: String.Index) -> Completions {
    let typed = line[..<cursor].drop(while: \.isWhitespace)
    guard let blank = typed.firstIndex(where: \.isWhitespace) else {
      return prompt.matching(typed, in: typed, Self.commands)
    }
    guard let command = try? DebuggerCommand.parse(typed[..<blank]).command else { return prompt.none(typed) }
    let argument = typed[blank...].drop(while: \.isWhitespace)
    let word = argument.ending { !$0.isWhitespace }
    let isFirst = word.startIndex == argument.startIndex
    if isFirst, !word.isEmpty, let keyword = Self.keywords[command], keyword.text.hasPrefix(word) {
      return prompt.matching(word, in: typed, [keyword])
    }
    switch command {
    case .back, .goto, .lint, .unset: return steps(word, in: typed)
    case .break:
      if isFirst { return steps(word, in: typed, and: ["on"]) }
      if argument.hasPrefix("on ") { return prompt.matching(word, in: typed, Self.events) }
      guard let condition = argument.ranges(of: " if ").first else {
        return prompt.matching(word, in: typed, [Candidate("if", terminator: " ")])
      }
      return prompt.expressionCompletions(argument[condition.upperBound...])
    case .save: return prompt.fileCompletions(word, terminator: "")
    case .print, .set, .skip: return prompt.expressionCompletions(argument)
    case .edit: return prompt.statementCompletions(argument)
    case .diff:
      return steps(word, in: typed, and: isFirst ? ["last"] : [])
    case .next, .send, .continue, .resend, .list, .where, .info, .delete, .reload, .quit:
      return prompt.none(typed)
    case .help: return prompt.matching(word, in: typed, Self.commands)
    }
  }

  /// What a command may take instead of an expression, a statement or a file.
  private static let keywords: [DebuggerCommand: Candidate] = [
    .save: Candidate("response", terminator: " "), .print: Candidate("request"), .edit: Candidate("response"),
  ]
  private static let events = Breakpoint.events.map { Candidate(String($0.prefix { $0 != "4" })) }

  private func steps(_ word: Substring, in typed: Substring, and others: [String] = []) -> Completions {
    prompt.matching(
      word, in: typed, labels.map { Candidate($0) } + others.map { Candidate($0, terminator: " ") })
  }
}
