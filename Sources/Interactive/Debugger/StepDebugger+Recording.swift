internal import Formats
internal import Presentation
// Without it a sequence's profiles and secrets would be those of any sequence: none.
internal import RequestProgram
internal import Requests
internal import RunStore
internal import Sessions
internal import UploaderCore

/// What is sent is recorded: in the store first, then on the wire, then in the store.
extension StepDebugger {
  /// Where the step at the position is recorded that is about to be sent; nil: nowhere.
  ///
  /// What was changed in the past is recorded before.
  mutating func recordPast(at position: StepPosition) throws(JournalError) -> SendingJournal? {
    guard var record else { return nil }
    defer { self.record = record }
    let journal: RunJournal
    let isNew: Bool
    do throws(StoreError) {
      (journal, isNew) = try record.begin(run.innermostSequence.secrets)
    } catch {
      throw .store(reason: "\(error)")
    }
    let steps = run.history.stepRecords
    if isNew {
      for (position, step) in steps { put(step, at: position, in: journal) }
    } else if hasChangedPast {
      try journal.keep(only: Set(steps.map(\.position) + [position]))
    }
    hasChangedPast = false
    return SendingJournal(journal: journal)
  }

  /// Records what became of a step that was not sent. Where nothing was sent yet there is nothing to record.
  mutating func recordTaken(_ step: StepRecord, at position: StepPosition) {
    guard record?.id != nil else { return }
    do throws(JournalError) {
      guard let sending = try recordPast(at: position) else { return }
      put(step, at: position, in: sending.journal)
    } catch {
      errors.print(UploadError(.journal(error)))
    }
    flushRecord()
  }

  private func put(_ step: StepRecord, at position: StepPosition, in journal: RunJournal) {
    switch step {
    case .exchange(let answer), .round(let answer), .failed(_, let answer?):
      guard let journalled = journalled(answer.description, at: position, answer) else { return }
      let unmet = step.isFailed ? run.innermostSequence.unmetExpectations(of: answer) : []
      journal.take(answer, for: journalled, unmet: unmet, reason: "taken in the debugger, not sent")
    case .skipped(let label, let reason): journal.skip(position, label: label, reason: reason)
    case .failed(_, nil), .group: break
    }
  }

  /// The step as a journal is told of it.
  func journalled(
    _ description: RequestDescription, at position: StepPosition, _ answer: Exchange?
  ) -> JournalledStep? {
    let sequence = run.innermostSequence
    guard let prepared = try? session.prepare(description, of: sequence) else { return nil }
    var secrets = sequence.secrets.union(description.head.secrets)
    secrets.formUnion((sequence.profiles ?? SessionProfiles()).all.flatMap(\.secrets))
    if let answer { secrets.formUnion(sequence.secrets(in: answer)) }
    return JournalledStep(position: position, prepared: prepared, secrets: secrets)
  }

  /// So that nothing is lost of what was done before this stop. What can not be written keeps the next request back.
  mutating func flushRecord() {
    try? record?.flush()
  }

  /// The script is another now.
  mutating func recordScript() {
    guard let script else { return }
    let setup = RunSetup(debugging: script, workingDirectory: world.workingDirectory)
    do throws(StoreError) {
      try record?.change(setup)
    } catch {
      errors.note("this change is not recorded: \(error)")
    }
  }

  /// At the end nothing is left to do, however long somebody goes on looking.
  mutating func finishRecord() {
    guard case .end = stop, !run.isFailed else { return }
    do throws(StoreError) {
      try record?.finish()
    } catch {
      errors.note("the end of this run is not recorded: \(error)")
    }
  }

  /// Lets go of the run, and says how to go on with it.
  func leaveRecord() {
    do throws(StoreError) {
      try record?.leave(failure.map(\.message) ?? (run.isFailed ? "a step failed" : nil))
    } catch {
      errors.note("where this run was left is not recorded: \(error)")
    }
    if let command = record?.command { errors.note("go on with: \(command)") }
  }
}
