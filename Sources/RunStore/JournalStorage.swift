package import JSONValue
package import Requests
package import UploaderCore

/// Where the journal of one run writes, and what it reads back. `RunRows` is a run in an SQLite store; the queue on a
/// server has one of its own. It decides nothing: what a journal remembers and refuses is the same with each.
package protocol JournalStorage: Sendable {
  /// Makes all of these changes, or none of them.
  func write(_ changes: JournalChanges, _ durability: JournalDurability) throws(StoreError)

  /// Keeps a large body, with markers in place of secrets, before the record that needs it is written.
  func keep(_ body: ResponseBody, _ markers: SecretMarkers) throws(StoreError) -> Spool.Entry

  /// Every record that counts, in order; later attempts come later.
  func steps() throws(StoreError) -> [RecordedStep]

  /// What a journal has to know of what was done before it.
  func earlier() throws(StoreError) -> EarlierSteps

  /// Releases space that was reserved for an outcome.
  func releaseReserve()

  /// The values that the run was given; null if none of them can contain a secret.
  func parameters() throws(StoreError) -> JSON

  /// What a run that is done no longer needs.
  func dropping() throws(StoreError) -> DroppedValues

  /// Removes that from wherever it was.
  func expunge(_ dropped: DroppedValues) throws(StoreError)
}

/// How durable a change is.
package enum JournalDurability: Sendable {
  /// It is on the disk when the call returns.
  case durable
  /// A process that dies loses nothing of it; a machine that crashes may lose the last of these.
  case relaxed
}

/// What a journal writes in one transaction, in this order.
package struct JournalChanges: Sendable {
  /// The seeds with which steps were asked for.
  package var moments: [(position: StepPosition, moment: StepSeed)] = []
  package var batches: [StepBatch] = []
  /// Each in its current state, whatever was written of it before.
  package var records: [(step: RecordedStep, body: Spool.Entry?)] = []
  /// How many steps are done, and when that was, since 1970; nil: as many as before.
  package var progress: (done: Int, at: Duration)?
  package var others: [JournalChange] = []
}

/// A change of something that was written before.
package enum JournalChange: Sendable {
  /// There is space for the outcome of a step whose request has a body of that many bytes.
  case reserving(Int)
  /// The first byte of the step left.
  case sent(StepPosition)
  /// What was recorded of these no longer counts.
  case dropped([StepPosition], DropReason)
  /// Somebody allowed that what was sent for these, and does not count, is sent again.
  case allowed([StepPosition])
  /// The run was given these values; there are more secrets now.
  case hidden(SecretMarkers)
  /// It is made from something else.
  case setup(RunSetup, SecretMarkers)
  /// It is anybody's to continue.
  case left(done: Int, at: Duration)
  /// It goes on after it ended.
  case reopened(at: Duration)
  /// It is over: done (nil), or failed with this reason.
  case ended(failure: String?, done: Int, at: Duration, DroppedValues)
}

/// What was done of a run before.
package struct EarlierSteps: Sendable {
  package var steps: [RecordedStep] = []
  package var moments: [StepPosition: StepSeed] = [:]
  /// How often steps were begun whose records no longer count.
  package var droppedAttempts: [StepPosition: Int] = [:]
  /// What was sent and then taken back.
  package var takenBack: [RecordedStep] = []

  package init() {}
}

extension RunJournal {
  /// The journal of a run that begins.
  package convenience init(in storage: any JournalStorage, id: String, clock: UploadClock) {
    self.init(storage: storage, id: id, clock: clock, earlier: EarlierSteps())
  }

  /// The journal of a run that goes on.
  package static func resumed(
    in storage: any JournalStorage, id: String, options: ResumeOptions = ResumeOptions(), clock: UploadClock,
    formerFailure: String? = nil
  ) throws(StoreError) -> RunJournal {
    let journal = RunJournal(
      storage: storage, id: id, clock: clock, earlier: try storage.earlier(), options: options, isResumed: true,
      formerFailure: formerFailure)
    try journal.prepareToResume()
    return journal
  }
}
