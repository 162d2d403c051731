internal import Diagnostics
internal import Formats
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// What begins with `:`.
extension REPL {
  /// - Returns: whether the prompt continues.
  mutating func perform(_ line: String) async -> Bool {
    let (command, argument): (Command, String?)
    do {
      let line = try Command.parse(line.dropFirst())
      (command, argument) = (line.command, line.argument.isEmpty ? nil : line.argument)
    } catch {
      complain(error, about: line)
      return true
    }
    switch command {
    // There, `|` alone is a topic.
    case .help: if argument == "|" { help(argument, on: printer) } else { look(argument) { $0.help($1, on: $2) } }
    case .profile: await profile(argument)
    case .show where argument.map(Self.isMember) ?? false: await print(argument)
    case .show: look(argument) { $0.show($1, on: $2) }
    case .body: body(argument)
    case .print: await print(argument)
    case .vars: look(argument) { $0.listNames(on: $2) }
    case .set:
      guard let argument, argument.contains("=") else {
        let words = (argument ?? "").split(separator: " ", maxSplits: 1)
        let isWhole = words.count == 2
        fail(
          ErrorReport(
            isWhole ? "there is a = between a name and its value" : "a name and a value are missing",
            notes: [isWhole ? ":set \(words[0]) = …" : Command.set.example]))
        return true
      }
      await perform(typed: argument, as: .binding)
    case .load: await load(argument, stepsToo: false)
    case .run: await load(argument, stepsToo: true)
    case .save: save(argument)
    case .diff: look(argument) { $0.difference($1, on: $2) }
    case .explain: explain(argument)
    case .lint: look(argument) { $0.lint($1, on: $2) }
    case .debug: await debug(argument)
    case .cookies: look(argument) { $0.cookies($1, on: $2) }
    case .check: check(argument)
    case .fmt: format(argument)
    case .edit: await edit(argument)
    case .import: await importCurl(argument)
    case .repeat:
      if let refusal = refusal(ofRepeating: argument ?? "") { fail(refusal) } else { await repeatRequest(argument) }
    case .timing: look(argument) { $0.timing($1, on: $2) }
    case .history:
      // In a pattern, `|` is "or".
      let isPattern = argument?.hasPrefix("/") ?? false
      // A program may be meant to find an old one.
      let isPiped = !isPattern && argument.flatMap { Self.pipeline($0) } != nil
      let limit = isPiped ? Int.max : Self.listedEntries
      if isPattern {
        listHistory(argument, limit: limit, on: printer)
      } else {
        look(argument) { $0.listHistory($1, limit: limit, on: $2) }
      }
    case .clear: if editor.isInteractive { world.output.write("\u{1B}[H\u{1B}[2J") }
    case .auth: await auth(argument)
    case .presign: await presign(argument)
    case .quit: return false
    }
    return true
  }

  /// What a command shows, on the screen or through a program, `:show headers | grep etag`.
  private mutating func look(_ argument: String?, _ show: (inout REPL, String?, Printer) -> Void) {
    guard let (shown, program) = argument.flatMap({ Self.pipeline($0) }) else { return show(&self, argument, printer) }
    let page = RecordedScreen()
    show(&self, shown.isEmpty ? nil : shown, page.printer(secrets))
    if !page.text.isEmpty { pipe(StyledText(page.text), through: program) }
  }

  mutating func fail(_ report: ErrorReport) {
    isFailed = true
    errors.print(report)
  }

  /// What is wrong with the text after `:repeat`; nil: nothing that can be said of a part of it.
  private func refusal(ofRepeating argument: String) -> ErrorReport? {
    let first = argument.prefix { !$0.isWhitespace }
    if let number = Int(first) {
      let isResponse = run.exchanges.indices.contains(number &- 1)
      let again = isResponse ? [":repeat $\(number) sends $\(number) again"] : []
      let times = "several times: for $i in range(1, \(max(2, number))) { GET … }"
      return ErrorReport("a number is not what :repeat takes", notes: again + [times])
    }
    let text = first.hasPrefix("$") ? argument.dropFirst(first.count).drop(while: \.isWhitespace) : argument[...]
    let source = SourceText(name: "<repeat>", text: String(text))
    // The line is not shown: what is secret in it is not known in a part of a line.
    guard let found = Parser.repetitionError(in: source)?.diagnostic(in: source) else { return nil }
    return ErrorReport(found.message, notes: [found.label ?? Command.repeat.example])
  }

