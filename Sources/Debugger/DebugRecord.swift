package import RequestProgram
package import Requests
package import RunStore
internal import Sessions
package import UploaderCore

/// What is sent in the debugger, as a recorded run like any other. It begins with the first request that is sent.
///
/// Looking changes nothing in it, and neither does going back: what was taken back no longer counts once something else
/// takes its place, but stays in the store.
package struct DebugRecord {
  package let store: RunStore
  private let clock: UploadClock
  private let storeOption: String
  private var setup: RunSetup
  private var journal: RunJournal?
  /// The run that was resumed, as it was, as long as nothing has changed in it.
  private var former: RecordedRun?
  /// The step seeds that are not recorded yet: going back and looking asks the sequence again.
  private var moments: [(position: StepPosition, moment: StepSeed)] = []
  private var isDone = false
  /// The run that it continues from, which is over and stays as it is.
  private let origin: RecordedRun?

  /// A new run.
  ///
  /// - Parameters:
  ///   - origin: the run that it continues from, which is over and stays as it is; nil: none.
  ///   - storeOption: as it appears in commands that are offered.
  package init(
    _ setup: RunSetup, in store: RunStore, clock: UploadClock, after origin: RecordedRun? = nil, storeOption: String
  ) {
    self.setup = setup
    self.origin = origin
    self.store = store
    self.clock = clock
    self.storeOption = storeOption
  }

  /// Continues a run.
  ///
  /// - Throws: `StoreError.busy` if another process is using it.
  package init(
    takingUp run: RecordedRun, _ setup: RunSetup, in store: RunStore, clock: UploadClock, storeOption: String
  ) throws(StoreError) {
    self.init(setup, in: store, clock: clock, storeOption: storeOption)
    journal = try store.takeUp(run, clock: clock)
    former = run
  }

  /// The run's id; nil: nothing was sent.
  package var id: String? { journal?.id }

  /// The command that continues the run; nil: nothing is left to do.
  package var command: String? {
    guard let id, !isDone else { return nil }
    return "workbench debug --run \(id)\(storeOption)"
  }

  package mutating func note(_ moment: StepSeed, at position: StepPosition) {
    moments.append((position, moment))
  }

  /// The script is another now.
  package mutating func change(_ setup: RunSetup, running program: Program) throws(StoreError) {
    self.setup = setup
    try journal?.change(setup.withoutSettings(program.namesInSecrets))
  }

  /// The journal that is written to, and whether it was begun for that.
  package mutating func begin(
    _ secrets: Set<Secret>, running program: Program
  ) throws(StoreError) -> (journal: RunJournal, isNew: Bool) {
    let begun: RunJournal
    if let journal {
      begun = journal
    } else {
      let setup = setup.withoutSettings(program.namesInSecrets)
      begun = try store.begin(setup, secrets: secrets, clock: clock, after: origin)
    }
    if isDone { try begun.reopen() }
    for (position, moment) in moments { begun.note(moment, at: position) }
    defer { (journal, former, moments, isDone) = (begun, nil, [], false) }
    return (begun, journal == nil)
  }

  package func flush() throws(StoreError) {
    try journal?.settle()
  }

  /// All its steps are done.
  package mutating func finish() throws(StoreError) {
    guard let journal, !isDone else { return }
    try journal.end()
    isDone = true
  }

  /// Releases it. One that was only looked at is unchanged.
  ///
  /// - Parameter failure: why it cannot continue as it is.
  package func leave(_ failure: String?) throws(StoreError) {
    guard let journal, !isDone else { return }
    let reason = former?.state == .failed ? former?.failure ?? "it failed" : failure
    if let reason { try journal.end(failure: reason) } else { try journal.leave() }
  }
}

/// Records what is sent. What is sent is decided elsewhere: nothing is recalled.
package final class SendingJournal: StepJournal {
  package let journal: RunJournal

  package init(journal: RunJournal) {
    self.journal = journal
  }

  package func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? { nil }

  package func learn(_ secrets: Set<Secret>) { journal.learn(secrets) }

  package func intend(_ step: JournalledStep) throws(JournalError) { try journal.intend(step) }

  package func send(_ step: JournalledStep) throws(JournalError) { try journal.send(step) }

  package func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) { journal.finish(step, outcome) }

  package func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed { now() }

  package func skip(_ position: StepPosition, label: String?, reason: String) {
    journal.skip(position, label: label, reason: reason)
  }
}
