internal import Debugger
internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Imports
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import Sessions
internal import Subcommands
internal import UploadLint
internal import UploaderCore

/// The debugger's prompt: lines become requests to the machine, and what it reports becomes lines.
struct StepDebugger {
  let world: World
  let printer: Printer
  var errors: ErrorPrinter
  let secrets: KnownSecrets
  let editor: any LineEditor
  let history: History?
  let progress: ProgressDisplay
  /// Shows what comes bit by bit, as at the prompt.
  let streams: StreamDisplay
  /// The last response that was shown as it came.
  var streamed: Exchange?
  var driver: DebugDriver
  /// The script as last saved.
  var savedScript: SourceText?
  /// The recorded runs, to compare with.
  let recordedRuns: StoredRuns
  /// The step that has to be sent again in a run that is continued, whose other responses are kept; nil: none has.
  var renewed: StepPosition?
  /// Whether a stop is shown: not while recorded responses are taken.
  var showsStops = true
  /// What the editor was left with and the script cannot be, and what it was made from.
  var refusedEdit: (old: String, new: String)?
  private var lastLine = ""

  /// - Parameters:
  ///   - start: the sequence at its beginning.
  ///   - script: what it was made from; nil where it cannot be edited.
  ///   - record: where what is sent is recorded; nil: nowhere.
  ///   - directory: of the store of recorded runs; nil: the user's own.
  init(
    world: World, editor: any LineEditor, history: History?, secrets: KnownSecrets, errors: ErrorPrinter,
    start: ProgramRequestSequence, script: DebuggedScript?, breakpoints: [Breakpoint], record: DebugRecord?,
    directory: String?
  ) {
    self.world = world
    self.editor = editor
    self.history = history
    self.secrets = secrets
    self.errors = errors
    recordedRuns = StoredRuns(world: world, directory: directory)
    let printer = Printer(world, secrets: secrets)
    self.printer = printer
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    self.progress = progress
    let streams = StreamDisplay(printer, .normal, now: world.clock.now, clear: progress.clear)
    self.streams = streams
    let session = Session(
      world: world, secrets: secrets, journal: nil, report: ProgressReporter(printer, progress, streams: streams).on)
    driver = DebugDriver(start, script: script, breakpoints: breakpoints, record: record, session: session)
  }

  var machine: DebugMachine { driver.machine }
  var run: SequenceRun<ProgramRequestSequence> { machine.run }
  var stop: DebugMachine.Stop { machine.stop }
  var script: DebuggedScript? { machine.script }

  /// Reads commands until the input ends or a command ends it.
  ///
  /// - Parameters:
  ///   - goesOn: whether to continue to the first breakpoint before the first command.
  ///   - recorded: what a recorded run did; it is not repeated.
  mutating func run(goesOn: Bool, recalling recorded: RecordedSteps? = nil) async -> ExitCode {
    await perform(recorded.map(DebugRequest.recall) ?? .begin)
    if case .after(_, _, .some) = stop {} else if goesOn { await perform(.proceed) } else { show() }
    var isOver = false
    while !isOver {
      finishRecord()
      switch await editor.readLine(prompt: prompt, completer: completer) {
      case .line(let line): isOver = !(await perform(line))
      case .interrupted: continue
      case .endOfInput: isOver = true
      }
    }
    leaveRecord()
    return exitCode
  }

  /// The numbers are those of the current block.
  private var completer: DebuggerCompleter {
    let inner = run.innermost.exchanges
    let names = script.map { $0.parsed.script.statements.compactMap(\.declaredName) } ?? []
    let exchanges = inner + run.exchanges.filter { !inner.contains($0) }
    return DebuggerCompleter(
      prompt: PromptCompleter(
        exchanges: exchanges,
        bodies: BodyDocuments(patience: world.patience), names: names,
        profiles: run.innermostSequence.profiles ?? SessionProfiles(),
        responses: run.innermostSequence.numbersOfResponses(among: exchanges),
        environment: Array(world.variables.keys), listDirectory: world.listDirectory, redact: secrets.redact),
      labels: labels)
  }

  private var prompt: EditorPrompt {
    EditorPrompt((StyledText("debug", .strong) + "> ").rendered(isColored: world.output.isColored))
  }

  /// 0 if the run came to its end without a failure, or was left before one.
  private var exitCode: ExitCode {
    if let failure = machine.failure { return ExitCode(failure) }
    return run.isFailed ? .failed : .success
  }

