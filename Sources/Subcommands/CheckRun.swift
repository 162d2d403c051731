internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
package import Sessions
internal import Synchronization

/// Finds what is wrong with scripts, without sending anything.
package struct CheckRun: Sendable {
  private let world: World
  /// What was checked last stays until the process is gone: to take large trees apart takes a third of the time.
  private static let last = Mutex<(ParsedScript, Checked<Program>)?>(nil)

  package init(world: World) {
    self.world = world
  }

  /// Prints what is found, nothing if nothing is.
  ///
  /// - Parameter files: `-` is standard input; a directory stands for the scripts below it.
  /// - Returns: `usage` if any of them has an error, `file` if one cannot be read; warnings are not errors.
  package func run(files: [String]) -> ExitCode {
    var looked: [Int] = []
    let code = files.reduce(ExitCode.success) { code, file in
      let found = check(all: file) { looked.append($0) }
      return code == .success ? found : code
    }
    // Whoever looks on sees what was looked at; a program is told nothing.
    if world.output.isTerminal, !looked.isEmpty, looked.allSatisfy({ $0 == 0 }) {
      let text =
        looked.count == 1 && files.count == 1 ? files[0] : "\(looked.count) file\(looked.count == 1 ? "" : "s")"
      Printer(world, secrets: KnownSecrets()).result(StyledText("\(text): no problems found\n", .faint))
    }
    return code
  }

  /// The same for one file, whose reader is also told that nothing was found.
  package func run(file: String) -> (code: ExitCode, isSpotless: Bool) {
    var isSpotless = true
    let code = check(file, directories: false) { isSpotless = $0 == 0 } ?? .file
    return (code, code == .success && isSpotless)
  }

  /// - Parameter count: gets how much was found in each file.
  private func check(all argument: String, count: (Int) -> Void) -> ExitCode {
    if let code = check(argument, count: count) { return code }
    let files = SuiteFiles(in: world).scripts(below: argument)
    guard !files.isEmpty else {
      ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(
        ErrorReport("there is no script in \"\(argument)\"", notes: ["scripts are the files that end in .wb or .hurl"]))
      return .file
    }
    return files.reduce(.success) { code, file in
      let found = check(file, directories: false, count: count) ?? .file
      return code == .success ? found : code
    }
  }

  /// - Parameter directories: whether it may be one.
  /// - Returns: nil if it is a directory.
  private func check(_ file: String, directories: Bool = true, count: (Int) -> Void) -> ExitCode? {
    let printer = Printer(world, secrets: KnownSecrets())
    do {
      let script = try ScriptFile(file, in: world)
      let isOwn = RunSetup.absolute(file, in: world.workingDirectory) == world.ownProfiles
      let loader = ScriptLoader(world)
      if loader.isSpotless(script, isOwn: isOwn) {
        count(0)
        return .success
      }
      let parsed = script.parsed
      let checked = loader.check(parsed, directory: script.directory, isOwn: isOwn, looksForFiles: true)
      Self.last.withLock { $0 = (parsed, checked) }
      var errors = ErrorPrinter(printer)
      errors.print(checked)
      count(checked.diagnostics.count)
      return checked.value == nil ? .usage : .success
    } catch {
      if directories, error.isOfDirectory { return nil }
      ErrorPrinter(printer).print(ErrorReport("\(error)"))
      return .file
    }
  }
}
