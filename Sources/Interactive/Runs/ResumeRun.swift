internal import Diagnostics
internal import HTTPTypes
internal import Presentation
internal import Requests
public import RunStore
internal import UploaderCore

/// Goes on with a recorded run where it stopped.
public struct ResumeRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let directory: String?
  private let runs: StoredRuns
  /// Asks whoever sits at the terminal; nil: nobody does.
  private let ask: (@Sendable (_ question: String) -> String?)?

  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - ask: asks whoever sits at the terminal; nil: nobody does.
  public init(
    world: World, verbosity: Verbosity = .normal, directory: String?, ask: (@Sendable (String) -> String?)? = nil
  ) {
    self.world = world
    self.verbosity = verbosity
    self.directory = directory
    self.ask = ask
    runs = StoredRuns(world: world, directory: directory)
  }

  /// - Parameter settings: they replace those of the run.
  public func run(
    _ reference: String, options: ResumeOptions = ResumeOptions(), settings: [String: String] = [:]
  ) async -> ExitCode {
    let store: RunStore
    let run: RecordedRun
    let recorded: RecordedScript
    do {
      store = try runs.open()
      run = try store.run(reference)
      guard run.kind == "script" else {
        runs.errors.print(ErrorReport("run \(run.id) is not a script's: only the program that made it goes on with it"))
        return .usage
      }
      switch run.state {
      case .done:
        runs.errors.note("run \(run.id) is done: nothing is left to do")
        return .success
      case .abandoned:
        runs.errors.print(ErrorReport("run \(run.id) was given up", notes: ["run the script anew"]))
        return .usage
      case .open, .failed: break
      }
      recorded = try RecordedScript(try store.setup(of: run), settings: settings, in: world)
    } catch let error as StoreError {
      runs.errors.print(ErrorReport("\(error)", notes: error.advice))
      return error.exitCode
    } catch {
      runs.errors.print(ErrorReport("\(error)"))
      return .file
    }
    if !recorded.missingSettings.isEmpty {
      runs.errors.print(
        ErrorReport(
          "what was set is a secret, which is not kept: \(recorded.missingSettings.joined(separator: ", "))",
          notes: ["give it again: " + recorded.missingSettings.map { "--set \($0)=…" }.joined(separator: " ")]))
      return .usage
    }
    return await resume(run, of: store, recorded, options)
  }

  private func resume(
    _ run: RecordedRun, of store: RunStore, _ recorded: RecordedScript, _ options: ResumeOptions
  ) async -> ExitCode {
    var options = options
    options.keepsWhatFollowsFailures = recorded.keepsGoing
    var hasGoneBack = false
    while true {
      let journal: RunJournal
      do {
        journal = try store.resume(run, options: options, clock: world.clock)
      } catch {
        runs.errors.print(ErrorReport("\(error)", notes: error.advice))
        return error.exitCode
      }
      let script = ScriptRun(
        world: world.beginningPaths(in: recorded.workingDirectory), verbosity: verbosity, sequence: recorded.sequence,
        settings: recorded.settings, keepsGoing: recorded.keepsGoing,
        recording: .resuming(journal, directory: directory))
      let end = await script.run(recorded.script)
      guard let error = end.error?.refusal, case .journal(let refusal) = error.fact else { return end.code }
      options.from = nil
      switch refusal {
      case .undecided(let path, let reason):
        switch decide(error.step?.label ?? path.description, reason, run, journal) {
        case .decision(let decision): options.decisions[path.description] = decision
        case .givenUp:
          try? store.abandon(run)
          return .failed
        case .open: return .unknownOutcome
        }
      case .expired(_, let allocator?, _) where !hasGoneBack:
        hasGoneBack = true
        options.from = allocator.description
        runs.errors.note("going back to the step that allocated it")
      case .expired, .store, .changed, .notRecorded:
        return end.code
      }
    }
  }

  // MARK: Decisions

  private enum Answer {
    case decision(ResumeOptions.Decision)
    case givenUp
    /// Nobody can be asked, or nobody answered.
    case open
  }

  /// Asks what is to be done; where nobody can be asked, says what can be.
  private func decide(_ step: String, _ reason: UndecidedReason, _ run: RecordedRun, _ journal: RunJournal) -> Answer {
    let accepted: ResumeOptions.Decision =
      switch reason {
      case .unexpected, .bodyLost: .accept
      case .interrupted, .secret: .answered(Response(status: .init(code: 200)))
      }
    let command = "workbench resume \(run.id)" + (directory.map { " --store \(ShellWords.quoted($0))" } ?? "")
    let name = ShellWords.quoted(step)
    let done =
      switch reason {
      case .unexpected: "--done \(name)"
      case .bodyLost: "--done \(name)[=STATUS,BODY-FILE]"
      case .interrupted, .secret: "--done \(name)=STATUS[,BODY-FILE]"
      }
    guard let ask else {
      runs.errors.note(
        """
        it is for you to choose:
          \(command) --again \(name)    sends it again
          \(command) \(done)    takes it as done
          \(command) --give-up    leaves it as it is
        """)
      return .open
    }
    while let answer = ask("again, done or give up? [a/d/g] ") {
      switch answer.trimmed.lowercased() {
      case "a", "again": return .decision(.sendAgain)
      case "d", "done":
        if case .accept = accepted { return .decision(.accept) }
        guard let status = ask("the status it was answered with: ").flatMap({ Int($0.trimmed) }),
          (200...599).contains(status)
        else { continue }
        return .decision(.answered(Response(status: .init(code: status))))
      case "g", "give up": return .givenUp
      default: continue
      }
    }
    return .open
  }

  /// Gives a run up: nothing of it is done any more.
  public func abandon(_ reference: String) -> ExitCode {
    runs.withStore { store in
      let run = try store.run(reference)
      try store.abandon(run)
      runs.errors.note("run \(run.id) is given up")
      return .success
    }
  }
}

extension World {
  /// The same world for somebody who stands in another directory.
  func beginningPaths(in directory: String) -> World {
    var world = self
    world.pathOrigin = directory == workingDirectory ? nil : directory
    world.workingDirectory = directory
    return world
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