  private mutating func complain(_ error: CommandError<Command>, about line: String) {
    isFailed = true
    switch error {
    case .unknown(let word) where word.hasPrefix("!"):
      errors.print(ErrorReport("there is no shell here", notes: [HabitualInput.shellNote]))
    case .unknown(let word):
      let isMethod = Keywords.commonMethods.contains(word.uppercased())
      let meant = Command.meant(by: word, line.dropFirst(1 + word.count)).map { "did you mean \($0)?" }
      let note = isMethod ? "a request has no colon: \(word.uppercased()) /path" : meant
      errors.print(ErrorReport("there is no command \":\(word)\"", notes: [note ?? ":help lists them"]))
    case .ambiguous(let word, let commands):
      let names = commands.map { ":\($0.rawValue)" }.joined(separator: ", ")
      errors.print(ErrorReport("\":\(word)\" could be \(names)"))
    }
  }

  private mutating func help(_ topic: String?, on printer: Printer) {
    if let topic {
      if let command = Command(rawValue: String(topic.drop { $0 == ":" })) { return help(command, on: printer) }
      if let topic = HelpTopic(topic) { return help(topic, on: printer) }
      guard let command = try? Command.parse(topic.hasPrefix(":") ? topic.dropFirst() : topic[...]).command else {
        return fail(
          ErrorReport(
            "there is no help on \"\(topic)\"", notes: [":help lists the commands; other topics are \(HelpTopic.list)"])
        )
      }
      return help(command, on: printer)
    }
    var text = StyledText("Type a request as it is:\n", .strong)
    text.append(
      """
        GET https://api.example.com/items
        POST /sheets/A-101/snapshots json { filesize: 48213 }
        PUT $1.body.snapshot.url body file("a.png")

      """)
    text.append(
      """
      Responses are $1, $2, …; $_ is the last: $1.status, $1.headers.etag, $1.body.id.
      A profile says where /paths go, and which token goes along:
        profile api { base https://api.example.com auth bearer $env.API_TOKEN }

      """)
    let width = Command.allCases.map(\.usage.count).max() ?? 0
    for group in Command.groups {
      text.append("\(group.name)\n", .strong)
      for command in group.commands {
        let padding = String(repeating: " ", count: width - command.usage.count)
        text.append("  \(command.usage)\(padding)  ")
        text.append("\(command.summary)\n", .faint)
      }
    }
    text.append("Commands can be abbreviated: :sh $3 h. A pasted curl line runs.\n", .faint)
    text.append("By example, :help and one of\n  \(HelpTopic.list)\n", .faint)
    printer.long(own: text)
  }

  private func help(_ command: Command, on printer: Printer) {
    var text = StyledText("\(command.usage)\n", .strong)
    text.append("  \(command.summary)\n  \(command.example)\n")
    if command == .show { text.append("  the parts are \(ShownPart.list)\n", .faint) }
    printer.own(text)
    // What is a command is also something that is written.
    if let topic = HelpTopic(command.rawValue) { help(topic, on: printer) }
  }

  private func help(_ topic: HelpTopic, on printer: Printer) {
    var text = StyledText("\(topic.title)\n", .strong)
    let width = topic.lines.filter { !$0.meaning.isEmpty }.map(\.text.count).max() ?? 0
    for line in topic.lines {
      text.append("  \(line.text)")
      if !line.meaning.isEmpty {
        text.append("\(String(repeating: " ", count: width - line.text.count))  \(line.meaning)", .faint)
      }
      text.append("\n")
    }
    printer.own(text)
  }

