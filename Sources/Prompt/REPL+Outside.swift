internal import Formats
internal import Imports
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Sessions
internal import UploaderCore

/// What comes from files that are not scripts, and from the command line.
extension REPL {
  /// What the prompt was opened with: after the user's own profiles, before anything is typed.
  mutating func takeGiven() async {
    for file in world.environments {
      await perform(Parser.parse(file.source), directory: file.directory, isOwn: false)
    }
    guard !given.isEmpty else { return }
    do throws(ProgramError) {
      await perform(try ScriptLoader.declarations(of: given, in: run.sequence))
    } catch {
      isFailed = true
      errors.print(UploadError(.sequence(error)))
    }
  }

  /// A map of names and values: each name is declared, as `let` does.
  mutating func loadValues(_ path: String) async {
    do throws(OutsideFileError) {
      let values = try ValueFile(path, in: world).values
      let named = Dictionary(values.members.map { ($0.key, $0.value) }) { $1 }
      let parsed = ScriptLoader.declarations(of: named, named: "<\(path)>")
      await perform(parsed)
      let taken = parsed.script.statements.compactMap(\.declaredName)
      printer.result(StyledText("\(taken.isEmpty ? "no names" : taken.joined(separator: ", "))\n", .faint))
      let others = values.keys.filter { !taken.contains($0) }.sorted().prefix(8).map { "\"\($0)\"" }
      if !others.isEmpty {
        errors.note("left out, because no name is written like that: \(others.joined(separator: ", "))")
      }
    } catch {
      fail(ErrorReport(error.message, notes: error.advice))
    }
  }

  /// `$env` has these from now on, where the environment does not.
  ///
  /// - Returns: whether it has; what is wrong is reported.
  mutating func see(_ variables: [String: String]) -> Bool {
    if variables.isEmpty { return true }
    var world = world
    world.fileVariables.merge(variables) { $1 }
    do throws(ProgramError) {
      try run.sequence.see(variables: world.variables, at: world.moment)
    } catch {
      isFailed = true
      errors.print(UploadError(.sequence(error)))
      return false
    }
    self.world = world
    printer.learn(run.sequence.secrets)
    return true
  }

  /// Lines of `NAME=value`: `$env` has them, where the environment does not.
  mutating func loadVariables(_ path: String) {
    let file: VariableFile
    do throws(OutsideFileError) {
      file = try VariableFile(path, in: world)
    } catch {
      return fail(ErrorReport(error.message, notes: error.advice))
    }
    guard see(file.variables) else { return }
    let names = file.variables.keys.sorted().map { world.environment[$0] == nil ? $0 : "\($0) (from the environment)" }
    printer.result(StyledText("\(names.isEmpty ? "no variables" : names.joined(separator: ", "))\n", .faint))
  }
}