  /// - Returns: whether there is more to do.
  private mutating func perform(_ line: String) async -> Bool {
    var line = line
    if line.allSatisfy(\.isWhitespace) {
      guard editor.isInteractive, !lastLine.isEmpty else { return true }
      line = lastLine
    } else if line.drop(while: \.isWhitespace).hasPrefix("#") {
      return true
    }
    lastLine = line
    errors.typed = line
    // So that the output of a piped session reads like a session.
    if !editor.isInteractive { say("debug> \(TypedSecrets.masked(line))", .plain) }
    // A history that cannot be written is no reason to stop debugging.
    try? history?.append(line, writing: TypedSecrets.masked(line))
    let typed = line.drop(while: \.isWhitespace)
    if typed.first == "|" {
      pipeBody(through: String(typed.dropFirst().drop(while: \.isWhitespace)))
      return true
    }
    // Alone, it shows what is next here, and not what is past.
    if typed == "show", case .before = stop { return await perform(.print, "request") }
    // As at the prompt, a value that is named is shown.
    if typed.first == "$" { return await perform(.print, String(typed)) }
    do {
      let parsed = try Self.parse(typed)
      return await perform(parsed.command, parsed.argument)
    } catch {
      switch error {
      case .unknown(let word) where Keywords.commonMethods.contains(word.uppercased()):
        complain(aboutRequest: word.uppercased() + typed.dropFirst(word.count))
      case .unknown(let word):
        let near = SpellingSuggestion.nearest(to: word, among: DebuggerCommand.allCases.map(\.rawValue))
        let advice = Self.habits[word] ?? near.map { "did you mean \($0)?" } ?? "help lists them"
        complain("there is no command \"\(word)\"", advice)
      case .ambiguous(let word, let commands):
        complain("\"\(word)\" could be \(commands.map(\.rawValue).joined(separator: ", "))")
      }
      return true
    }
  }

  /// Whether nothing that was changed here would be missed in its file.
  private func mayLeave() async -> Bool {
    guard script?.isFile ?? false, hasUnsavedChanges else { return true }
    say("warning: what was changed here is not in the script's file: save FILE writes it", .warning)
    return await agrees(to: "leave?")
  }

  /// A command with the colon of the prompt's, `:help`, is that command.
  private static func parse(
    _ line: Substring
  ) throws(CommandError<DebuggerCommand>) -> (command: DebuggerCommand, argument: String) {
    if line.first == ":", let parsed = try? DebuggerCommand.parse(line.dropFirst()) { return parsed }
    return try DebuggerCommand.parse(line)
  }

  /// What is typed instead of commands of the prompt, and of other debuggers.
  private static let habits = [
    "y": "it would be the reply to a question; n sends this step, and asks first if it was sent before",
    "yes": "it would be the reply to a question; n sends this step, and asks first if it was sent before",
    "bt": "w says where this step is, info what was sent so far",
    "pp": "p shows a value", "tbreak": "b STEP stops there each time, and del N ends that",
    "restart": "back STEP goes back to the first step", "disable": "del N deletes a breakpoint",
    "watch": "b STEP if EXPR stops there where that holds", "history": "info lists what was sent so far",
    "until": "b STEP, then c, goes on to a step", "run": "c goes on; back STEP goes back",
    "curl": "p curl shows the request as a line for curl",
    "step": "did you mean send or next? s sends this step and stops after it, n goes on to the next stop",
  ]

  private mutating func perform(_ command: DebuggerCommand, _ argument: String) async -> Bool {
    // Steps that it does not stop at are a line each.
    streams.show(command == .continue ? .quiet : .normal)
    driver.retries = command == .continue
    guard argument.isEmpty || command.takesArgument else {
      complain("\(command.rawValue) takes nothing after it", command.advice(after: argument))
      return true
    }
    switch command {
    case .next, .continue:
      if case .end = stop {
        say("(the end) nothing is left to send: back goes back, q leaves")
        return true
      }
      if let renewed, case .before(_, renewed) = stop {
        guard await renew(), command == .continue else { return true }
        await perform(.proceed)
      } else {
        await perform(command == .next ? .next : .continue)
      }
    case .send: await perform(.send)
    case .edit: await edit(argument)
    case .set: await set(argument)
    case .unset: await unset(argument)
    case .resend: await perform(.resend)
    case .skip: await skip(argument)
    case .back: await back(argument)
    case .goto: await goTo(argument)
    case .print: await print(argument)
    case .diff: difference(argument)
    case .lint: lint(argument)
    case .list: list()
    case .where: showWhere()
    case .break: await addBreakpoint(argument)
    case .info: info()
    case .delete: await deleteBreakpoint(argument)
    case .reload: await reload()
    case .save: await save(argument)
    case .help: help(argument)
    case .quit: return await !mayLeave()
    }
    return true
  }