  /// Whether it begins with a member of a response, `$3.headers.link`, and not with the response.
  private static func isMember(_ text: String) -> Bool { text.prefixMatch(of: /\$[\w\-]+[.\[]/) != nil }

  private mutating func profile(_ name: String?) async {
    guard let name else { return listProfiles() }
    // Who means the declaration.
    if name.prefixMatch(of: /[\w\-]+\s*\{/) != nil { return await perform(typed: "profile \(name)") }
    if name.contains("://") || RequestAddress.isLocal(name[...]), let address = RequestAddress(name) {
      return await open(address.url)
    }
    if name == "none", profiles[name] == nil {
      run.sequence.currentProfile = nil
      let advice = profiles.all.isEmpty ? "" : "; a URL of a profile still has its credential: auth none sends none"
      return printer.result(StyledText("Paths go to no profile\(advice)\n", .faint))
    }
    guard profiles[name] != nil else {
      let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.count == 2, ["remove", "rm", "delete"].contains(words[0]), profiles[words[1]] != nil {
        return remove(profile: words[1])
      }
      isFailed = true
      if [".wb", ".yaml", ".yml", ".json", ".env"].contains(where: name.hasSuffix) {
        return errors.print(
          ErrorReport("\"\(name)\" is not a profile", notes: ["to take what a file declares: :load \(name)"]))
      }
      let isRemoved = words.count == 2 && ["remove", "rm", "delete"].contains(words[0])
      if words.count > 1, !isRemoved {
        return errors.print(
          ErrorReport(
            ":profile takes the name of one profile, or an address",
            notes: ["a profile is there until the prompt is left, or until :profile remove NAME"]))
      }
      let wanted = isRemoved ? words[1] : name
      let known = profiles.all.map(\.name).joined(separator: ", ")
      errors.print(
        ErrorReport(
          "there is no profile \"\(wanted)\"",
          notes: [known.isEmpty ? "declare one: profile \(wanted) { base https://… }" : "there are: \(known)"]))
      return
    }
    use(profile: name)
  }

  private mutating func remove(profile name: String) {
    do throws(ProgramError) {
      try run.sequence.remove(profile: name, at: world.moment)
      importedProfiles[name] = nil
      printer.result(StyledText("\(name): removed\n", .faint))
    } catch {
      errors.print(UploadError(.sequence(error)))
      isFailed = true
    }
  }

  /// Makes paths go to an address: with the profile that has its credentials, else with a new one.
  mutating func open(_ address: String) async {
    let origin: Origin
    do { origin = try world.transport.origin(of: address) } catch {
      return fail(ErrorReport("\"\(address)\" is not an address", notes: ["such as https://api.example.com"]))
    }
    var saved = SavedProfiles(session: profiles)
    let name = saved.profile(for: origin, named: nil, asBase: true)
    if profiles[name] != nil { return use(profile: name) }
    await perform(ScriptSyntax([.profile(ProfileSyntax(name, [.base(.value(address))]))]))
    if profiles[name] != nil { use(profile: name) }
  }

  private func listProfiles() {
    guard !profiles.all.isEmpty else {
      printer.result(StyledText("No profile is declared yet: profile api { base https://… }\n", .faint))
      return
    }
    let rows = profiles.all.map { profile in
      (profile, origins: profile.origins.map(\.description).joined(separator: ", "))
    }
    let width = rows.map(\.0.name.count).max() ?? 0
    let originsWidth = rows.map(\.origins.count).max() ?? 0
    var text = StyledText()
    for (profile, origins) in rows {
      let isCurrent = profile.name == profiles.current
      text.append(isCurrent ? "* " : "  ")
      text.append(profile.name, isCurrent ? .strong : .plain)
      text.append(String(repeating: " ", count: width - profile.name.count))
      text.append("  \(origins)\(String(repeating: " ", count: originsWidth - origins.count))", .faint)
      text.append("  \(identification(of: profile))\n", .faint)
    }
    printer.result(text)
  }

  /// How its requests say who sends them.
  private func identification(of profile: SessionProfile) -> String {
    guard profile.network.keepsCookies else { return profile.credential?.summary ?? "no credentials" }
    let count = session.cookies.cookies(of: profile.name).count
    let cookies = "cookies on, \(count) kept"
    return profile.credential.map { "\($0.summary), \(cookies)" } ?? cookies
  }
}
