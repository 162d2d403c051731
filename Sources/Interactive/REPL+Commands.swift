internal import Presentation
internal import Requests

/// What begins with `:`.
extension REPL {
  /// - Returns: whether the prompt goes on.
  mutating func perform(_ line: String) async -> Bool {
    let command: Command.Line
    do {
      command = try Command.parse(line)
    } catch {
      complain(error)
      return true
    }
    switch command.command {
    case .help: help(command.argument)
    case .profile: profile(command.argument)
    case .show: show(command.argument)
    case .body: body(command.argument)
    case .print: print(command.argument)
    case .vars: listNames()
    case .set:
      guard let argument = command.argument, argument.contains("=") else {
        fail(ErrorReport("a name and a value are missing", notes: [Command.set.example]))
        return true
      }
      await perform(statements: "let \(argument)")
    case .load: await load(command.argument, stepsToo: false)
    case .run: await load(command.argument, stepsToo: true)
    case .save: save(command.argument)
    case .history: listHistory(command.argument)
    case .quit: return false
    }
    return true
  }

  mutating func fail(_ report: ErrorReport) {
    isFailed = true
    errors.print(report)
  }

  private mutating func complain(_ error: Command.ParseError) {
    isFailed = true
    switch error {
    case .unknown(let word):
      errors.print(ErrorReport("there is no command \":\(word)\"", notes: [":help lists them"]))
    case .ambiguous(let word, let commands):
      let names = commands.map { ":\($0.rawValue)" }.joined(separator: ", ")
      errors.print(ErrorReport("\":\(word)\" could be \(names)"))
    }
  }

  private func help(_ topic: String?) {
    let name = topic.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    if let name, let command = try? Command.parse(":\(name)").command {
      var text = StyledText("\(command.usage)\n", .strong)
      text.append("  \(command.summary)\n  \(command.example)\n")
      printer.result(text)
      return
    }
    var text = StyledText("Requests are typed bare:\n", .strong)
    text.append(
      """
        GET https://api.example.com/items
        POST /sheets/A-101/snapshots json { filesize: 48213 }
        PUT $1.body.snapshot.url body file("a.png")

      """)
    text.append(
      """
      Answers are $1, $2, … and $_ the last: $1.status, $1.headers.etag, $1.body.id.
      Where /paths go, and which token goes along, is a profile:
        profile api { base https://api.example.com auth bearer $env.API_TOKEN }

      """)
    text.append("Commands, which may be shortened:\n", .strong)
    let width = Command.allCases.map(\.usage.count).max() ?? 0
    for command in Command.allCases {
      let padding = String(repeating: " ", count: width - command.usage.count)
      text.append("  \(command.usage)\(padding)  \(command.summary)\n")
    }
    printer.result(text)
  }

  private mutating func profile(_ name: String?) {
    guard let name else { return listProfiles() }
    guard profiles[name] != nil else {
      isFailed = true
      let known = profiles.all.map(\.name).joined(separator: ", ")
      errors.print(
        ErrorReport(
          "there is no profile \"\(name)\"",
          notes: [known.isEmpty ? "declare one: profile \(name) { base https://… }" : "there are: \(known)"]))
      return
    }
    use(profile: name)
  }

  private func listProfiles() {
    guard !profiles.all.isEmpty else {
      printer.result(StyledText("No profile is declared yet: profile api { base https://… }\n", .faint))
      return
    }
    var text = StyledText()
    for profile in profiles.all {
      let isCurrent = profile.name == profiles.current
      text.append(isCurrent ? "* " : "  ")
      text.append(profile.name, isCurrent ? .strong : .plain)
      text.append("  \(profile.origins.map(\.description).joined(separator: ", "))", .faint)
      text.append("  \(profile.credential?.summary ?? "no credentials")\n", .faint)
    }
    printer.result(text)
  }
}
