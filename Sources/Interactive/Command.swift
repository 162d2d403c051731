/// A command of the prompt: what begins with `:`. It may be shortened while it is unique.
enum Command: String, Hashable, Sendable, CaseIterable {
  case show
  case body
  case print
  case vars
  case set
  case profile
  case load
  case run
  case save
  case history
  case help
  case quit

  /// What was typed after the colon, read as a command and its argument.
  struct Line: Hashable, Sendable {
    var command: Command
    /// Without white space around it; nil when there is none.
    var argument: String?
  }

  /// Why a line is no command.
  enum ParseError: Error, Hashable, Sendable {
    /// No command begins like this.
    case unknown(String)
    /// Several do.
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

  private static func named(_ word: String) throws(ParseError) -> Command {
    if let command = Command(rawValue: word) { return command }
    let matches = allCases.filter { !word.isEmpty && $0.rawValue.hasPrefix(word) }
    guard let first = matches.first else { throw .unknown(word) }
    guard matches.count == 1 else { throw .ambiguous(word, matches) }
    return first
  }

  /// How it is called.
  var usage: String {
    switch self {
    case .show: ":show [$3] [part]"
    case .body: ":body [$3] [> file]"
    case .print: ":print expression"
    case .vars: ":vars"
    case .set: ":set name = expr"
    case .load: ":load file"
    case .run: ":run file"
    case .save: ":save file [3..7]"
    case .history: ":history [/re/]"
    case .help: ":help [command]"
    case .profile: ":profile [name]"
    case .quit: ":quit"
    }
  }

  /// What it does, in one line.
  var summary: String {
    switch self {
    case .show: "an answer again, or its \(ShownPart.list)"
    case .body: "a whole body, or its bytes into a file"
    case .print: "what an expression comes to"
    case .vars: "names and what they stand for"
    case .set: "gives a name to a value, as let does"
    case .load: "takes profiles, names and sequences from a script"
    case .run: "does all that a script says, in this session"
    case .save: "writes requests as a script that runs as it is"
    case .history: "what was typed lately, or matches"
    case .help: "what can be typed here"
    case .profile: "lists the profiles, or chooses where /paths go"
    case .quit: "leave; so does ^D on an empty line"
    }
  }

  /// What it looks like in use.
  var example: String {
    switch self {
    case .show: ":show $3 headers"
    case .body: ":body $3 > answer.json"
    case .print: ":print $1.body.items | count"
    case .vars: ":vars"
    case .set: ":set id = $1.body.id"
    case .load: ":load profiles.wb"
    case .run: ":run upload.wb"
    case .save: ":save chain.wb 3..7"
    case .history: ":history /POST.*snapshots/"
    case .help: ":help profile"
    case .profile: ":profile api"
    case .quit: ":q"
    }
  }
}
