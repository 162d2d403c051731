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
    let source: SourceText
    do {
      source = SourceText(name: file == "-" ? "<stdin>" : file, bytes: try world.readFile(file))
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
    errors.know(source)

    var program = Program()
    let diagnostics = program.add(Parser.parse(source), directory: file == "-" ? "" : Self.directory(of: file))
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
        steps.print(exchange, number: run.exchanges.count)
      case .success(.skipped(let label, let reason)):
        steps.printSkipped(label: label, reason: reason)
      case .failure(let error):
        if case .expectations(_, let exchange) = error.fact {
          steps.print(exchange, number: run.exchanges.count, failed: true)
        }
        errors.print(error)
        return ExitCode(error)
      }
    }
  }

  /// Where the relative paths of a script begin: beside it.
  static func directory(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "" }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }
}
