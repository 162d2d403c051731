internal import Diagnostics
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import UploaderCore

/// One request, or a few, from the command line: `workbench send 'POST https://… name=x'`.
///
/// On a terminal each answer is shown as at the prompt. Elsewhere, and with a file to write to, the body of the last
/// one comes out byte for byte, and nothing else.
public struct SendRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let output: String?
  private let profile: String?
  private let secrets = KnownSecrets()
  private let printer: Printer

  /// - Parameters:
  ///   - output: the file that the body goes to; `-` is standard output.
  ///   - profile: where bare paths go.
  public init(world: World, isVerbose: Bool = false, output: String? = nil, profile: String? = nil) {
    self.world = world
    verbosity = isVerbose ? .verbose : .prompt
    self.output = output ?? (world.output.isTerminal ? nil : "-")
    self.profile = profile
    printer = Printer(world, secrets: secrets)
  }

  /// - Parameter file: what the request is read from; `-` is standard input.
  public func run(file: String) async -> ExitCode {
    do throws(FileError) {
      return await run(String(decoding: try world.readFile(file), as: UTF8.self))
    } catch {
      ErrorPrinter(printer).print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// - Parameter text: as at the prompt: statements, or a curl line.
  public func run(_ text: String) async -> ExitCode {
    var errors = ErrorPrinter(printer)
    var statement = text
    if text.hasPrefix("curl ") {
      do {
        let command = try CurlCommand(text)
        printer.learn(command.secrets)
        statement = command.statement
      } catch {
        errors.print(error.report)
        return .usage
      }
    } else if case .statement(let meant)? = Habit(text) {
      statement = meant
    }
    var sequence = ProgramRequestSequence(promptIn: world.programEnvironment, readFile: world.readUsedFile)
    let sources = ownProfiles + [(Parser.parse(SourceText(name: "<request>", text: statement)), "")]
    for (parsed, directory) in sources {
      errors.know(parsed.source)
      let diagnostics = sequence.append(parsed, directory: directory, mayRunCommands: true, at: world.moment)
      for source in sequence.program.usedSources { errors.know(source) }
      errors.print(diagnostics)
      guard !diagnostics.contains(where: { $0.severity == .error }) else { return .usage }
    }
    if let profile {
      guard sequence.profiles?[profile] != nil else {
        let known = sequence.profiles?.all.map(\.name) ?? []
        errors.print(UploadError(.profile(.unknown(profile, known: known))))
        return .usage
      }
      sequence.currentProfile = profile
    }
    return await run(SequenceRun(sequence), errors)
  }

  private var ownProfiles: [(ParsedScript, String)] {
    guard let path = world.ownProfiles, let file = try? ScriptFile(path, in: world) else { return [] }
    var parsed = Parser.parse(file.source)
    parsed.script.statements.removeAll { !$0.isDeclaration }
    return [(parsed, file.directory)]
  }

  private func run(_ start: SequenceRun<ProgramRequestSequence>, _ errors: ErrorPrinter) async -> ExitCode {
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    var uploader = Uploader(
      transport: world.transport, clock: world.clock, makeBoundary: world.makeBoundary, writeFile: world.writeFile,
      observe: { [printer] event in
        progress.observe(event)
        if case .secrets(let found) = event { printer.learn(found) }
      })
    uploader.keepsWholeBodies = output != nil
    let performer = uploader
    var run = start
    var code: ExitCode?
    while true {
      printer.learn(run.sequence.secrets)
      let before = run
      let step = await world.interrupts.withCancellation { await StepOutcome(of: before, by: performer) }
      progress.clear()
      run = step.run
      switch step.result {
      case .success(nil):
        if let code { return code }
        if let last = run.lastExchange { return write(last, errors) ?? .success }
        errors.print(ErrorReport("there is no request to send", notes: ["workbench send 'GET https://example.com'"]))
        return .usage
      case .success(.some(let record)):
        if let exchange = record.exchange { show(exchange, number: run.exchanges.count) }
      case .failure(let error):
        code = code ?? ExitCode(error, beforeFirstStep: run.exchanges.isEmpty)
        if case .expectations(let unmet, let exchange) = error.fact {
          show(exchange, number: run.exchanges.count, unmet: unmet)
          code = write(exchange, errors) ?? code
        }
        errors.print(error)
      }
    }
  }

  private func show(_ exchange: Exchange, number: Int, unmet: [UnmetExpectation] = []) {
    if output == nil { StepPrinter(printer, verbosity).print(exchange, number: number, unmet: unmet) }
  }

  /// - Returns: nil if all is well.
  private func write(_ exchange: Exchange, _ errors: ErrorPrinter) -> ExitCode? {
    guard let output else { return nil }
    do {
      try world.writeFile(output, exchange.response.body)
      return nil
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}
