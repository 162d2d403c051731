internal import Diagnostics
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Synchronization
internal import UploaderCore

/// A plain run of a script: every step, until one fails, or all the same.
public struct ScriptRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let sequence: String?
  private let settings: [String: String]
  private let keepsGoing: Bool
  private let secrets = KnownSecrets()
  private let printer: Printer

  /// - Parameters:
  ///   - sequence: the sequence to run; nil: the file's own steps.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  ///   - keepsGoing: whether a step that fails does not end its block.
  public init(
    world: World, verbosity: Verbosity = .normal, sequence: String? = nil, settings: [String: String] = [:],
    keepsGoing: Bool = false
  ) {
    self.world = world
    self.verbosity = verbosity
    self.sequence = sequence
    self.settings = settings
    self.keepsGoing = keepsGoing
    printer = Printer(world, secrets: secrets)
  }

  /// Runs the file; `-` is standard input, whose relative paths begin in the working directory.
  public func run(file: String) async -> ExitCode {
    var errors = ErrorPrinter(printer)
    let script: ScriptFile
    do {
      script = try ScriptFile(file, in: world)
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
    errors.know(script.source)

    var program = Program(readFile: world.readUsedFile)
    let diagnostics = program.add(Parser.parse(script.source), directory: script.directory)
    for source in program.usedSources { errors.know(source) }
    errors.print(diagnostics)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return .usage }
    if sequence == nil, !program.hasSteps {
      let names = program.sequenceNames
      errors.print(
        ErrorReport(
          "\(file) has no step to run",
          notes: names.isEmpty ? [] : ["name one of its sequences: \(names.joined(separator: ", "))"]))
      return .usage
    }
    do {
      var steps = try ProgramRequestSequence(
        program, environment: world.programEnvironment, settings: settings, running: sequence, at: world.moment)
      steps.goesOnAfterFailure = keepsGoing
      return await run(SequenceRun(steps), errors)
    } catch {
      errors.print(UploadError(.sequence(error)))
      return ExitCode(UploadError(.sequence(error)), beforeFirstStep: true)
    }
  }

  /// What is wrong with an upload, if that is why the step failed.
  private func lint(_ error: UploadError, in run: SequenceRun<ProgramRequestSequence>) {
    switch error.fact {
    case .group(let errors): for error in errors { lint(error, in: run) }
    case .expectations(_, let exchange):
      printer.error(UploadDiagnosis(exchanges: run.exchanges).cause(of: exchange))
    case .sequence, .transport:
      printer.error(UploadDiagnosis(exchanges: run.exchanges).cause(of: nil))
    case .profile, .unsaved, .secretRefused, .cancelled: break
    }
  }

  private func run(_ start: SequenceRun<ProgramRequestSequence>, _ errors: ErrorPrinter) async -> ExitCode {
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    let steps = StepPrinter(printer, verbosity)
    // Steps of a group end at once, and are printed one after another.
    let printing = Mutex(())
    let uploader = Uploader(
      transport: world.transport, clock: world.clock, makeBoundary: world.makeBoundary, writeFile: world.writeFile,
      observe: { event in
        progress.observe(event)
        switch event {
        case .secrets(let found): printer.learn(found)
        case .step(let record, _):
          progress.clear()
          printing.withLock { _ in steps.print(record) }
        case .asked, .sending, .progress, .retrying, .redirected, .received: break
        }
      },
      report: { error in
        progress.clear()
        printing.withLock { _ in
          if case .expectations(let unmet, let exchange) = error.fact {
            steps.print(exchange, number: exchange.description.head.number, unmet: unmet)
          } else {
            steps.printUnanswered(error, message: errors.message(error))
          }
          errors.print(error)
        }
      })
    printer.learn(start.sequence.secrets)
    var run = start
    var failure: UploadError?
    while true {
      let before = run
      let step = await world.interrupts.withCancellation { await StepOutcome(of: before, by: uploader) }
      run = step.run
      switch step.result {
      case .success(nil): return failure.map { ExitCode($0) } ?? .success
      case .success: continue
      // What is to be done finally comes after it.
      case .failure(let error):
        failure = failure ?? error
        lint(error, in: run)
        if ExitCode(error) == .interrupted {
          failure = error
          run.changeSequences { $0.goesOnAfterFailure = false }
        }
      }
    }
  }
}