  /// A request as at the prompt: here only those of the script are sent.
  private func complain(aboutRequest line: String) {
    let (request, program) = REPL.pipeline(line) ?? (line, "")
    let notes = [
      "e \(TypedSecrets.masked(request).replacing(TypedSecrets.mask, with: "…")) puts it in place of this step",
      program.isEmpty ? nil : "| \(program) takes the last response",
    ]
    errors.print(ErrorReport("the debugger sends the steps of the script", notes: notes.compactMap(\.self)))
  }

  /// `| jq .`: the last response's body through a program.
  private func pipeBody(through command: String) {
    guard let exchange = lastExchange else { return complain("there is no response yet") }
    let way = WayOut(world: world, printer: printer)
    if case .report(let report)? = way.send(exchange, number: exchange.description.head.number, through: command) {
      errors.print(report)
    }
  }

  // MARK: The machine

  /// Asks the machine, and does all that follows from it.
  mutating func perform(_ request: DebugRequest) async {
    var actions = driver.handle(request)[...]
    var mayAskAll = false
    if case .continue = request { mayAskAll = true }
    var consent = editor.isInteractive ? Consent.no : .all
    while let action = actions.popFirst() {
      if case .ask(let description) = action {
        if consent == .all {
          say("warning: \(Self.repetition(of: description)); sending it again", .warning)
        } else {
          consent = await self.consent(toSend: description, mayBeAll: mayAskAll)
        }
        actions += driver.handle(.consent(consent != .no))
      } else if action.isForCaller {
        show(action)
      } else {
        if case .send = action { progress.begin() }
        actions += await driver.perform(action)
        progress.clear()
      }
    }
  }

  /// What the user says to sending a step again.
  private enum Consent {
    case no
    case yes
    /// To this step and all that come of the command.
    case all
  }

  /// Asks before a request that should happen once is sent again.
  private func consent(toSend description: RequestDescription, mayBeAll: Bool) async -> Consent {
    say("warning: \(Self.repetition(of: description))", .warning)
    let question = EditorPrompt(mayBeAll ? "send it again? [y/N, a for all] " : "send it again? [y/N] ")
    while case .line(let text) = await editor.readLine(prompt: question) {
      switch text.trimmed.lowercased() {
      case "y", "yes": return .yes
      case "", "n", "no": return .no
      case "a", "all": if mayBeAll { return .all }
      default: break
      }
      say("y sends it, n does not; a command comes after that", .warning)
    }
    return .no
  }

  private static func repetition(of description: RequestDescription) -> String {
    "\(description.head.label ?? description.head.method.rawValue) was sent before and may have taken effect"
  }

  /// Asks on a terminal, where something would be lost.
  func agrees(to question: String) async -> Bool {
    guard editor.isInteractive else { return true }
    guard case .line(let reply) = await editor.readLine(prompt: EditorPrompt("\(question) [y/N] ")) else {
      return false
    }
    return ["y", "yes"].contains(reply.trimmed.lowercased())
  }

  private mutating func finishRecord() {
    do throws(StoreError) {
      try driver.finishRecord()
    } catch {
      errors.note("the end of this run is not recorded: \(error)")
    }
  }

  /// Releases the run, and says how to continue it.
  private func leaveRecord() {
    do throws(StoreError) {
      // The journal knows the secrets of what was sent, but not those of a step that could not be prepared.
      let reason = machine.failure.map { secrets.redact($0.message) }
      try driver.record?.leave(reason ?? (run.isFailed ? "a step failed" : nil))
    } catch {
      errors.note("where this run was left is not recorded: \(error)")
    }
    if let command = driver.record?.command { errors.note("continue with: \(command)") }
  }

  // MARK: Output

  func complain(_ message: String, _ notes: String...) {
    errors.print(ErrorReport(message, notes: notes))
  }

  func say(_ text: String, _ style: StyledText.Style = .faint) {
    printer.result(StyledText("\(text)\n", style))
  }

  /// The names by which steps can be called.
  var labels: [String] {
    var labels: [String] = []
    for step in run.history.stepRecords { if let label = step.record.exchange?.label { labels.append(label) } }
    if let script { labels += script.parsed.stepLabels }
    return labels.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
