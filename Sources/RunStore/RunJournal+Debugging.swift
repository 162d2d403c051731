public import Requests
internal import Synchronization
public import UploaderCore

// A run for callers that decide themselves what is sent and what of it counts, such as a debugger's user.

extension RunStore {
  /// Takes over a run as it is: nothing of it is discarded, and nothing that is sent is refused because of what it
  /// recorded.
  ///
  /// - Throws: `StoreError.busy` if another process is working on it.
  public func takeUp(_ run: RecordedRun, clock: UploadClock = .system) throws(StoreError) -> RunJournal {
    try claim(run, clock)
    let rows = RunRows(store: self, row: run.row, id: run.id)
    var earlier = try rows.earlier()
    earlier.takenBack = []
    return RunJournal(storage: rows, id: run.id, clock: clock, earlier: earlier)
  }
}

extension RunJournal {
  /// Notes the seed with which the sequence was asked for the step at this position.
  public func note(_ moment: StepSeed, at position: StepPosition) {
    state.withLock { state in
      state.moments[position] = moment
      state.waiting.moments.append((position, moment))
    }
  }

  /// What was recorded of any other step no longer counts. It stays in the store.
  public func keep(only positions: Set<StepPosition>) throws(JournalError) {
    try forget(.takenBack) { !positions.contains($0) }
  }

  /// Takes this as the step's response, although it did not come now.
  ///
  /// - Parameter reason: where it is from.
  public func take(
    _ exchange: Exchange, for step: JournalledStep, unmet: [UnmetExpectation] = [], reason: String
  ) {
    let now = clock.now()
    let record = state.withLock { state in
      // Not in one expression: the record would be made with what was known before.
      let answered = state.answered(step, exchange, [], unmet, at: now)
      var record = state.record(answered)
      // What may have been sent is kept beside it.
      if state.begun(step.position)?.isUndecided == true { record.attempt = state.nextAttempt(at: step.position) }
      record.failure = state.concealment.markers.concealCut(reason)
      return record
    }
    keep(record, exchange.response.body, .durable)
  }

  /// What was done is in the store when this returns, whatever happens to this process.
  public func settle() throws(StoreError) {
    state.withLock { $0.writtenCount = -1 }
    try write(nil, .relaxed)
  }

  /// The run is made from something else now.
  public func change(_ setup: RunSetup) throws(StoreError) {
    var changes = JournalChanges()
    changes.others = [.setup(setup, state.withLock { $0.concealment.markers })]
    try storage.write(changes, .durable)
    state.withLock { $0.parameters = nil }
  }

  /// Releases the run as far as it came, so that anybody may continue it.
  public func leave() throws(StoreError) {
    try write(nil, .durable, also: [.left(done: state.withLock(\.doneCount), at: clock.now())])
  }

  /// Continues after the run was ended.
  public func reopen() throws(StoreError) {
    var changes = JournalChanges()
    changes.others = [.reopened(at: clock.now())]
    try storage.write(changes, .durable)
  }
}

extension RecordedStep {
  /// A step as it would be recorded.
  ///
  /// - Parameters:
  ///   - exchange: its outcome; nil: it was not sent.
  ///   - secrets: those known besides the step's own.
  public init(_ step: JournalledStep, _ exchange: Exchange?, secrets: Set<Secret> = []) {
    let whole = Unconcealed<RecordedStep>(step, exchange)
    // A larger body is compared by its size only.
    self = whole.concealed(Concealment(markers: SecretMarkers(step.secrets.union(secrets))), bodyLimit: 1 << 20)
  }
}
