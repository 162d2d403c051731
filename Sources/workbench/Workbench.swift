internal import ArgumentParser
internal import Diagnostics
internal import Formats
internal import Prompt
internal import Requests
internal import Sessions
internal import Subcommands

/// The command and its subcommands; without one, the prompt.
struct Workbench: AsyncParsableCommand {
  /// Subcommands say it, too: so the library does not look whether a line asks one of them for a completion script, which
  /// takes longer than to read the line. Such a line is read as a whole.
  static let name = "workbench"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Explore HTTP APIs at a prompt, replay saved request sequences, keep tokens where they belong.",
    discussion: """
      Without a subcommand workbench is a prompt: type a request, refer to its response as $1 in the next.
      """,
    // Libraries are asked for theirs only by those who want to know: this is made at each start.
    version: CommandLine.arguments.contains("--version") ? VersionText.current : ProgramVersion.current,
    subcommands: [
      PromptCommand.self, SendCommand.self, RunCommand.self, TestCommand.self, BulkCommand.self, ReportCommand.self,
      DebugCommand.self,
      ResumeCommand.self, RunsCommand.self,
      ShowCommand.self, ReplayCommand.self, DiffCommand.self, QueueCommand.self, CheckCommand.self, FormatCommand.self,
      EvalCommand.self, SelectCommand.self, ImportCommand.self, ExportCommand.self, AuthCommand.self,
      PresignCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: PromptCommand.self)

  static var subcommandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// Those of subcommands too.
  static var allCommandNames: Set<String> {
    func names(_ command: any ParsableCommand.Type) -> [String] {
      [command._commandName] + command.configuration.subcommands.flatMap(names)
    }
    return Set(configuration.subcommands.flatMap(names))
  }

  /// What a command line says. The subcommand that it begins with reads it alone: to look at all of them takes longer
  /// than most commands. Lines that it does not take, those that ask for help among them, are read as a whole.
  private static func command(of arguments: [String]) throws -> any ParsableCommand {
    let name = arguments.first ?? PromptCommand._commandName
    if let subcommand = configuration.subcommands.first(where: { $0._commandName == name }),
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())), subcommand.includes(type(of: command))
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// Why a command line is wrong where the library says something else, or nothing; nil: it says it.
  private static func fault(in arguments: [String]) -> ValidationError? {
    let isHelp = arguments.first == "help"
    let words = isHelp ? Array(arguments.dropFirst()) : arguments
    guard let name = words.first, !name.hasPrefix("-") else { return nil }
    guard let command = configuration.subcommands.first(where: { $0._commandName == name }) else {
      let near = SpellingSuggestion.nearest(to: name, among: subcommandNames).map { " Did you mean \($0)?" } ?? ""
      return isHelp ? ValidationError("There is no subcommand \"\(name)\".\(near)") : nil
    }
    // Of a missing argument the library speaks first.
    if name == SendCommand._commandName, let habit = ForeignOption.first(in: words.dropFirst()) {
      return ValidationError(habit)
    }
    if name == ImportCommand._commandName, words.dropFirst().first == "curl",
      words.contains(where: { $0 != "-o" && ForeignOption.isOfCurl($0) })
    {
      return ValidationError(ImportRun.unquotedLine)
    }
    let usage = helpMessage(for: command, includeHidden: true)
    let unknown = words.dropFirst().prefix { $0 != "--" }.first { word in
      word.hasPrefix("--") && command.configuration.subcommands.isEmpty
        && !usage.contains("\(word.prefix { $0 != "=" })")
    }
    guard let unknown else { return nil }
    let option = String(unknown.prefix { $0 != "=" })
    if usage.contains("--report "), let advice = ReportTargetOptions.advice(on: option) {
      return ValidationError("Unknown option '\(option)'. \(advice)")
    }
    let known = usage.matches(of: /--[a-z][a-z\-]*/).map { String($0.output) }
    let near = SpellingSuggestion.nearest(to: option, among: known).map { " Did you mean '\($0)'?" } ?? ""
    return ValidationError("Unknown option '\(option)'.\(near)")
  }

  /// Does what the program's arguments say.
  static func perform() async {
    do {
      let arguments = CommandLine.words
      try CommandLine.checkBytes(arguments)
      if let work = PlainLine.work(arguments) { return try await work() }
      // What has options may do several things at once.
      try await withTaskExecutorPreference(globalConcurrentExecutor) {
        var command = try command(of: SendCommand.keepingForeignOptions(arguments))
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      }
    } catch {
      // A wrong command line exits with 2, as in our table of exit codes; the library's own code would be 64.
      let isWrong = exitCode(for: error) == .validationFailure
      let arguments = Array(CommandLine.arguments.dropFirst())
      let fault = isWrong || arguments.first == "help" ? fault(in: arguments) : nil
      guard isWrong || fault != nil else { exit(withError: error) }
      let isMissing = fullMessage(for: error).contains("Missing expected argument")
      // The library takes options with other letters for near.
      let isOption = fullMessage(for: error).hasPrefix("Error: Unknown option") && fault != nil
      let isForeign = arguments.first == SendCommand._commandName && fault?.message.hasPrefix("Unknown") == false
      let message = !isWrong || isMissing || isForeign || isOption ? fault.map { "Error: \($0.message)" } : nil
      let whole = fullMessage(for: error)
      let usage = isOption ? String(whole.drop { !$0.isNewline }) : ""
      World.real(color: .auto).errorOutput.write("\(message.map { $0 + usage } ?? whole)\n")
      exit(withError: ArgumentParser.ExitCode(Sessions.ExitCode.usage.rawValue))
    }
  }
}

extension ParsableCommand {
  /// Whether it is this command or one of its subcommands, not the library's own that prints help.
  fileprivate static func includes(_ command: any ParsableCommand.Type) -> Bool {
    command == self || configuration.subcommands.contains { $0.includes(command) }
  }
}
