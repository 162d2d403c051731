/// A command of a prompt, which can be abbreviated as long as it is unique.
protocol ShortenedCommand: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Other names for the commands.
  static var otherNames: [String: Self] { get }
}

/// Why a word is not a command.
enum CommandError<Command: ShortenedCommand>: Error, Hashable {
  /// No command begins like this.
  case unknown(String)
  /// Several commands do.
  case ambiguous(String, [Command])
}

extension ShortenedCommand {
  /// Reads a command and what follows it, trimmed.
  static func parse(_ line: some StringProtocol) throws(CommandError<Self>) -> (command: Self, argument: String) {
    let text = line.drop(while: \.isWhitespace)
    let word = String(text.prefix { !$0.isWhitespace })
    let argument = text.dropFirst(word.count).drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
    return (try named(word), String(argument.reversed()))
  }

  private static func named(_ word: String) throws(CommandError<Self>) -> Self {
    if let command = Self(rawValue: word) ?? otherNames[word] { return command }
    let matches = allCases.filter { !word.isEmpty && $0.rawValue.hasPrefix(word) }
    guard let first = matches.first else { throw .unknown(word) }
    guard matches.count == 1 else { throw .ambiguous(word, matches) }
    return first
  }
}
