internal import Debugger
internal import Diagnostics

/// The commands of the debugger's prompt. A command can be abbreviated as long as it is unique; the most common ones
/// own their letters.
enum DebuggerCommand: String, Hashable, Sendable, CaseIterable {
  case next, send, `continue`
  case edit, set, resend, skip
  case back, goto
  case print, diff, lint, list, `where`
  case `break`, info, delete
  case reload, save, help, quit

  /// What was typed, read as a command and what follows it.
  struct Line: Hashable, Sendable {
    var command: DebuggerCommand
    /// Trimmed; empty when there is none.
    var argument: String
  }

  /// Why a line is not a command.
  enum ParseError: Error, Hashable, Sendable {
    case unknown(String, suggestion: String?)
    case ambiguous(String, [String])
  }

  private static let letters: [String: DebuggerCommand] = [
    "n": .next, "s": .send, "c": .continue, "e": .edit, "r": .resend, "k": .skip, "g": .goto, "p": .print, "b": .break,
    "l": .list, "w": .where, "d": .delete, "del": .delete, "h": .help, "?": .help, "q": .quit, "i": .info,
  ]

  static func parse(_ line: String) throws(ParseError) -> Line {
    let text = line.drop(while: \.isWhitespace)
    let word = String(text.prefix { !$0.isWhitespace })
    let rest = text.dropFirst(word.count).drop(while: \.isWhitespace)
    let argument = String(rest.reversed().drop(while: \.isWhitespace).reversed())
    return Line(command: try named(word), argument: argument)
  }

  private static func named(_ word: String) throws(ParseError) -> DebuggerCommand {
    if let command = letters[word] ?? DebuggerCommand(rawValue: word) { return command }
    let matches = allCases.filter { $0.rawValue.hasPrefix(word) }
    guard let first = matches.first else {
      throw .unknown(word, suggestion: SpellingSuggestion.nearest(to: word, among: allCases.map(\.rawValue)))
    }
    guard matches.count == 1 else { throw .ambiguous(word, matches.map(\.rawValue)) }
    return first
  }

  var takesArgument: Bool { help.usage.contains { $0 == "[" || $0.isUppercase } }

  /// How it is called, and what it does.
  var help: (usage: String, summary: String) {
    switch self {
    case .next: ("n, next", "send this step and go to the next stop")
    case .send: ("s, send", "send this step and stop after it")
    case .continue: ("c, continue", "continue to the next breakpoint or failure")
    case .edit: ("e, edit [STEP TEXT]", "change it in $EDITOR, or to the text that follows")
    case .set: ("set NAME = EXPR", "another value: set $allocate.body.id = 7")
    case .resend: ("r, resend", "resend the step that was sent last")
    case .skip: ("k, skip [STATUS BODY]", "not sent: its earlier response, this one, or none")
    case .back: ("back [N|STEP]", "before an earlier step; older responses are kept")
    case .goto: ("g, goto STEP", "to a step, skipping those between")
    case .print: ("p, print [EXPR]", "the value of an expression; alone, the last response")
    case .diff: ("diff [RUN [STEP]]", "with the last time, or with a recorded run: diff last")
    case .lint: ("lint [STEP]", "look for what is wrong with an upload")
    case .list: ("l, list", "the script around this step")
    case .where: ("w, where", "where this step is: sequence, iteration, round")
    case .break: ("b, break STEP [if EXPR]", "or: " + Breakpoint.events.map { "b on \($0)" }.joined(separator: ", "))
    case .info: ("info", "the breakpoints, and what was sent so far")
    case .delete: ("del N", "delete a breakpoint")
    case .reload: ("reload", "read the script again; what is unchanged is kept")
    case .save: ("save [response] FILE", "the script as it was changed, or the last body")
    case .help: ("help", "this")
    case .quit: ("q, quit", "leave")
    }
  }
}
