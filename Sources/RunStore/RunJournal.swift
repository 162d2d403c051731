internal import GRDB
internal import JSONValue
public import Requests
internal import Synchronization
public import UploaderCore

/// The journal of one run: each step before it is sent, when its first byte leaves, and when its answer is there.
///
/// What must not happen twice is on the disk before it is sent, and so is its answer before the next step. What may
/// happen twice is written without waiting for the disk: a process that dies loses nothing of it, and if the machine
/// dies it is sent again.
public final class RunJournal: StepJournal {
  struct State {
    /// The latest record of each step, from before and of now.
    var known: [StepPosition: RecordedStep]
    var options: ResumeOptions
    /// When each step was asked for, as far as it is written.
    var moments: [StepPosition: Moment] = [:]
    var markers = SecretMarkers([])
    var secrets: Set<Secret> = []
    /// What is to be written with the next record.
    var newMoments: [(StepPosition, Moment)] = []
    /// What could not be written when it had to be.
    var unwritten: [RecordedStep] = []
    /// Whether it goes on with a run that was begun before.
    var isResumed = false
    /// The steps that were answered in this process.
    var answeredNow: Set<StepPosition> = []
  }

  let store: RunStore
  let row: Int64
  public let id: String
  let clock: UploadClock
  let state: Mutex<State>

  init(
    store: RunStore, row: Int64, id: String, clock: UploadClock, steps: [RecordedStep] = [],
    moments: [StepPosition: Moment] = [:],
    options: ResumeOptions = ResumeOptions(), isResumed: Bool = false
  ) {
    self.store = store
    self.row = row
    self.id = id
    self.clock = clock
    // Later tries come later, and count.
    let known = Dictionary(steps.map { ($0.position, $0) }) { $1 }
    state = Mutex(State(known: known, options: options, moments: moments, isResumed: isResumed))
  }

  // MARK: Before the wire

  /// A step that is to be made anew is made of now; any other as it was, so that it is the same.
  public func moment(at position: StepPosition, _ now: () -> Moment) -> Moment {
    state.withLock { state in
      if let moment = state.moments[position], !(state.known[position]?.isMadeAnew ?? false) { return moment }
      let moment = now()
      state.newMoments.append((position, moment))
      return moment
    }
  }

  public func intend(_ step: JournalledStep) throws(JournalError) {
    try writeUnwritten()
    if let expiry = expiry(of: step) { throw expiry }
    guard step.needsIntent else { return }
    let record = state.withLock { state in
      state.learn(step.secrets)
      var record = RecordedStep(step, .intended, started: clock.now(), state.markers)
      record.attempt = (state.known[step.position]?.attempt ?? 0) + 1
      state.known[step.position] = record
      return record
    }
    try put(record, .durable)
  }

  /// The boot's name in the record of the intent tells later whether this mark could have been lost.
  public func send(_ step: JournalledStep) throws(JournalError) {
    do throws(StoreError) {
      try store.write(.relaxed) { database in
        let statement = try database.cachedStatement(
          sql: "UPDATE steps SET state = 1 WHERE run = ? AND path = ? AND dropped = 0 AND state = 0")
        try statement.execute(arguments: [row, step.position.key])
      }
    } catch {
      throw JournalError(error)
    }
  }

  // MARK: After the wire

