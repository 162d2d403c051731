internal import Diagnostics
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import UploadLint
internal import UploaderCore

/// The step debugger: a caller of `Uploader.step`, as the plain run is, so both send the same bytes.
///
/// It knows how to do one thing with the past: make the run again from its sequence and its history. A step back, a jump,
/// an answer put in another's place and a script that was edited are all that.
struct StepDebugger {
  /// Where the run stands.
  enum Stop {
    /// Nothing was asked of the run yet.
    case nowhere
    /// Before this request.
    case before(RequestDescription, StepPosition)
    /// After a step that was sent to stop behind it, or failed.
    case after(StepPosition, Exchange?, UploadError?)
    /// The next step can not be made.
    case blocked(UploadError, StepPosition)
    case end
  }

  let world: World
  let printer: Printer
  var errors: ErrorPrinter
  let secrets: KnownSecrets
  let editor: any LineEditor
  let history: History?
  let uploader: Uploader
  let progress: ProgressDisplay

  var script: DebuggedScript?
  /// The script as it was saved last.
  var savedScript: SourceText?
  /// The sequence at its beginning, from which runs are made again.
  var start: ProgramRequestSequence
  var run: SequenceRun<ProgramRequestSequence>
  var stop = Stop.nowhere
  var breakpoints: [Breakpoint] = []
  /// What was answered at each step so far, also what was taken back: oldest first.
  var attempts: [StepPosition: [Exchange]] = [:]
  /// What was answered last at each step before this program was started.
  var recordedAnswers: [StepPosition: RecordedStep] = [:]
  /// Requests that should happen once and were sent: sending one again is asked about.
  var sentOnce: [RequestDescription] = []
  /// Where such requests were sent before this program was started.
  var sentOnceBefore: Set<StepPosition> = []
  /// The error of the step that failed last, while nothing was done about it.
  var failure: UploadError?
  /// The request that was sent last and got no answer.
  var unanswered: RequestDescription?
  /// Steps that were sent and got no answer, so that they may have taken effect.
  var undecided: Set<StepPosition> = []
  /// Where it is recorded; nil: nowhere.
  var record: DebugRecord?
  /// Whether the run was made again since something was recorded.
  var hasChangedPast = false
  /// What was put into responses, and where, as far as it was made of secrets.
  var putSecrets: [(secrets: Set<Secret>, place: String)] = []
  /// The recorded runs, to compare with.
  let recordedRuns: StoredRuns
  var lastLine = ""

  /// - Parameters:
  ///   - start: the sequence at its beginning.
  ///   - script: what it was made of; nil where it can not be edited.
  ///   - record: where what is sent is recorded; nil: nowhere.
  ///   - directory: of the store of recorded runs; nil: the user's own.
  init(
    world: World, editor: any LineEditor, history: History? = nil, secrets: KnownSecrets, errors: ErrorPrinter,
    start: ProgramRequestSequence,
    script: DebuggedScript?, record: DebugRecord? = nil, directory: String? = nil
  ) {
    self.world = world
    self.editor = editor
    self.history = history
    self.secrets = secrets
    self.start = start
    self.script = script
    self.record = record
    self.errors = errors
    recordedRuns = StoredRuns(world: world, directory: directory)
    let printer = Printer(world, secrets: secrets)
    self.printer = printer
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    self.progress = progress
    uploader = Uploader(
      transport: world.transport, clock: world.clock, makeBoundary: world.makeBoundary,
      observe: { event in
        progress.observe(event)
        if case .secrets(let found) = event { printer.learn(found) }
      })
    run = SequenceRun(start)
    printer.learn(start.secrets)
  }

  /// Reads commands until the input ends or says so.
  ///
  /// - Parameters:
  ///   - goesOn: whether to go on to the first breakpoint before the first command.
  ///   - recorded: what a recorded run did, which is not done again.
  mutating func run(goesOn: Bool, recalling recorded: RecordedSteps? = nil) async -> ExitCode {
    if let recorded { await recall(recorded) } else { arrive() }
    if case .after(_, _, .some) = stop {} else if goesOn { await proceed(isFirst: true) } else { show() }
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

  /// The numbers are those of the block it stands in.
  private var completer: DebuggerCompleter {
    let inner = run.innermost.exchanges
    let names = script.map { $0.parsed.script.statements.compactMap(\.declaredName) } ?? []
    return DebuggerCompleter(
      prompt: PromptCompleter(
        exchanges: inner + run.exchanges.filter { !inner.contains($0) },
        bodies: BodyDocuments(patience: world.patience), names: names,
        profiles: run.innermostSequence.profiles ?? SessionProfiles(), environment: Array(world.environment.keys),
        listDirectory: world.listDirectory, redact: secrets.redact),
      labels: labels)
  }

  private var prompt: Prompt {
    Prompt((StyledText("debug", .strong) + "> ").rendered(isColored: world.output.isColored))
  }

  /// 0 if the run came to its end and nothing in it failed, or was left before it did.
  private var exitCode: ExitCode {
    if let failure { return ExitCode(failure) }
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
    // So that what comes out of a pipe can be read as a session.
    if !editor.isInteractive { say("debug> \(line)", .plain) }
    // A history that can not be written is no reason to stop debugging.
    try? history?.append(line)
    do {
      let parsed = try DebuggerCommand.parse(line)
      return await perform(parsed.command, parsed.argument)
    } catch {
      switch error {
      case .unknown(let word, let suggestion):
        complain("there is no command \"\(word)\"", suggestion.map { "did you mean \($0)?" } ?? "help lists them")
      case .ambiguous(let word, let names):
        complain("\"\(word)\" could be \(names.joined(separator: ", "))")
      }
      return true
    }
  }

  private mutating func perform(_ command: DebuggerCommand, _ argument: String) async -> Bool {
    switch command {
    case .next:
      if case .end = stop { return !editor.isInteractive }
      await next()
    case .send: await send()
    case .continue:
      if case .end = stop { return !editor.isInteractive }
      await proceed(isFirst: false)
    case .edit: edit(argument)
    case .set: await set(argument)
    case .resend: await resend()
    case .skip: skip(argument)
    case .back: back(argument)
    case .goto: goto(argument)
    case .print: await print(argument)
    case .diff: difference(argument)
    case .lint: lint(argument)
    case .list: list()
    case .where: showWhere()
    case .break: addBreakpoint(argument)
    case .info: info()
    case .delete: deleteBreakpoint(argument)
    case .reload: reload()
    case .save: save(argument)
    case .help: help()
    case .quit: return false
    }
    return true
  }

  // MARK: What is said

  func complain(_ message: String, _ notes: String...) {
    errors.print(ErrorReport(message, notes: notes))
  }

  func say(_ text: String, _ style: StyledText.Style = .faint) {
    printer.result(StyledText("\(text)\n", style))
  }

  /// The names that steps can be called by.
  var labels: [String] {
    var labels: [String] = []
    for step in run.history.stepRecords { if let label = step.record.exchange?.label { labels.append(label) } }
    if let script { labels += script.parsed.stepLabels }
    return labels.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
