internal import Diagnostics
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import UploaderCore

/// A plain run of a script: every step, until one fails.
public struct ScriptRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let sequence: String?
  private let settings: [String: String]
  private let secrets = KnownSecrets()
  private let printer: Printer

  /// - Parameters:
  ///   - sequence: the sequence to run; nil: the file's own steps.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  public init(world: World, verbosity: Verbosity = .normal, sequence: String? = nil, settings: [String: String] = [:]) {
    self.world = world
    self.verbosity = verbosity
    self.sequence = sequence
    self.settings = settings
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

    var program = Program()
    let diagnostics = program.add(Parser.parse(script.source), directory: script.directory)
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
      let steps = try ProgramRequestSequence(
        program, environment: world.programEnvironment, settings: settings, running: sequence)
      return await run(SequenceRun(steps), errors)
    } catch {
      errors.print(UploadError(.sequence(error)))
      return ExitCode(UploadError(.sequence(error)), beforeFirstStep: true)
    }
  }

  private func run(_ start: SequenceRun<ProgramRequestSequence>, _ errors: ErrorPrinter) async -> ExitCode {
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    let uploader = Uploader(
      transport: world.transport, clock: world.clock, makeBoundary: world.makeBoundary, observe: progress.observe)
    let steps = StepPrinter(printer, verbosity)
    var run = start
    while true {
      secrets.learn(run.sequence.secrets)
      let before = run
      let step = await world.interrupts.withCancellation { await StepOutcome(of: before, by: uploader) }
      progress.clear()
      run = step.run
      secrets.learn(run.sequence.secrets)
      switch step.result {
      case .success(nil):
        return .success
      case .success(.exchange(let exchange)):
        // Of a step that repeats, its last round stands for all.
        if verbosity == .verbose || !run.sequence.repeats(after: exchange) {
          steps.print(exchange, number: exchange.description.head.number)
        }
      case .success(.skipped(let label, let reason)):
        steps.printSkipped(label: label, reason: reason)
      case .failure(let error):
        if case .expectations(let unmet, let exchange) = error.fact {
          steps.print(exchange, number: exchange.description.head.number, unmet: unmet)
        } else {
          steps.printUnanswered(error, message: errors.message(error))
        }
        errors.print(error)
        return ExitCode(error)
      }
    }
  }
}
