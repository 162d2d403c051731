internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import Synchronization
internal import UploaderCore

/// A plain run of a script: every step, until one fails, or all the same.
public struct ScriptRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let sequence: String?
  private let settings: [String: String]
  private let keepsGoing: Bool
  private let recording: Recording
  private let printer: Printer

  /// - Parameters:
  ///   - sequence: the sequence to run; nil: the file's own steps.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  ///   - keepsGoing: whether a step that fails does not end its block.
  ///   - recording: where what it does is kept, so that it can go on where it stopped.
  ///   - secrets: of whoever says something about this run beside it.
  public init(
    world: World, verbosity: Verbosity = .normal, sequence: String? = nil, settings: [String: String] = [:],
    keepsGoing: Bool = false, recording: Recording = .off, secrets: KnownSecrets = KnownSecrets()
  ) {
    self.world = world
    self.verbosity = verbosity
    self.sequence = sequence
    self.settings = settings
    self.keepsGoing = keepsGoing
    self.recording = recording
    printer = Printer(world, secrets: secrets)
  }

  /// Runs the file; `-` is standard input, whose relative paths begin in the working directory.
  public func run(file: String) async -> ExitCode {
    do {
      return await run(try ScriptFile(file, in: world)).code
    } catch {
      ErrorPrinter(printer).print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// How a run ended.
  struct End: Error {
    let code: ExitCode
    /// What ended it, if it was a step.
    var error: UploadError?
  }

  func run(_ script: ScriptFile) async -> End {
    var errors = ErrorPrinter(printer)
    do throws(End) {
      let steps = try steps(of: script, &errors)
      let journal: RunJournal?
      do {
        journal = try recording.begin(setup(of: script), secrets: steps.secrets, in: world, errors)
      } catch {
        errors.print(ErrorReport("\(error)", notes: ["--no-record runs it without a record"]))
        return End(code: .file)
      }
      let start = SequenceRun(steps)
      let end = await world.interrupts.holding { await run(start, journal, errors) }
      if let journal { finish(journal, end, errors) }
      return end
    } catch {
      return error
    }
  }

  /// What is kept of the script and its settings, for running it later, and the secrets that it declares. What is wrong
  /// with it is told.
  func queuedSetup(file: String) throws(End) -> (setup: RunSetup, secrets: Set<Secret>) {
    var errors = ErrorPrinter(printer)
    let script: ScriptFile
    do throws(FileError) {
      script = try ScriptFile(file, in: world)
    } catch {
      errors.print(ErrorReport("\(error)"))
      throw End(code: .file)
    }
    let steps = try steps(of: script, &errors)
    var setup = setup(of: script)
    var parameters = setup.parameters.object ?? [:]
    parameters["is-queued"] = true
    setup.parameters = .object(parameters)
    return (setup, steps.secrets)
  }

  private func setup(of script: ScriptFile) -> RunSetup {
    RunSetup(
      script, sequence: sequence, settings: settings, keepsGoing: keepsGoing, workingDirectory: world.workingDirectory)
  }

  /// The script's steps, if it holds. What is wrong with it is told.
  private func steps(of script: ScriptFile, _ errors: inout ErrorPrinter) throws(End) -> ProgramRequestSequence {
    errors.know(script.source)
    var program = Program(readFile: world.readUsedFile)
    let diagnostics = program.add(Parser.parse(script.source), directory: script.directory)
    for source in program.usedSources { errors.know(source) }
    errors.print(diagnostics)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { throw End(code: .usage) }
    if sequence == nil, !program.hasSteps {
      let names = program.sequenceNames
      errors.print(
        ErrorReport(
          "\(script.source.name) has no step to run",
          notes: names.isEmpty ? [] : ["name one of its sequences: \(names.joined(separator: ", "))"]))
      throw End(code: .usage)
    }
    do {
      var steps = try ProgramRequestSequence(
        program, environment: world.programEnvironment, settings: settings.mapValues(Setting.text), running: sequence,
        at: world.moment)
      steps.goesOnAfterFailure = keepsGoing
      printer.learn(steps.secrets)
      return steps
    } catch {
      guard error.isFromOutside else {
        errors.print(UploadError(.sequence(error)))
        throw End(code: ExitCode(UploadError(.sequence(error)), beforeFirstStep: true))
      }
      let diagnostic = error.diagnostic
      errors.print(ErrorReport(diagnostic.message, notes: [diagnostic.label].compactMap(\.self) + diagnostic.notes))
      throw End(code: .usage)
    }
  }

  /// The last line of a run that did not end well says how to go on.
  private func finish(_ journal: RunJournal, _ end: End, _ errors: ErrorPrinter) {
    do {
      // The journal knows the secrets of the steps that it was told of, and not of one that could not be prepared.
      let reason = end.error.map { printer.secrets.redact(errors.message($0)) } ?? "it failed"
      try journal.end(failure: end.code == .success ? nil : reason)
    } catch {
      errors.note("the end of this run is not recorded: \(error)")
    }
    if end.code != .success, let command = recording.resumeCommand(journal) { errors.note("go on with: \(command)") }
  }

  /// What is wrong with an upload, if that is why the step failed.
  ///
  /// - Parameter told: what was said already.
  private func lint(
    _ error: UploadError, in run: SequenceRun<ProgramRequestSequence>, _ told: inout Set<StyledText>
  ) {
    func tell(_ cause: StyledText) {
      if told.insert(cause).inserted { printer.error(cause) }
    }
    switch error.fact {
    case .group(let errors): for error in errors { lint(error, in: run, &told) }
    case .expectations(_, let exchange):
      tell(UploadDiagnosis(exchanges: run.exchanges).cause(of: exchange))
    case .sequence, .transport:
      tell(UploadDiagnosis(exchanges: run.exchanges).cause(of: nil))
    case .profile, .unsaved, .secretRefused, .framing, .journal, .cancelled: break
    }
  }

  private func run(
    _ start: SequenceRun<ProgramRequestSequence>, _ journal: RunJournal?, _ errors: ErrorPrinter
  ) async -> End {
    let recalled = RecalledSteps()
    let progress = ProgressDisplay(
      output: recording.isQueued ? .nowhere : world.errorOutput, now: world.clock.now)
    let steps = StepPrinter(printer, verbosity)
    let causes = ToldCauses()
    // Steps of a group end at once, and are printed one after another.
    let printing = Mutex(())
    let uploader = Uploader(
      transport: world.transport, journal: journal ?? recording.replay, clock: world.clock,
      makeBoundary: world.makeBoundary, writeFile: world.writeFile,
      observe: { event in
        progress.observe(event)
        switch event {
        case .secrets(let found): printer.learn(found)
        case .recalled(_, let position): recalled.insert(position)
        case .step(let record, let position):
          progress.clear()
          printing.withLock { _ in steps.print(record, isRecorded: recalled.contain(position)) }
        case .asked, .sending, .progress, .group, .retrying, .redirected, .received: break
        }
      },
      report: { error in
        progress.clear()
        printing.withLock { _ in
          let message = errors.message(error)
          let isNew = causes.insert(error, message)
          if case .expectations(let unmet, let exchange) = error.fact {
            steps.print(exchange, number: exchange.description.head.number, unmet: unmet, isBrief: !isNew)
          } else {
            steps.printUnanswered(error, message: message)
          }
          if isNew { errors.print(error) }
        }
      })
    printer.learn(start.sequence.secrets)
    var run = start
    var failure: UploadError?
    var told: Set<StyledText> = []
    defer { for repetition in causes.repetitions { errors.note(repetition) } }
    while true {
      let before = run
      let outcome = await world.interrupts.withCancellation { await StepOutcome(ofAll: before, by: uploader) }
      run = outcome.run
      switch outcome.result {
      case .success: return End(code: failure.map { ExitCode($0) } ?? .success, error: failure)
      // Where the journal does not let it go on, the run stands still: nothing is to be undone.
      case .failure(let error) where error.isFromJournal:
        return End(code: ExitCode(error.refusal ?? error), error: error)
      // What is to be done finally comes after it.
      case .failure(let error):
        failure = failure ?? error
        lint(error, in: run, &told)
        if ExitCode(error) == .interrupted {
          failure = error
          run.changeSequences { $0.goesOnAfterFailure = false }
        }
      }
    }
  }
}
