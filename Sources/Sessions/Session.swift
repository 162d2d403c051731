package import RequestProgram
package import Requests
package import UploaderCore

/// Sends the steps of runs: the only place where an uploader gets its transport, clock, files, secrets, journal and
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
  ///   - secrets: those of other code that shows something of these runs.
  ///   - journal: where each step is recorded before and after it is sent; nil: nowhere.
  ///   - report: notified of what happens, on the thread where it happens.
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
        switch event {
        case .secrets(let found): secrets.learn(found, report)
        case .received(let exchange), .recalled(let exchange, _):
          let proofs = PresignedValues.proofs(in: exchange)
          if !proofs.isEmpty { secrets.learn(proofs) }
        default: break
        }
        report(.upload(event))
      },
      report: { report(.failed($0)) })
    uploader.credentials = world.signIn
    uploader.checkFile = world.checkFile
    uploader.makeDirectories = world.makeDirectories
    uploader.stream = { report(.stream($0)) }
  }

  /// The same session, which keeps cookies and secrets, with each step recorded in another place; nil: nowhere.
  package func recording(in journal: (any StepJournal)?) -> Session {
    var session = self
    session.uploader.journal = journal
    return session
  }

  /// Retries cost what the runs of both sessions have together.
  func sharing(budgetOf other: Session) -> Session {
    var session = self
    session.uploader.share(budgetOf: other.uploader)
    return session
  }

  /// The same session, in which a request without a rule of its own is sent this often.
  package func retrying(_ rule: RetryRule) -> Session {
    var session = self
    session.uploader.retry = rule
    return session
  }

  /// The same session, which keeps bodies whatever their length: for responses that continue through a pipe.
  package var keepingWholeBodies: Session {
    var session = self
    session.uploader.keepsWholeBodies = true
    return session
  }

  /// The same session, which passes the bodies of responses on as they come.
  ///
  /// - Parameters:
  ///   - streamsOnly: whether only what comes bit by bit is passed on, however long anything else is.
  ///   - body: takes a piece; false: nobody reads it anymore.
  package func passing(streamsOnly: Bool = false, to body: @escaping @Sendable ([UInt8]) -> Bool) -> Session {
    var session = self
    session.uploader.passesStreamsOnly = streamsOnly
    session.uploader.passOn = body
    return session
  }

  /// The cookies set for profiles that keep cookies.
  package var cookies: CookieStore { uploader.cookies }

  /// These are hidden from now on.
  package func learn(_ found: some Sequence<Secret>) {
    secrets.learn(found, report)
  }

  /// What sending the description as a step of the sequence would mean now; nothing is sent.
  package func prepare(
    _ description: RequestDescription, of sequence: ProgramRequestSequence, hasCookies: Bool = true
  ) throws(UploadError) -> PreparedRequest {
    try uploader.prepare(description, of: sequence, hasCookies: hasCookies)
  }

  /// Requests for tokens and keys, by the rules of the profiles of that sequence.
  package func sideRequests(of sequence: ProgramRequestSequence) -> SideRequests {
    uploader.sideRequests(of: sequence)
  }

  /// Performs the next step, until ^C.
  ///
  /// - Returns: the run after it, and its result; nil when nothing was left to do.
  package func step(
    _ start: SequenceRun<ProgramRequestSequence>, groups: GroupPace
  ) async -> StepOutcome<StepRecord?> {
    await world.interrupts.withCancellation(on: world.transport.executor) { [uploader] in
      await StepOutcome(of: start) { run throws(UploadError) in try await uploader.step(&run, groups: groups) }
    }
  }

  /// Performs steps until one fails, none is left or ^C comes, children of groups in parallel. As long as nothing else
  /// holds the run, a step costs the same however many came before it.
  package func advance(_ start: SequenceRun<ProgramRequestSequence>) async -> StepOutcome<Void> {
    await world.interrupts.withCancellation(on: world.transport.executor) { [uploader] in
      await StepOutcome(of: start) { run throws(UploadError) in try await uploader.advance(&run) }
    }
  }
}

/// A run after a part of it, and that part's result: what an interruptible task returns.
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
