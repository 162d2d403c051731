extension Command {
  /// The groups in which `:help` lists the commands.
  static let groups: [(name: String, commands: [Command])] = [
    ("Look", [.show, .body, .diff, .print, .timing]),
    ("Before sending", [.explain, .lint]),
    ("Context", [.profile, .auth, .presign, .set, .vars, .cookies]),
    ("Scripts", [.save, .load, .run, .debug, .check, .fmt, .edit, .import]),
    ("Session", [.repeat, .history, .clear, .help, .quit]),
  ]

  /// How it is called.
  var usage: String { help.usage }

  /// What it does, in one line.
  var summary: String { help.summary }

  /// What it looks like in use.
  var example: String { help.example }

  private var help: (usage: String, summary: String, example: String) {
    switch self {
    case .show: (":show [$3] [part] [| cmd]", "an exchange again, or one part of it", ":show $3 headers")
    case .body:
      (
        ":body [$3] [> file | cmd]", "a whole body, or its bytes to a file or a program", ":body $3 > response.json"
      )
    case .diff: (":diff [$2 $5]", "what differs between two responses, field by field", ":diff $2 $5")
    case .print: (":print expression", "the value of an expression", ":print $1.body.items | count")
    case .explain:
      (":explain [request | $3]", "what would be sent, and where each part comes from", ":explain POST /sheets name=x")
    case .lint: (":lint [$3]", "what is wrong with an upload that was sent", ":lint $3")
    case .debug: (":debug file | name(…)", "runs a script, or a sequence, step by step", ":debug upload.wb")
    case .profile: (":profile [name | URL]", "lists the profiles, or chooses where /paths go", ":profile api")
    case .set: (":set name = expr", "names a value, as let does", ":set id = $1.body.id")
    case .vars: (":vars", "names and what they stand for", ":vars")
    case .cookies: (":cookies [clear [name]]", "kept cookies, without their values; or clears them", ":cookies clear")
    case .load: (":load file", "takes what a script, .json, .yaml or .env declares", ":load profiles.wb")
    case .run: (":run file", "runs all of a script in this session", ":run upload.wb")
    case .check: (":check file", "finds what is wrong with a script; sends nothing", ":check upload.wb")
    case .fmt: (":fmt file", "writes a script in the canonical style", ":fmt upload.wb")
    case .edit: (":edit [$3 | file]", "edits a request in $EDITOR and sends it; or a file", ":edit $3")
    case .save: (":save file [3..7]", "writes requests as a script that runs as it is", ":save chain.wb 3..7")
    case .import:
      (
        ":import curl … | file", "shows a curl line as a request; runs a file",
        ":import curl https://example.com -d a=1"
      )
    case .history:
      (":history [8 | word]", "the last entries, or those with a word or /re/", ":history /POST.*snapshots/")
    case .repeat:
      (
        ":repeat [$3] [until expr]", "sends a request again, or until a condition holds",
        ":repeat $3 every 2s until body.state == \"ready\""
      )
    case .timing: (":timing [$3]", "where the time went", ":timing $3")
    case .clear: (":clear", "clears the screen; so does ^L", ":clear")
    case .help: (":help [command]", "what can be typed here", ":help profile")
    case .auth: (":auth login [name]", "signs in; also logout, status, refresh", ":auth login api")
    case .presign: (":presign method path [15m]", "a URL signed with the keys of a profile", ":presign GET /key 15m")
    case .quit: (":quit", "leaves; so does ^D on an empty line", ":q")
    }
  }
}
