/// A command of the prompt: what begins with `:`. It can be abbreviated as long as it is unique.
enum Command: String, Hashable, Sendable, CaseIterable {
  case show, body, diff, print
  case explain, lint
  case profile, set, vars, cookies
  case load, run, debug, check, fmt, edit, save, `import`
  case history, `repeat`, timing, clear, help, quit

  /// What was typed after the colon, read as a command and its argument.
  struct Line: Hashable, Sendable {
    var command: Command
    /// Trimmed; nil when there is none.
    var argument: String?
  }

  /// Why a line is not a command.
  enum ParseError: Error, Hashable, Sendable {
    /// No command begins like this.
    case unknown(String)
    /// Several commands do.
    case ambiguous(String, [Command])
  }

  /// Reads a line that begins with `:`.
  static func parse(_ line: String) throws(ParseError) -> Line {
    let text = line.dropFirst().drop(while: \.isWhitespace)
    let word = text.prefix { !$0.isWhitespace }
    let argument = text.dropFirst(word.count).drop(while: \.isWhitespace)
    let trimmed = argument.reversed().drop(while: \.isWhitespace).reversed()
    return Line(command: try named(String(word)), argument: trimmed.isEmpty ? nil : String(trimmed))
  }

  /// What other programs call them.
  private static let otherNames: [String: Command] = [
    "h": .help, "?": .help, "exit": .quit, "q!": .quit, "wq": .quit, "x": .quit, "use": .profile, "env": .vars,
    "source": .run, "curl": .import, "p": .print, "again": .repeat, "!": .repeat,
  ]

  private static func named(_ word: String) throws(ParseError) -> Command {
    if let command = Command(rawValue: word) { return command }
    if let command = otherNames[word] { return command }
    let matches = allCases.filter { !word.isEmpty && $0.rawValue.hasPrefix(word) }
    guard let first = matches.first else { throw .unknown(word) }
    guard matches.count == 1 else { throw .ambiguous(word, matches) }
    return first
  }
}
