package import RequestProgram
package import Requests
package import RunStore
internal import Sessions
package import UploaderCore

/// What is sent in the debugger, as a recorded run like any other. It begins with the first request that is sent.
///
/// Looking changes nothing in it, and neither does going back: what was taken back counts no longer when something else
/// takes its place, and stays in the store.
package struct DebugRecord {
  package let store: RunStore
  private let clock: UploadClock
  private let storeOption: String
  private var setup: RunSetup
  private var journal: RunJournal?
  /// The run that was taken up, as it stood, while nothing has changed in it.
  private var former: RecordedRun?
  /// When the sequence was asked, as far as it is not recorded: going back and looking asks anew.
  private var moments: [(position: StepPosition, moment: StepSeed)] = []
  private var isDone = false

  /// A new run.
  ///
  /// - Parameter storeOption: as it stands in commands that are offered.
  package init(_ setup: RunSetup, in store: RunStore, clock: UploadClock, storeOption: String) {
    self.setup = setup
    self.store = store
    self.clock = clock
    self.storeOption = storeOption
  }

  /// Goes on in a run.
  ///
  /// - Throws: `StoreError.busy` if another process is at it.
  package init(
    takingUp run: RecordedRun, _ setup: RunSetup, in store: RunStore, clock: UploadClock, storeOption: String
  ) throws(StoreError) {
    self.init(setup, in: store, clock: clock, storeOption: storeOption)
    journal = try store.takeUp(run, clock: clock)
    former = run
  }

  /// Of the run; nil: nothing was sent.
  package var id: String? { journal?.id }

  /// The command that goes on with the run; nil: nothing is left of it to do.
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
      begun = try store.begin(setup, secrets: secrets, clock: clock)
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

  /// Lets go of it. One that was only looked at is as it was.
  ///
  /// - Parameter failure: why it can not go on as it stands.
  package func leave(_ failure: String?) throws(StoreError) {
    guard let journal, !isDone else { return }
    let reason = former?.state == .failed ? former?.failure ?? "it failed" : failure
    if let reason { try journal.end(failure: reason) } else { try journal.leave() }
  }
}

/// Records what is sent. What is sent is decided elsewhere: nothing is recalled.
package struct SendingJournal: StepJournal {
  package let journal: RunJournal

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
