internal import Debugger
internal import Diagnostics
internal import Formats
package import LineEditing
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
package import Sessions
internal import Subcommands
internal import UploaderCore

/// `workbench debug`: a script under the debugger.
package struct DebugRun {
  private let world: World
  private let editor: any LineEditor
  private let history: History?
  private let secrets: KnownSecrets
  private let sequence: String?
  private let settings: GivenValues
  private let breakpoints: [String]
  private let recording: Recording
  private let directory: String?

  /// - Parameters:
  ///   - history: where commands are kept; nil for input that is not typed.
  ///   - sequence: the sequence to run; nil: the file's own steps.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  ///   - breakpoints: as after `b on`; with any, the run continues to the first immediately.
  ///   - recording: where what is sent is kept.
  ///   - directory: of the store of recorded runs; nil: the user's own.
  package init(
    world: World, editor: any LineEditor, history: History? = nil, secrets: KnownSecrets = KnownSecrets(),
    sequence: String? = nil,
    settings: GivenValues = [:], breakpoints: [String] = [], recording: Recording = .off,
    directory: String? = nil
  ) {
    var world = world
    world.replies = RememberedReplies()
    self.world = world
    self.editor = editor
    self.history = history
    self.secrets = secrets
    self.sequence = sequence
    self.settings = settings
    self.breakpoints = breakpoints
    self.recording = recording
    self.directory = directory
  }

  package func run(file: String) async -> ExitCode {
    do {
      let file = try ScriptFile(file, in: world)
      let options = ScriptOptions(sequence: sequence, settings: settings).taking(varsOf: file, in: world)
      return await run(DebuggedScript(file, options, moment: world.moment))
    } catch {
      ErrorPrinter(Printer(world, secrets: secrets)).print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// A sequence of a session at the prompt.
  ///
  /// - Parameters:
  ///   - session: with the call at its end.
  ///   - script: the same as a script of its own, or why there is none: then nothing is recorded.
  ///   - errors: has the texts of the session.
  func run(
    _ session: ProgramRequestSequence, as script: Result<SessionScript, SessionScript.Obstacle>, named name: String,
    _ errors: ErrorPrinter
  ) async -> ExitCode {
    var record: DebugRecord?
    do {
      let script = try script.get()
      let file = ScriptFile(source: SourceText(name: "<\(name)>", text: script.text), directory: "")
      let debugged = DebuggedScript(file, moment: world.moment)
      if script.missing.isEmpty { return await run(debugged) }
      if let store = try recording.store(in: world, { errors.note($0.sentence) }) {
        record = self.record(RunSetup(debugging: debugged, in: world), in: store)
        errors.note("to continue this after the session, set \(script.missing.joined(separator: ", "))")
      }
    } catch {
      errors.note("this is not recorded: \(error)")
    }
    var debugger = StepDebugger(
      world: world, editor: editor, history: nil, secrets: secrets, errors: errors, start: session, script: nil,
      breakpoints: [], record: record, directory: nil)
    return await debugger.run(goesOn: false)
  }

  private func run(_ script: DebuggedScript) async -> ExitCode {
    let errors = ErrorPrinter(Printer(world, secrets: secrets))
    do {
      guard let store = try recording.store(in: world, { errors.note($0.sentence) }) else {
        return await run(script, in: world)
      }
      let setup = RunSetup(debugging: script, in: world)
      if let unfinished = try Self.unfinished(setup, in: store) {
        switch try await offer(unfinished, in: store, errors) {
        case true?: return try await run(unfinished, in: store)
        case false?: break
        case nil: return .success
        }
      }
      return await run(script, in: world, record: record(setup, in: store))
    } catch let error as StoreError {
      errors.print(ErrorReport("\(error)", notes: error.advice + ["--no-record debugs it without a record"]))
      return error.exitCode
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// A recorded run: the debugger is where it stopped, and has all its responses.
  package func run(recorded reference: String) async -> ExitCode {
    let runs = StoredRuns(world: world, directory: directory)
    do {
      let store = try runs.open()
      return try await run(try store.run(reference), in: store)
    } catch let error as StoreError {
      runs.errors.print(ErrorReport("\(error)", notes: error.advice))
      return error.exitCode
    } catch {
      runs.errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// An unfinished run is continued; one that is over stays as it is.
  private func run(_ recorded: RecordedRun, in store: RunStore) async throws -> ExitCode {
    if let refusal = try store.refusalOfSuite(recorded, of: "debug --run") {
      ErrorPrinter(Printer(world, secrets: secrets)).print(refusal)
      return refusal.exitCode
    }
    let setup = try store.setup(of: recorded)
    let recordedScript = try RecordedScript(setup, settings: settings, in: world)
    for name in recordedScript.missingSettings {
      ErrorPrinter(Printer(world, secrets: secrets)).note(
        "\(name) had been set to a secret, which is not kept: set \(name) = … sets it again")
    }
    if let notice = recordedScript.notice {
      ErrorPrinter(Printer(world, secrets: secrets)).note(notice.sentence)
    }
    let script = DebuggedScript(recordedScript, moment: world.moment)
    let steps = try RecordedSteps(recorded, in: store)
    let directory = setup.script.directory ?? world.workingDirectory
    let world = world.beginningPaths(in: directory).using(recordedScript.environments)
      .meaning(in: recordedScript.language)
    var record: DebugRecord?
    if !recording.isOff {
      switch recorded.state {
      case .open, .failed:
        record = try DebugRecord(
          takingUp: recorded, setup, in: store, clock: world.clock,
          storeOption: recording.storeOption + world.outsideOptions)
      case .done, .abandoned:
        record = self.record(
          RunSetup(debugging: script, in: world), after: recorded, in: store)
      }
    }
    return await run(script, in: world, recalling: steps, record: record)
  }

  private func record(_ setup: RunSetup, after origin: RecordedRun? = nil, in store: RunStore) -> DebugRecord {
    DebugRecord(
      setup, in: store, clock: world.clock, after: origin, storeOption: recording.storeOption + world.outsideOptions)
  }

  // MARK: Unfinished runs

  /// The last run of this script in the debugger, if it has something left to do.
  private static func unfinished(_ setup: RunSetup, in store: RunStore) throws(StoreError) -> RecordedRun? {
    for run in try store.runs(limit: 200) where run.kind == RunSetup.debuggedKind {
      guard try store.setup(of: run).isBegun(as: setup) else { continue }
      return run.isResumable ? run : nil
    }
    return nil
  }

  /// Reports what there is, and asks the user if there is a terminal.
  ///
  /// - Returns: whether to continue there; nil: to do nothing at all.
  private func offer(
    _ run: RecordedRun, in store: RunStore, _ errors: ErrorPrinter
  ) async throws(StoreError) -> Bool? {
    let steps = try RecordedSteps(run, in: store)
    let responses = "\(steps.responseCount) \(steps.responseCount == 1 ? "response" : "responses")"
    let begun = NumberFormat.age(world.clock.now() - run.created)
    let undecided = steps.undecided.map(\.name)
    errors.note("run \(run.id) of this script is not finished: begun \(begun), \(responses)")
    for name in undecided { errors.note("\(name) was sent, and no response came") }
    guard editor.isInteractive else {
      errors.note(
        "workbench debug --run \(run.id)\(recording.storeOption)\(world.outsideOptions) continues there; this is a new run"
      )
      return false
    }
    while true {
      switch await editor.readLine(prompt: "continue there? nothing is resent without asking [Y/n] ") {
      case .line(let text):
        switch text.lowercased().first(where: { !$0.isWhitespace }) {
        case nil, "y": return true
        case "n": return false
        default: continue
        }
      case .interrupted, .endOfInput: return nil
      }
    }
  }

  private func run(
    _ script: DebuggedScript, in world: World, recalling steps: RecordedSteps? = nil, record: DebugRecord? = nil
  ) async -> ExitCode {
    var errors = ErrorPrinter(Printer(world, secrets: secrets))
    var stops: [Breakpoint] = []
    for text in breakpoints {
      guard let breakpoint = (try? Breakpoint(parsing: "on \(text)")) ?? (try? Breakpoint(parsing: text)) else {
        errors.print(
          ErrorReport(
            "\"\(text)\" is not something to stop at",
            notes: [(Breakpoint.events + ["or a step"]).joined(separator: ", ")]))
        return .usage
      }
      stops.append(breakpoint)
    }
    do throws(RunRefusal) {
      let start = try script.start(in: world, report: { errors.on($0) })
      var debugger = StepDebugger(
        world: world, editor: editor, history: history, secrets: secrets, errors: errors, start: start, script: script,
        breakpoints: stops, record: record, directory: directory)
      return await debugger.run(goesOn: !stops.isEmpty, recalling: steps)
    } catch {
      errors.print(error)
      return error.exitCode
    }
  }
}
