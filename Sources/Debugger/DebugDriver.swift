package import RequestProgram
internal import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// Does what a `DebugMachine` wants done outside of it: it records in the store, sends, and records the outcome. What
/// is to be shown or asked is left to its caller.
package struct DebugDriver: Sendable {
  package private(set) var machine: DebugMachine
  package let session: Session
  /// Whether a request without a rule of its own is sent again by itself when it fails, as in a run: whoever goes step by
  /// step sees each failure immediately.
  package var retries = true
  /// Where it is recorded; nil: nowhere.
  package private(set) var record: DebugRecord?

  /// - Parameters:
  ///   - start: the sequence at its beginning.
  ///   - script: what it was made from; nil where it cannot be edited.
  ///   - record: where what is sent is recorded; nil: nowhere.
  package init(
    _ start: ProgramRequestSequence, script: DebuggedScript?, breakpoints: [Breakpoint], record: DebugRecord?,
    session: Session
  ) {
    self.session = session
    self.record = record
    let world = session.world
    let surroundings = DebugSurroundings(
      prepare: { description, sequence throws(UploadError) in try session.prepare(description, of: sequence) },
      prepareRecord: { description, sequence throws(UploadError) in
        try session.prepare(description, of: sequence, hasCookies: false)
      },
      moment: { world.moment }, rewind: { world.replies?.rewind() })
    machine = DebugMachine(start, script: script, breakpoints: breakpoints, in: surroundings)
  }

  /// Asks the machine.
  ///
  /// - Returns: what is to be done, in this order, each by `perform` or by the caller.
  package mutating func handle(_ request: DebugRequest) -> [DebugAction] {
    machine.handle(request)
  }

  /// Does what needs neither a screen nor a reply.
  ///
  /// - Returns: what is to be done next, after everything else.
  package mutating func perform(_ action: DebugAction) async -> [DebugAction] {
    switch action {
    case .learn(let secrets): session.learn(secrets)
    case .note(let position, let moment): record?.note(moment, at: position)
    case .send(let step): return machine.handle(.sent(await send(step)))
    case .replay(let run, let journal):
      return machine.handle(.replayed(await session.recording(in: journal).step(run, groups: .oneByOne)))
    case .record(let taken, let step): return put(taken, step)
    case .recordScript(let script): return change(script)
    case .ask, .tell, .showStop, .diagnose: break
    }
    return []
  }

  // MARK: Recording

  private mutating func send(_ step: DebugStep) async -> DebugSendOutcome {
    let recording: Session
    do throws(JournalError) {
      recording = session.retrying(retries ? .standard : .none).recording(in: try recordPast(before: step))
    } catch {
      return .unrecorded(error)
    }
    let outcome = await recording.step(step.run, groups: .oneByOne)
    flush()
    return .performed(outcome)
  }

  /// Where the step that is about to be sent is recorded; nil: nowhere. Changes in the past are recorded first.
  private mutating func recordPast(before step: DebugStep) throws(JournalError) -> SendingJournal? {
    guard var record else { return nil }
    defer { self.record = record }
    let journal: RunJournal
    let isNew: Bool
    do throws(StoreError) {
      (journal, isNew) = try record.begin(step.run.innermostSequence.secrets, running: step.run.sequence.program)
    } catch {
      throw .store(reason: "\(error)")
    }
    let steps = step.run.history.stepRecords
    if isNew {
      for (position, taken) in steps { put(taken, at: position, of: step.run, in: journal) }
    } else if step.hasChangedPast {
      try journal.keep(only: Set(steps.map(\.position) + [step.position]))
    }
    return SendingJournal(journal: journal)
  }

  /// Records what became of a step that was not sent. If nothing has been sent yet, there is nothing to record.
  private mutating func put(_ taken: StepRecord, _ step: DebugStep) -> [DebugAction] {
    guard record?.id != nil else { return [] }
    defer { flush() }
    do throws(JournalError) {
      guard let sending = try recordPast(before: step) else { return [] }
      put(taken, at: step.position, of: step.run, in: sending.journal)
      return []
    } catch {
      return [.tell(.error(UploadError(.journal(error))))]
    }
  }

  private func put(
    _ taken: StepRecord, at position: StepPosition, of run: SequenceRun<ProgramRequestSequence>,
    in journal: RunJournal
  ) {
    let sequence = run.innermostSequence
    switch taken {
    case .exchange(let response), .round(let response), .failed(_, let response?):
      guard
        let journalled = JournalledStep(
          response.description, at: position, response, in: sequence, machine.surroundings)
      else { return }
      let unmet = taken.isFailed ? sequence.unmetExpectations(of: response) : []
      journal.take(response, for: journalled, unmet: unmet, reason: "taken in the debugger, not sent")
    case .skipped(let label, let reason): journal.skip(position, label: label, reason: reason)
    case .failed(_, nil), .group: break
    }
  }

  /// Ensures that nothing done before this stop is lost. If it cannot be written, the next request is held back.
  private func flush() {
    try? record?.flush()
  }

  private mutating func change(_ script: DebuggedScript) -> [DebugAction] {
    let setup = RunSetup(debugging: script, in: session.world)
    do throws(StoreError) {
      try record?.change(setup, running: machine.run.sequence.program)
      return []
    } catch {
      return [.tell(.changeUnrecorded(error))]
    }
  }

  /// At the end nothing is left to do, however long the user keeps looking.
  ///
  /// - Throws: `StoreError` if that cannot be recorded.
  package mutating func finishRecord() throws(StoreError) {
    guard case .end = machine.stop, !machine.run.isFailed else { return }
    try record?.finish()
  }
}
