internal import Diagnostics
package import JSONValue
internal import Presentation
package import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import Synchronization
internal import UploaderCore

/// What of a script is run, and how.
package struct ScriptOptions: Sendable {
  /// The sequence to run; nil: the script's own steps.
  package var sequence: String?
  /// Values for top-level `let`s, or for the sequence's parameters.
  package var settings: [String: String]
  /// Values for those that the script has; what is in `settings` takes precedence.
  package var vars: [String: JSON]
  /// The names that values were given for, including those that the script lacks.
  package private(set) var givenNames: Set<String> = []
  /// The settings, and each that is not a text as its value; nil: all of them are texts.
  package var values: [String: Setting]?
  /// Whether a step that fails does not end its block.
  package var keepsGoing: Bool
  /// Where it is in a suite; nil: it is not part of one.
  package var place: SuitePlace?
  /// What has been compared with snapshots, which are made to fit; nil: they stay as they are.
  package var snapshots: SnapshotUpdates.Compared?

  package init(
    sequence: String? = nil, settings given: GivenValues = [:], values: [String: Setting]? = nil,
    keepsGoing: Bool = false, place: SuitePlace? = nil
  ) {
    self.sequence = sequence
    settings = given.settings
    vars = given.vars
    self.values = values
    self.keepsGoing = keepsGoing
    self.place = place
  }

  /// The same, in which the values that the script has names for are settings like any other.
  package func taking(varsOf script: ScriptFile, in world: World) -> ScriptOptions {
    guard !vars.isEmpty else { return self }
    var options = self
    options.vars = [:]
    options.givenNames.formUnion(vars.keys)
    let names = ScriptLoader(world).settableNames(of: script, running: sequence)
    var values = typedSettings
    for (name, value) in vars where settings[name] == nil && names.contains(name) {
      options.settings[name] = value.settingText
      values[name] = .read(value)
    }
    options.values = values
    return options
  }

  /// Snapshots are made to fit, in all runs that have these options together.
  package mutating func updateSnapshots() { snapshots = SnapshotUpdates.Compared() }

  /// The settings, each as it was set: a text, or a value.
  package var typedSettings: [String: Setting] { values ?? settings.mapValues(Setting.text) }

  /// Those of them that files of values had and that are not texts.
  package var readValues: [String: JSON] {
    typedSettings.compactMapValues { setting in
      switch setting {
      case .read(let json): json
      case .text, .value: nil
      }
    }
  }
}

/// A plain run of a script: every step, until one fails, or all of them regardless.
extension Runner {
  /// Runs the file; `-` is standard input, whose relative paths begin in the working directory.
  ///
  /// - Parameter recording: where what it does is stored, so that it can continue where it stopped.
  package func run(file: String, _ options: ScriptOptions, recording: Recording) async -> RunEnd {
    do throws(FileError) {
      return await run(try ScriptFile(file, in: world), options, recording: recording)
    } catch {
      return RunRefusal.file(error).end(report)
    }
  }

  func run(_ script: ScriptFile, _ options: ScriptOptions, recording: Recording) async -> RunEnd {
    let options = options.taking(varsOf: script, in: world)
    do throws(RunRefusal) {
      let steps = try steps(of: script, options)
      let journal: (any OperationJournal)?
      do throws(StoreError) {
        let setup = setup(of: script, options).withoutSettings(steps.program.namesInSecrets)
        journal = try recording.begin(setup, secrets: steps.secrets, in: world) { report(.recording($0)) }
      } catch {
        throw .unrecordable(error)
      }
      if let journal { report(.recorded(run: journal.id)) }
      let hasSent = Mutex(false)
      let session = Session(world: world, secrets: secrets, journal: journal ?? recording.replay) { [report] event in
        if case .upload(.sending) = event { hasSent.withLock { $0 = true } }
        report(event)
      }
      session.learn(steps.secrets)
      let start = SequenceRun(steps)
      var end = await world.interrupts.holding { await advance(start, in: session).end }
      if let journal {
        end.unrecorded = await finish(journal, end)
        // What the script itself stops before anything is sent begins again, when that is mended.
        let isUntouched = !hasSent.withLock { $0 } && end.error.map(\.isOfScript) ?? false
        if end.exitCode != .success, !isUntouched {
          end.resumeCommand = recording.resumeCommand(journal).map { $0 + world.outsideOptions }
        }
      }
      report(.ended(end))
      return end
    } catch {
      return error.end(report)
    }
  }

