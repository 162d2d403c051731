internal import Diagnostics
public import LineEditing
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
internal import UploaderCore

/// `workbench debug`: a script under the debugger.
public struct DebugRun {
  private let world: World
  private let editor: any LineEditor
  private let history: History?
  private let secrets: KnownSecrets
  private let sequence: String?
  private let settings: [String: String]
  private let breakpoints: [String]

  /// - Parameters:
  ///   - history: where commands are kept; nil for input that nobody types.
  ///   - sequence: the sequence to run; nil: the file's own steps.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  ///   - breakpoints: as behind `b on`; with any, the run goes on to the first at once.
  public init(
    world: World, editor: any LineEditor, history: History? = nil, secrets: KnownSecrets = KnownSecrets(),
    sequence: String? = nil,
    settings: [String: String] = [:], breakpoints: [String] = []
  ) {
    self.world = world
    self.editor = editor
    self.history = history
    self.secrets = secrets
    self.sequence = sequence
    self.settings = settings
    self.breakpoints = breakpoints
  }

  public func run(file: String) async -> ExitCode {
    do {
      let script = try ScriptFile(file, in: world)
      return await run(DebuggedScript(script, sequence: sequence, settings: settings, moment: world.moment), in: world)
    } catch {
      ErrorPrinter(Printer(world, secrets: secrets)).print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// A recorded run: the debugger stands where it stopped, and has all its answers.
  ///
  /// - Parameter directory: where the store is; nil: the user's own.
  public func run(recorded reference: String, directory: String?) async -> ExitCode {
    let runs = StoredRuns(world: world, directory: directory)
    do {
      let store = try runs.open()
      let run = try store.run(reference)
      let recorded = try RecordedScript(try store.setup(of: run), settings: settings, in: world)
      let steps = try RecordedSteps(run, in: store)
      let script = DebuggedScript(
        recorded.script, sequence: recorded.sequence, settings: recorded.settings, moment: world.moment)
      return await self.run(script, in: world.beginningPaths(in: recorded.workingDirectory), recalling: steps)
    } catch let error as StoreError {
      runs.errors.print(ErrorReport("\(error)", notes: error.advice))
      return error.exitCode
    } catch {
      runs.errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  private func run(
    _ script: DebuggedScript, in world: World, recalling steps: RecordedSteps? = nil
  ) async -> ExitCode {
    var errors = ErrorPrinter(Printer(world, secrets: secrets))
    var stops: [Breakpoint] = []
    for text in breakpoints {
      guard let breakpoint = (try? Breakpoint(parsing: "on \(text)")) ?? (try? Breakpoint(parsing: text)) else {
        errors.print(
          ErrorReport("\"\(text)\" is nothing to stop at", notes: ["fail, status 4xx, origin-change, or a step"]))
        return .usage
      }
      stops.append(breakpoint)
    }
    do throws(DebuggedScript.Failure) {
      let start = try script.start(in: world, &errors)
      var debugger = StepDebugger(
        world: world, editor: editor, history: history, secrets: secrets, errors: errors, start: start, script: script)
      debugger.breakpoints = stops
      return await debugger.run(goesOn: !stops.isEmpty, recalling: steps)
    } catch {
      errors.print(error)
      return error.exitCode
    }
  }
}
