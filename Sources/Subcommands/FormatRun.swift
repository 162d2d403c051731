internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestSyntax
internal import Requests
package import Sessions

/// Rewrites scripts in the canonical style.
package struct FormatRun: Sendable {
  private let world: World
  private let onlyChecks: Bool
  private let printer: Printer

  /// - Parameter onlyChecks: lists the files that are not in the style, and changes none.
  package init(world: World, onlyChecks: Bool = false) {
    self.world = world
    self.onlyChecks = onlyChecks
    printer = Printer(world, secrets: KnownSecrets())
  }

  /// - Parameter files: rewritten in place, if they change; what comes from standard input (`-`) goes to the output.
  /// - Returns: `failed` if a file is not in the style and only checked, `usage` if one has a syntax error, `file` if
  ///   one cannot be read or written.
  package func run(files: [String]) -> ExitCode {
    files.reduce(.success) { code, file in
      let found = format(file)
      return code == .success ? found : code
    }
  }

  private func format(_ file: String) -> ExitCode {
    let errors = ErrorPrinter(printer)
    do {
      let source = try ScriptFile(file, in: world).source
      let parsed = Parser.parse(source)
      guard parsed.errors.isEmpty else {
        errors.print(parsed.diagnostics)
        return .usage
      }
      let formatted = Array(SyntaxPrinter.format(parsed.script).utf8)
      let isFormatted = formatted == source.bytes
      if onlyChecks {
        if isFormatted { return .success }
        printer.result(StyledText("\(source.name)\n"))
        return .failed
      }
      if file == "-" {
        world.output.write(String(decoding: formatted, as: UTF8.self))
      } else if !isFormatted {
        try world.replaceFile(file, formatted)
      }
      return .success
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}
