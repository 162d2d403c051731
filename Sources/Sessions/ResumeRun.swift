internal import HTTPTypes
internal import RequestProgram
internal import Requests
package import RunStore
package import UploaderCore

/// A step of a recorded run that is neither done nor not done, as far as is known.
package struct UndecidedStep: Sendable {
  /// The run's identifier.
  package let run: String
  /// Its label, or its place in the run.
  package let name: String
  package let reason: UndecidedReason
}

/// What is to be done about an undecided step.
package enum UndecidedChoice: Sendable {
  case decision(ResumeOptions.Decision)
  case abandon
  /// Nobody can be asked, or nobody answered.
  case none
}

/// Continues a recorded run where it stopped.
extension Runner {
  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - settings: they replace those of the run.
  ///   - choose: asked about each undecided step.
  package func resume(
    _ reference: String, in directory: String?, options: ResumeOptions, settings: GivenValues,
    choose: (UndecidedStep) -> UndecidedChoice
  ) async -> RunEnd {
    do throws(RunRefusal) {
      let (store, run, setup, recorded) = try find(reference, in: directory, settings: settings)
      let given = Set(settings.settings.keys)
      return try await resume(run, of: store, in: directory, recorded, options, choose) { journal in
        .resuming(journal, of: setup, given: given, directory: directory)
      }
    } catch {
      return error.end(report)
    }
  }

  /// The recorded run that a reference names, its store, and what it was run with.
  func locate(
    _ reference: String, in directory: String?
  ) throws(RunRefusal) -> (RunStore, RecordedRun, RunSetup) {
    do {
      let store = try world.store(in: directory)
      let run = try store.run(reference)
      return (store, run, try store.setup(of: run))
    } catch {
      throw RunRefusal(error)
    }
  }

  private func find(
    _ reference: String, in directory: String?, settings: GivenValues
  ) throws(RunRefusal) -> (RunStore, RecordedRun, RunSetup, RecordedScript) {
    let (store, run, setup) = try locate(reference, in: directory)
    let recorded: RecordedScript
    if let refusal = (try? store.refusalOfSuite(run, of: "resume", among: \.isResumable)).flatMap({ $0 }) {
      throw refusal
    }
    if setup.kind == RunSetup.bulkKind { throw run.state == .done ? .done(run: run.id) : .overRows(run: run.id) }
    guard setup.isScript else { throw .notAScript(run: run.id) }
    switch run.state {
    case .done: throw .done(run: run.id)
    case .abandoned: throw .abandoned(run: run.id)
    case .open, .failed: break
    }
    do { recorded = try RecordedScript(setup, settings: settings, in: world) } catch { throw RunRefusal(error) }
    guard recorded.missingSettings.isEmpty else { throw .missingSettings(recorded.missingSettings) }
    return (store, run, setup, recorded)
  }

  /// A decision about a step that the run has never begun would be passed over in silence.
  private func check(
    _ names: some Collection<String>, of run: RecordedRun, in store: RunStore
  ) throws(RunRefusal) {
    if names.isEmpty { return }
    do throws(StoreError) {
      // What was taken back counts, too: it may have been sent.
      let steps = try store.attempts(of: run)
      if let name = names.sorted().first(where: { name in !steps.contains { $0.isCalled(name) } }) {
        throw .noSuchStep(name, labels: steps.compactMap(\.label))
      }
    } catch {
      throw .store(error)
    }
  }

  private func resume(
    _ run: RecordedRun, of store: RunStore, in directory: String?, _ recorded: RecordedScript,
    _ options: ResumeOptions, _ choose: (UndecidedStep) -> UndecidedChoice,
    recordingIn recording: (RunJournal) -> Recording
  ) async throws(RunRefusal) -> RunEnd {
    var options = options
    options.keepsWhatFollowsFailures = recorded.keepsGoing
    try check(options.decisions.keys, of: run, in: store)
    if let notice = recorded.notice { report(.recording(notice)) }
    var hasGoneBack = false
    // What was answered once is not asked again.
    let replies = RememberedReplies()
    var world = world
    world.replies = replies
    while true {
      replies.rewind()
      let journal: RunJournal
      do throws(StoreError) {
        journal = try store.resume(run, options: options, clock: world.clock)
      } catch {
        throw .store(error)
      }
      let end = await Runner(world: world.standing(for: recorded), secrets: secrets, report: report)
        .run(recorded.script, recorded.options, recording: recording(journal))
      guard let error = end.error?.refusal, case .journal(let refusal) = error.fact else { return end }
      options.from = nil
      switch refusal {
      case .undecided(let path, let reason):
        let step = UndecidedStep(run: run.id, name: error.step?.label ?? path.description, reason: reason)
        switch choose(step) {
        case .decision(let decision): options.decisions[path.description] = decision
        case .abandon:
          try? store.abandon(run)
          return RunEnd(.failed, error: end.error, history: end.history)
        case .none: return RunEnd(.unknownOutcome, error: end.error, history: end.history)
        }
      case .expired(_, let allocator?, _) where !hasGoneBack:
        hasGoneBack = true
        options.from = allocator.description
        report(.recording(.goingBack))
      case .expired, .store, .changed, .notRecorded:
        return end
      }
    }
  }
}

extension RunRefusal {
  /// - Parameter error: from reading a store or a file.
  package init(_ error: any Error) {
    switch error {
    case let error as RunRefusal: self = error
    case let error as StoreError: self = .store(error)
    case let error as FileError: self = .file(error)
    case let error as LaterLanguage: self = .laterLanguage(error)
    case let error as TextWithoutSecrets: self = .textWithoutSecrets(error)
    default: self = .store(.damaged("\(error)"))
    }
  }
}