  public func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) {
    var record: RecordedStep
    var body = ResponseBody([])
    switch outcome {
    case .failed(let error):
      if case .journal = error.fact { return }
      record = finished(step, error)
    case .answered(let exchange, let secrets, let unmet):
      record = finished(step, exchange, secrets, unmet)
      body = exchange.response.body
    }
    let durability: RunStore.Durability = step.needsIntent ? .durable : .relaxed
    do throws(StoreError) {
      try write([(record, try spool(body))], durability)
    } catch {
      state.withLock { $0.unwritten.append(record) }
    }
  }

  public func skip(_ position: StepPosition, label: String?, reason: String) {
    let now = clock.now()
    let record = state.withLock { state in
      let request = RecordedRequest(method: "", url: "", headers: [], body: .none, profile: "")
      return RecordedStep(
        position: position, label: label, attempt: (state.known[position]?.attempt ?? 0) + 1, state: .skipped,
        effect: .safe,
        started: now, finished: now, request: request, failure: state.markers.conceal(reason))
    }
    // It is only for those who look at the run: what is left out is decided anew.
    try? put(record, .relaxed)
  }

  /// The run is over, well or not.
  ///
  /// - Parameter failure: why it failed, in a sentence; nil: it is done.
  public func end(failure: String? = nil) throws(StoreError) {
    let (unwritten, markers, count) = state.withLock {
      ($0.unwritten, $0.markers, $0.known.values.count(where: \.isDone))
    }
    let state = failure == nil ? RecordedRun.State.done : .failed
    let isDone = failure == nil
    let presigned = isDone ? try store.presignedSteps(of: row) : []
    try store.write(.durable) { database in
      for record in unwritten { try RunStore.put(record, run: row, spooled: nil, in: database) }
      for step in presigned {
        try RunStore.put(PresignedText.dropped(from: step), run: row, spooled: nil, in: database)
      }
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, failure = ?, steps = ? WHERE run = ?",
        arguments: [
          state.rawValue, clock.now().inMicroseconds, failure.map(markers.conceal), count, row,
        ])
    }
    self.state.withLock { $0.unwritten = [] }
  }

  // MARK: Records

  private func finished(_ step: JournalledStep, _ error: UploadError) -> RecordedStep {
    let now = clock.now()
    return state.withLock { state in
      state.learn(step.secrets)
      var record = state.begun(step, now)
      record.state = error.outcome == .unknown ? .unknown : .failed
      record.finished = now
      record.failure = state.markers.conceal("\(error)")
      state.known[step.position] = record
      return record
    }
  }

  private func finished(
    _ step: JournalledStep, _ exchange: Exchange, _ secrets: Set<Secret>, _ unmet: [UnmetExpectation]
  ) -> RecordedStep {
    let now = clock.now()
    return state.withLock { state in
      state.learn(step.secrets.union(secrets))
      var record = state.begun(step, now)
      record.state = unmet.isEmpty ? .answered : .unmet
      record.started = exchange.started
      record.finished = now
      var body = exchange.response.body
      if body.count <= RunStore.inlineLimit, let bytes = try? body.bytes() {
        body = ResponseBody(state.markers.conceal(bytes))
      }
      record.answer = RecordedAnswer(exchange, body: body, unmet: unmet, state.markers)
      state.answeredNow.insert(step.position)
      state.known[step.position] = record
      return record
    }
  }

  /// A large body goes to the spool, with markers in it, before the record that needs it.
  private func spool(_ body: ResponseBody) throws(StoreError) -> Spool.Entry? {
    guard body.count > RunStore.inlineLimit else { return nil }
    let markers = state.withLock { $0.markers }
    do {
      return try store.spool.keep { write in
        var stream = markers.stream()
        try body.forEachChunk { chunk in try write(stream.conceal(chunk)) }
        try write(stream.finish())
      }
    } catch {
      throw StoreError(error)
    }
  }

  private func put(_ record: RecordedStep, _ durability: RunStore.Durability) throws(JournalError) {
    do throws(StoreError) {
      try write([(record, nil)], durability)
    } catch {
      throw JournalError(error)
    }
  }

  /// Writes records, and with them the moments at which they and others were asked for.
  private func write(
    _ records: [(RecordedStep, Spool.Entry?)], _ durability: RunStore.Durability
  ) throws(StoreError) {
    let moments = state.withLock { state in
      defer { state.newMoments = [] }
      return state.newMoments
    }
    do throws(StoreError) {
      try store.write(durability) { database in
        try RunStore.put(moments, run: row, in: database)
        for (record, spooled) in records { try RunStore.put(record, run: row, spooled: spooled, in: database) }
      }
    } catch {
      state.withLock { $0.newMoments.insert(contentsOf: moments, at: 0) }
      throw error
    }
  }

  /// What could not be written is tried again before anything else is sent.
  private func writeUnwritten() throws(JournalError) {
    let records = state.withLock { $0.unwritten }
    guard !records.isEmpty else { return }
    for record in records {
      do throws(StoreError) {
        let spooled = try record.answer.map { answer throws(StoreError) in try spool(answer.body) } ?? nil
        try write([(record, spooled)], .durable)
      } catch {
        throw JournalError(error)
      }
    }
    state.withLock { $0.unwritten = [] }
  }
}

extension RunJournal.State {
  /// A secret stays known once it was.
  mutating func learn(_ more: Set<Secret>) {
    guard !more.isSubset(of: secrets) else { return }
    secrets.formUnion(more)
    markers = SecretMarkers(secrets)
  }

  /// The record that was made when the step was begun, or one made now.
  fileprivate func begun(_ step: JournalledStep, _ now: Duration) -> RecordedStep {
    if let record = known[step.position], record.state == .intended { return record }
    var record = RecordedStep(step, .intended, started: now, markers)
    record.attempt = (known[step.position]?.attempt ?? 0) + 1
    return record
  }
}

extension RecordedStep {
  init(_ step: JournalledStep, _ state: State, started: Duration, _ markers: SecretMarkers) {
    let head = step.head
    self.init(
      position: step.position, label: head.label, number: head.number, round: head.round, attempt: 1, state: state,
      effect: head.effect, started: started, request: RecordedRequest(step.prepared, markers), boot: BootID.current)
  }

  var isDone: Bool { state == .answered }

  /// Whether it came to nothing, so that another may take its place.
  var isMadeAnew: Bool {
    switch state {
    case .failed: true
    case .unmet: !mayHaveHappened
    case .intended, .sent, .answered, .unknown, .skipped: false
    }
  }
}

extension JournalError {
  init(_ error: StoreError) {
    self = .store(reason: "\(error)")
  }
}
