extension Command {
  /// The groups in which `:help` lists the commands.
  static let groups: [(name: String, commands: [Command])] = [
    ("Look", [.show, .body, .diff, .print, .timing]),
    ("Before sending", [.explain, .lint]),
    ("Context", [.profile, .set, .vars, .cookies]),
    ("Scripts", [.save, .load, .run, .debug, .check, .fmt, .edit, .import]),
    ("Session", [.repeat, .history, .clear, .help, .quit]),
  ]

  /// How it is called.
  var usage: String {
    switch self {
    case .show: ":show [$3] [part] [| program]"
    case .body: ":body [$3] [> file | program]"
    case .diff: ":diff [$2 $5]"
    case .print: ":print expression"
    case .explain: ":explain [request | $3]"
    case .lint: ":lint [$3]"
    case .debug: ":debug file | name(…)"
    case .profile: ":profile [name | URL]"
    case .set: ":set name = expr"
    case .vars: ":vars"
    case .cookies: ":cookies [clear [name]]"
    case .load: ":load file"
    case .run: ":run file"
    case .check: ":check file"
    case .fmt: ":fmt file"
    case .edit: ":edit [$3 | file]"
    case .save: ":save file [3..7]"
    case .import: ":import curl … | file"
    case .history: ":history [/re/]"
    case .repeat: ":repeat [$3] [until expr]"
    case .timing: ":timing [$3]"
    case .clear: ":clear"
    case .help: ":help [command]"
    case .quit: ":quit"
    }
  }

  /// What it does, in one line.
  var summary: String {
    switch self {
    case .show: "an exchange again, or one part of it"
    case .body: "a whole body, or its bytes into a file or a program"
    case .diff: "what differs between two responses, field by field"
    case .print: "the value of an expression"
    case .explain: "what would be sent, and where each part comes from"
    case .lint: "what is wrong with an upload that was sent"
    case .debug: "runs a script, or a sequence, step by step"
    case .profile: "lists the profiles, or chooses where /paths go"
    case .set: "names a value, as let does"
    case .vars: "names and what they stand for"
    case .cookies: "kept cookies, without their values; or clears them"
    case .load: "takes profiles, names and sequences from a script"
    case .run: "runs all of a script in this session"
    case .check: "finds what is wrong with a script; sends nothing"
    case .fmt: "writes a script in the canonical style"
    case .edit: "edits a request in $EDITOR and sends it; or a file"
    case .save: "writes requests as a script that runs as it is"
    case .import: "a curl line as a request, without sending it"
    case .history: "recent entries, or those that match"
    case .repeat: "sends a request again, or until a condition holds"
    case .timing: "where the time went"
    case .clear: "clears the screen; so does ^L"
    case .help: "what can be typed here"
    case .quit: "leaves; so does ^D on an empty line"
    }
  }

  /// What it looks like in use.
  var example: String {
    switch self {
    case .show: ":show $3 headers"
    case .body: ":body $3 > response.json"
    case .diff: ":diff $2 $5"
    case .print: ":print $1.body.items | count"
    case .explain: ":explain POST /sheets name=x"
    case .lint: ":lint $3"
    case .debug: ":debug upload.wb"
    case .profile: ":profile api"
    case .set: ":set id = $1.body.id"
    case .vars: ":vars"
    case .cookies: ":cookies clear"
    case .load: ":load profiles.wb"
    case .run: ":run upload.wb"
    case .check: ":check upload.wb"
    case .fmt: ":fmt upload.wb"
    case .edit: ":edit $3"
    case .save: ":save chain.wb 3..7"
    case .import: ":import curl https://example.com -d a=1"
    case .history: ":history /POST.*snapshots/"
    case .repeat: ":repeat $3 every 2s until body.state == \"ready\""
    case .timing: ":timing $3"
    case .clear: ":clear"
    case .help: ":help profile"
    case .quit: ":q"
    }
  }
}
