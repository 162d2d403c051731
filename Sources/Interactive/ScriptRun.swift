internal import Diagnostics
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

  /// Runs the file; `-` is standard input.
  public func run(file: String) async -> ExitCode {
    var errors = ErrorPrinter(printer)
    let source: SourceText
    do {
      source = SourceText(name: file == "-" ? "<stdin>" : file, bytes: try world.readFile(file))
    } catch {
      errors.print(.init(ErrorReport.sentence(error)))
      return error.isMissing ? .usage : .file
    }
    errors.know(source)
    return .success
  }
}
