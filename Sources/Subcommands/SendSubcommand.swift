internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestSyntax
internal import Requests
package import Sessions
internal import UploaderCore

/// `workbench send`: one request, or a few, from the command line.
///
/// On a terminal each response is shown as at the prompt. Elsewhere, and with a file to write to, the body of the last
/// one is written byte for byte, and nothing else.
package struct SendSubcommand: Sendable {
  private let world: World
  private let isVerbose: Bool
  private let output: String?
  private let profile: String?

  /// - Parameters:
  ///   - output: the file that the body goes to; `-` is standard output.
  ///   - profile: where bare paths go.
  package init(world: World, isVerbose: Bool = false, output: String? = nil, profile: String? = nil) {
    self.world = world
    self.isVerbose = isVerbose
    self.output = output ?? (world.output.isTerminal ? nil : "-")
    self.profile = profile
  }

  /// - Parameter file: what the request is read from; `-` is standard input.
  package func run(file: String) async -> ExitCode {
    do throws(FileError) {
      return await run(String(decoding: try world.readFile(file), as: UTF8.self))
    } catch {
      ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// - Parameter text: as at the prompt: statements, or a curl line.
  package func run(_ text: String) async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let errors = ErrorPrinter(printer)
    var statement = text
    switch ForeignInput(text) {
    case .curl(let line)?:
      do {
        let command = try CurlCommand(line)
        printer.learn(command.secrets)
        statement = SyntaxPrinter.print(command.script)
      } catch {
        errors.print(error.report)
        return .usage
      }
    case .script(let script)?: statement = SyntaxPrinter.print(script)
    case .offline?, .hint?, .open?, nil: break
    }
    let amount: ReportAmount = output != nil ? .quiet : isVerbose ? .verbose : .body
    do throws(FileError) {
      if let output { try world.checkFile(output) }
    } catch {
      errors.print(ErrorReport("\(error)", notes: ["nothing was sent"]))
      return .file
    }
    let pipe = output == "-" ? world.bodyPipe : nil
    let reporter = SendReporter(
      printer, amount, isSilent: { pipe?.isUnread ?? false }, now: world.clock.now)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    let end = await runner.send(
      Parser.parse(SourceText(name: "<request>", text: statement)), profile: profile, keepsWholeBodies: output != nil,
      pipe: pipe)
    // Whoever read it had enough: that is no failure.
    if pipe?.isUnread ?? false { return .success }
    if let error = pipe?.error {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
    return pipe?.isUsed ?? false ? end.exitCode : write(end, errors)
  }

  private func write(_ end: RunEnd, _ errors: ErrorPrinter) -> ExitCode {
    guard let last = end.history.exchanges.last else {
      if end.exitCode != .success { return end.exitCode }
      errors.print(ErrorReport("there is no request to send", notes: ["workbench send 'GET https://example.com'"]))
      return .usage
    }
    guard let output, let exchange = end.error.map(\.exchange) ?? last else { return end.exitCode }
    do {
      try world.writeFile(output, exchange.response.body)
      return end.exitCode
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}

extension UploadError {
  /// The response that the failed step got nevertheless; what is done finally after it is not what was asked for.
  fileprivate var exchange: Exchange? {
    if case .expectations(_, let exchange) = fact { exchange } else { nil }
  }
}