  func setup(of script: ScriptFile, _ options: ScriptOptions) -> RunSetup {
    RunSetup(
      script, sequence: options.sequence, settings: options.settings, values: options.readValues,
      keepsGoing: options.keepsGoing, in: world, place: options.place)
  }

  func steps(of script: ScriptFile, _ options: ScriptOptions) throws(RunRefusal) -> ProgramRequestSequence {
    var steps = try ScriptLoader(world, given: options.givenNames).steps(
      of: script.parsed, directory: script.directory,
      settings: options.typedSettings, running: options.sequence, at: world.moment,
      snapshots: options.snapshots.map(updates), report: report)
    steps.goesOnAfterFailure = options.keepsGoing
    steps.keepsHistory = false
    return steps
  }

  /// Writes snapshots, without what is hidden wherever it is shown.
  private func updates(_ compared: SnapshotUpdates.Compared) -> SnapshotUpdates {
    SnapshotUpdates(compared) { [secrets] text in
      secrets.redact(text) != text
    } write: { [world, report] path, directory, text throws(FileError) in
      try world.makeDirectories(path, directory)
      let draft = try world.draftFile(path)
      do throws(FileError) {
        try draft.write(Array(text.utf8))
        try draft.commit()
      } catch {
        draft.discard()
        throw error
      }
      report(.wrote(snapshot: path))
    }
  }

  /// Performs all steps, and those that come `finally` whatever happened.
  func advance(
    _ start: SequenceRun<ProgramRequestSequence>, in session: Session
  ) async -> (end: RunEnd, run: SequenceRun<ProgramRequestSequence>) {
    var run = start
    var failure: UploadError?
    while true {
      let before = run
      let outcome = await session.advance(before)
      run = outcome.run
      switch outcome.result {
      case .success:
        return (RunEnd(failure.map { ExitCode($0) } ?? .success, error: failure, history: run.history), run)
      // If the journal does not let it continue, the run stops: nothing is to be undone.
      case .failure(let error) where error.isFromJournal:
        return (RunEnd(ExitCode(error.refusal ?? error), error: error, history: run.history), run)
      // The `finally` steps come after it.
      case .failure(let error):
        failure = failure ?? error
        report(.stopped(error, after: run.exchanges))
        if ExitCode(error) == .interrupted {
          failure = error
          run.changeSequences { $0.goesOnAfterFailure = false }
        }
      }
    }
  }

  /// - Returns: why it could not be recorded that it ended.
  private func finish(_ journal: any OperationJournal, _ end: RunEnd) async -> StoreError? {
    let isDone = end.exitCode == .success
    do throws(StoreError) {
      // The journal knows the secrets of the steps that it was notified of, but not of one that could not be prepared.
      let reason = end.error.map { secrets.redact($0.message) } ?? "it failed"
      try await journal.end(failure: isDone ? nil : reason)
      return nil
    } catch {
      report(.recording(.endMissing(error)))
      return error
    }
  }
}

extension UploadError {
  /// Whether the script, or what it was given, is why it cannot go on.
  fileprivate var isOfScript: Bool {
    switch fact {
    case .sequence, .profile, .framing, .secretRefused: true
    case .group(let errors): errors.allSatisfy(\.isOfScript)
    case .transport, .expectations, .unsaved, .cancelled, .journal, .signIn: false
    }
  }
}
