internal import Diagnostics
internal import Formats
internal import Imports
internal import Presentation
internal import RequestSyntax
internal import Requests
package import Sessions

/// Writes scripts as other tools take them, without sending anything.
package struct ExportRun: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case curl, hurl
  }

  private let world: World
  private let format: Format

  package init(world: World, format: Format) {
    self.world = world
    self.format = format
  }

  /// - Returns: `remarks` if something is different, `usage` if something was left out, or the script is wrong.
  package func run(file: String) -> ExitCode {
    let errors = ErrorPrinter(Printer(world, secrets: KnownSecrets()))
    do throws(FileError) {
      let script = try ScriptFile(file, in: world)
      let parsed = script.parsed
      guard parsed.errors.isEmpty else {
        errors.print(parsed.diagnostics)
        return .usage
      }
      let (text, notes): (String, [ImportNote])
      switch format {
      case .curl:
        let export = CurlExport(parsed.script)
        (text, notes) = (export.text, export.notes)
      case .hurl:
        let export = HurlExport(parsed.script)
        (text, notes) = (export.text, export.notes)
      }
      errors.print(notes.map { $0.diagnostic(in: parsed.source) })
      world.output.write(text)
      return notes.contains { $0.grade == .refused } ? .usage : notes.isEmpty ? .success : .remarks
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}
