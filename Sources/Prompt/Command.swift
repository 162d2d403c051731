/// A command of the prompt: what begins with `:`. It can be abbreviated as long as it is unique.
enum Command: String, ShortenedCommand {
  case show, body, diff, print
  case explain, lint
  case profile, set, vars, cookies
  case load, run, debug, check, fmt, edit, save, `import`
  case history, `repeat`, timing, clear, help, quit
  case auth, presign

  /// What other programs call them.
  static let otherNames: [String: Command] = [
    "h": .help, "?": .help, "exit": .quit, "q!": .quit, "wq": .quit, "x": .quit, "use": .profile, "env": .vars,
    "source": .run, "curl": .import, "p": .print, "again": .repeat, "!": .repeat,
  ]
}
