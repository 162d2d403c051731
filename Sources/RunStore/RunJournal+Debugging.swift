internal import GRDB
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
    try unpack(run.row)
    return RunJournal(
      store: self, row: run.row, id: run.id, clock: clock, steps: try steps(inRow: run.row),
      moments: try moments(inRow: run.row), droppedAttempts: try droppedAttempts(inRow: run.row))
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
    let count = doneCount
    try write(nil, .relaxed) { [self] database in
      try database.execute(
        sql: "UPDATE runs SET updated = ?, steps = ? WHERE run = ?",
        arguments: [clock.now().wholeMicroseconds, count, row])
    }
  }

  /// The run is made from something else now.
  public func change(_ setup: RunSetup) throws(StoreError) {
    let (text, texts) = RunStore.stored(setup, state.withLock { $0.concealment.markers })
    try store.write(.durable) { [row] database in
      try RunStore.keep(texts, in: database)
      try database.execute(sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [text, row])
    }
    state.withLock { $0.parameters = nil }
  }

  /// Releases the run as far as it came, so that anybody may continue it.
  public func leave() throws(StoreError) {
    let count = doneCount
    try write(nil, .durable) { [self] database in
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, steps = ? WHERE run = ?",
        arguments: [RecordedRun.State.open.rawValue, clock.now().wholeMicroseconds, count, row])
    }
  }

  /// Continues after the run was ended.
  public func reopen() throws(StoreError) {
    let owner = try store.ownerName()
    let now = clock.now().wholeMicroseconds
    try store.write(.durable) { [row] database in try RunStore.take(row, owner: owner, now: now, in: database) }
  }

  private var doneCount: Int { state.withLock(\.doneCount) }
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
