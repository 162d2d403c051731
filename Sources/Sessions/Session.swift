package import RequestProgram
package import Requests
package import UploaderCore

/// Sends the steps of runs: the one place where an uploader gets its transport, clock, files, secrets, journal and
/// interrupts. A plain run, `send`, a replay, the queue, the prompt and the debugger are its callers, so that none of
/// them can forget one.
///
/// It prints nothing: what happens is reported as events.
package struct Session: Sendable {
  package let world: World
  /// All secrets that are known by now.
  package let secrets: KnownSecrets
  private let report: @Sendable (RunEvent) -> Void
  private var uploader: Uploader

  /// - Parameters:
  ///   - secrets: of whoever else shows something of these runs.
  ///   - journal: where each step is kept before and after it is sent; nil: nowhere.
  ///   - report: told what happens, from the thread where it happens.
  package init(
    world: World, secrets: KnownSecrets, journal: (any StepJournal)?, report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.world = world
    self.secrets = secrets
    self.report = report
    uploader = Uploader(
      transport: world.transport, journal: journal, clock: world.clock, makeBoundary: world.makeBoundary,
      writeFile: world.writeFile,
      observe: { event in
        if case .secrets(let found) = event { secrets.learn(found, report) }
        report(.upload(event))
      },
      report: { report(.failed($0)) })
  }

  /// The same session, which keeps cookies and secrets, with each step kept in another place; nil: nowhere.
  package func recording(in journal: (any StepJournal)?) -> Session {
    var session = self
    session.uploader.journal = journal
    return session
  }

  /// The same session, in which a request that does not say so is sent as often as this.
  package func retrying(_ rule: RetryRule) -> Session {
    var session = self
    session.uploader.retry = rule
    return session
  }

  /// The same session, which keeps bodies whatever their length: for what goes on through a pipe.
  package var keepingWholeBodies: Session {
    var session = self
    session.uploader.keepsWholeBodies = true
    return session
  }

  /// What profiles that keep cookies were given.
  package var cookies: CookieStore { uploader.cookies }

  /// From now on these are hidden.
  package func learn(_ found: some Sequence<Secret>) {
    secrets.learn(found, report)
  }

  /// What sending the description as a step of the sequence would mean now; nothing is sent.
  package func prepare(
    _ description: RequestDescription, of sequence: ProgramRequestSequence
  ) throws(UploadError) -> PreparedRequest {
    try uploader.prepare(description, of: sequence)
  }

  /// Performs the next step, until ^C.
  ///
  /// - Returns: the run after it, and what it came to; nil when nothing was left to do.
  package func step(
    _ start: SequenceRun<ProgramRequestSequence>, groups: GroupPace
  ) async -> StepOutcome<StepRecord?> {
    await world.interrupts.withCancellation { [uploader] in
      await StepOutcome(of: start) { run throws(UploadError) in try await uploader.step(&run, groups: groups) }
    }
  }

  /// Performs steps until one fails, none is left or ^C comes, children of groups at once. While nobody else holds the
  /// run, a step costs the same however many were before it.
  package func advance(_ start: SequenceRun<ProgramRequestSequence>) async -> StepOutcome<Void> {
    await world.interrupts.withCancellation { [uploader] in
      await StepOutcome(of: start) { run throws(UploadError) in try await uploader.advance(&run) }
    }
  }
}

/// A run after a part of it, and what that came to: what an interruptible task hands back.
package struct StepOutcome<Success: Sendable>: Sendable {
  package let run: SequenceRun<ProgramRequestSequence>
  package let result: Result<Success, UploadError>

  fileprivate init(
    of start: SequenceRun<ProgramRequestSequence>,
    _ perform: (inout SequenceRun<ProgramRequestSequence>) async throws(UploadError) -> Success
  ) async {
    var run = start
    do {
      result = .success(try await perform(&run))
    } catch {
      result = .failure(error)
    }
    self.run = run
  }
}

extension KnownSecrets {
  /// Learns them, and reports those that are new.
  fileprivate func learn(_ found: some Sequence<Secret>, _ report: (RunEvent) -> Void) {
    let new = learn(found)
    if !new.isEmpty { report(.learned(new)) }
  }
}
