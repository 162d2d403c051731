internal import Debugger

/// The commands of the debugger's prompt. A command can be abbreviated as long as it is unique; the most common ones
/// own their letters.
enum DebuggerCommand: String, ShortenedCommand {
  case next, send, `continue`
  case edit, set, unset, resend, skip
  case back, goto
  case print, diff, lint, list, `where`
  case `break`, info, delete
  case reload, save, help, quit

  static let otherNames: [String: DebuggerCommand] = [
    "n": .next, "s": .send, "c": .continue, "e": .edit, "r": .resend, "k": .skip, "g": .goto, "p": .print, "b": .break,
    "show": .print, "l": .list, "w": .where, "d": .delete, "del": .delete, "h": .help, "?": .help, "q": .quit,
    "i": .info,
  ]

  var takesArgument: Bool { help.usage.contains { $0 == "[" || $0.isUppercase } }

  /// What does what may be meant, where something follows that it does not take.
  func advice(after argument: String) -> String {
    switch self {
    case .continue: "b \(argument), then c, goes on to a step"
    case .next, .send: "c goes on to the next breakpoint, which b STEP makes"
    case .info: "p $NAME shows a value, p a response"
    case .list: "e opens the step in $EDITOR"
    default: "\(help.usage): \(help.summary)"
    }
  }

  /// How it is called, and what it does.
  var help: (usage: String, summary: String) {
    switch self {
    case .next: ("n, next", "send this step and go to the next stop")
    case .send: ("s, send", "send this step and stop after it")
    case .continue: ("c, continue", "continue to the next breakpoint or failure")
    case .edit: ("e, edit [REQUEST]", "change it in $EDITOR, or to the request that follows")
    case .set: ("set NAME = EXPR", "another value: set $allocate.body.id = 7")
    case .unset: ("unset STEP", "its response is what was received again")
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
    case .info: ("info", "the breakpoints, and what was sent or left out so far")
    case .delete: ("del N", "delete a breakpoint")
    case .reload: ("reload", "read the script again; what is unchanged is kept")
    case .save: ("save [response] FILE", "the script as it was changed, or the last body")
    case .help: ("help [COMMAND]", "this, or more of one command")
    case .quit: ("q, quit", "leave")
    }
  }

  /// What else `help COMMAND` says.
  var details: [String] {
    switch self {
    case .edit:
      [
        "e                               the step's text, in $EDITOR; it may become several steps",
        "e PUT $allocate.body.url body file(\"photo.png\")",
        "e GET /orders/6 header If-None-Match: $order.headers.etag",
        "e response                      the body of the response that it stopped after",
      ]
    case .set:
      [
        "set $allocate.body.id = 7       a part of a response; unset allocate takes that back",
        "set $order.headers.etag = \"old\"",
        "set count = 3                   a let, or a parameter",
      ]
    case .skip:
      [
        "k                               the response that the step had, or none",
        "k 201 { \"id\": 7 }              this one",
      ]
    case .print:
      [
        "p                               the last response",
        "p request                       the request that comes next",
        "p curl                          that as a line for curl, at the end the last one",
        "p $allocate.body.snapshot       a part of a response; p body.id is one of the last",
      ]
    case .break:
      [
        "b upload                        before a step of this name",
        "b upload if $allocate.body.parts > 1",
        "b :18                           at a line of the script",
      ]
    case .diff:
      [
        "diff                            this step and the last time it was sent",
        "diff upload                     the last two times of that step",
        "diff last                       this run and the one before it; diff RUN, diff RUN STEP",
      ]
    default: []
    }
  }
}
