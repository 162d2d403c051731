internal import Diagnostics
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests

/// Finds what is wrong with scripts, without a request.
public struct CheckRun: Sendable {
  private let world: World

  public init(world: World) {
    self.world = world
  }

  /// Prints what is found, nothing if nothing is.
  ///
  /// - Parameter files: `-` is standard input.
  /// - Returns: `usage` if any of them has an error, `file` if one can not be read; warnings are no errors.
  public func run(files: [String]) -> ExitCode {
    files.reduce(.success) { code, file in
      let found = check(file)
      return code == .success ? found : code
    }
  }

  private func check(_ file: String) -> ExitCode {
    let errors = ErrorPrinter(Printer(world, secrets: KnownSecrets()))
    do {
      let script = try ScriptFile(file, in: world)
      var program = Program(readFile: world.readUsedFile)
      let found = program.add(Parser.parse(script.source), directory: script.directory)
      errors.print(found)
      return found.contains { $0.severity == .error } ? .usage : .success
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}
