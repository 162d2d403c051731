internal import GRDB
internal import JSONValue
public import Requests
internal import Synchronization
public import UploaderCore

/// The journal of one run: each step before it is sent, when its first byte leaves, and when its answer is there.
///
/// What must not happen twice is on the disk before it is sent, and so is its answer before the next step. What may
/// happen twice is written without waiting for the disk, and with others where one comes quickly after another: what is
/// lost of it is sent again.
public final class RunJournal: OperationJournal {
  struct State {
    /// The latest record of each step, from before and of now, but for those in `grouped`.
    var known: [StepPosition: RecordedStep]
    /// The steps of now whose records were written with others. They are read back when somebody asks for one.
    var grouped: [StepPosition: (attempt: Int, isDone: Bool)] = [:]
    var options: ResumeOptions
    /// How often steps were begun whose records no longer count.
    var droppedAttempts: [StepPosition: Int] = [:]
    /// When each step was asked for, as far as it is written.
    var moments: [StepPosition: Moment] = [:]
    var markers = SecretMarkers([])
    var secrets: Set<Secret> = []
    /// Those of the last step, mostly the same ones again.
    var learnt: Set<Secret> = []
    /// Hides cookies, in what is written for people and not for going on.
    var cookies: Set<Secret> = []
    var masks: SecretMarkers?
    /// What is to be written with the next record.
    var newMoments: [(position: StepPosition, moment: Moment)] = []
    /// What is to be written with others, and before it what could not be written.
    var batches = [StepBatch()]
    /// What could not be written when it had to be.
    var unwritten: [RecordedStep] = []
    /// When anything was written, since 1970.
    var written: Duration = .zero
    /// Whether the last attempt to write failed.
    var isBroken = false
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
    moments: [StepPosition: Moment] = [:], droppedAttempts: [StepPosition: Int] = [:],
    options: ResumeOptions = ResumeOptions(), isResumed: Bool = false
  ) {
    self.store = store
    self.row = row
    self.id = id
    self.clock = clock
    // Later tries come later, and count.
    let known = Dictionary(steps.map { ($0.position, $0) }) { $1 }
    var first = State(
      known: known, options: options, droppedAttempts: droppedAttempts, moments: moments, isResumed: isResumed)
    first.hide(RecordedStep.cookieSecrets(in: steps))
    state = Mutex(first)
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
    if let expiry = expiry(of: step) { throw expiry }
    guard step.needsIntent else {
      // What could not be kept is tried again before anything else is sent.
      if state.withLock({ $0.isBroken }) { try flush() }
      return
    }
    let record = state.withLock { state in
      state.learn(step.secrets)
      var record = RecordedStep(step, .intended, started: clock.now(), state.markers)
      record.attempt = state.nextAttempt(at: step.position)
      state.remember(record)
      return record
    }
    do throws(StoreError) {
      let size = record.request.body.inlineSize
      try write((record, nil), .durable) { [store] _ in try store.reserveOutcome(size) }
    } catch {
      throw JournalError(error)
    }
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
    guard step.needsIntent || body.count > RunStore.inlineLimit else { return group(record) }
    state.withLock { $0.remember(record) }
    if !keep(record, body, step.needsIntent ? .durable : .relaxed) {
      state.withLock { state in
        state.unwritten.append(record)
        state.isBroken = true
      }
    }
  }

  /// Writes what became of a step; once more with the space that was put aside for it, and at last without the body.
  func keep(_ record: RecordedStep, _ body: ResponseBody, _ durability: RunStore.Durability) -> Bool {
    for isLast in [false, true] {
      if (try? write((record, try spool(body)), durability)) != nil { return true }
      if !isLast { store.releaseReserve() }
    }
    guard !body.isEmpty else { return false }
    var record = record
    record.answer?.lostBody = body.count
    record.answer?.body = ResponseBody([])
    return (try? write((record, nil), durability)) != nil
  }

  /// Writes the record with others: at once, unless that was done a moment ago.
  private func group(_ record: RecordedStep) {
    let now = clock.now()
    let isDue = state.withLock { state in
      let isFull = state.group(record)
      let age = now - state.written
      return isFull || age >= .milliseconds(50) || age < .zero
    }
    if isDue { try? write(nil, .relaxed) }
  }

  public func skip(_ position: StepPosition, label: String?, reason: String) {
    let now = clock.now()
    let record = state.withLock { state in
      let request = RecordedRequest(method: "", url: "", headers: [], body: .none, profile: "")
      return RecordedStep(
        position: position, label: label, attempt: state.nextAttempt(at: position), state: .skipped,
        effect: .safe,
        started: now, finished: now, request: request, failure: state.conceal(reason))
    }
    // It is only for those who look at the run: what is left out is decided anew.
    group(record)
  }

  /// The run is over, well or not.
  ///
  /// - Parameter failure: why it failed, in a sentence; nil: it is done.
  public func end(failure: String? = nil) throws(StoreError) {
    let count = state.withLock { $0.doneCount }
    let conceal = { [self] (text: String) in self.state.withLock { $0.conceal(text) } }
    let state = failure == nil ? RecordedRun.State.done : .failed
    let isDone = failure == nil
    // What waits may hold some of it, too.
    if isDone {
      try write(nil, .relaxed)
      if try store.isPresigned(row) { try store.unpack(row) }
    }
    let dropped = isDone ? try store.dropping(from: row) : DroppedValues()
    try write(nil, .durable) { [self] database in
      try RunStore.put(dropped, run: row, in: database)
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, failure = ?, steps = ? WHERE run = ?",
        arguments: [
          state.rawValue, clock.now().inMicroseconds, failure.map(conceal), count, row,
        ])
      // What is done leaves the queue with the same commit.
      if isDone { try database.execute(sql: "DELETE FROM operations WHERE run = ?", arguments: [id]) }
    }
    try store.expunge(dropped)
  }

  // MARK: Records

  private func finished(_ step: JournalledStep, _ error: UploadError) -> RecordedStep {
    let now = clock.now()
    return state.withLock { state in
      state.learn(step.secrets)
      var record = state.begun(step, now)
      record.state = error.outcome == .unknown ? .unknown : .failed
      record.finished = now
      record.failure = state.conceal("\(error)")
      return record
    }
  }

  func finished(
    _ step: JournalledStep, _ exchange: Exchange, _ secrets: Set<Secret>, _ unmet: [UnmetExpectation]
  ) -> RecordedStep {
    let now = clock.now()
    return state.withLock { state in
      state.learn(secrets.isEmpty ? step.secrets : step.secrets.union(secrets))
      state.hide(CookieSecrets.found(in: exchange))
      if state.isResumed { state.answeredNow.insert(step.position) }
      var record = state.begun(step, now)
      record.state = unmet.isEmpty ? .answered : .unmet
      record.started = exchange.started
      record.finished = now
      var body = exchange.response.body
      if body.count <= RunStore.inlineLimit, let bytes = try? body.bytes() {
        body = ResponseBody(state.markers.conceal(bytes))
      }
      record.answer = RecordedAnswer(exchange, body: body, unmet: state.concealed(unmet), state.markers)
      return record
    }
  }

  /// A large body goes to the spool, with markers in it, before the record that needs it.
  private func spool(_ body: ResponseBody) throws(StoreError) -> Spool.Entry? {
    guard body.count > RunStore.inlineLimit else { return nil }
    let markers = state.withLock { $0.markers }
    return try store.spool(body, markers)
  }

  /// Reads back what this process wrote with others.
  func recollect() throws(StoreError) {
    let grouped = state.withLock { $0.grouped }
    guard !grouped.isEmpty else { return }
    try write(nil, .relaxed)
    // Later tries come later, and count.
    let steps = try store.steps(inRow: row).filter { grouped[$0.position] != nil }
    state.withLock { state in for step in steps { state.remember(step) } }
  }

  /// Writes what waits to be written.
  private func flush() throws(JournalError) {
    do throws(StoreError) {
      try write(nil, .durable)
    } catch {
      throw JournalError(error)
    }
  }

  /// Writes a record in one transaction with what waits to be written and the moments at which steps were asked for.
  func write(
    _ record: (RecordedStep, Spool.Entry?)?, _ durability: RunStore.Durability,
    also change: (Database) throws -> Void = { _ in }
  ) throws(StoreError) {
    let (moments, batches, waiting) = state.withLock { state in
      defer { (state.newMoments, state.batches, state.unwritten) = ([], [StepBatch()], []) }
      return (state.newMoments, state.batches, state.unwritten)
    }
    do throws(StoreError) {
      var records: [(RecordedStep, Spool.Entry?)] = []
      for record in waiting {
        records.append((record, try record.answer.flatMap { answer throws(StoreError) in try spool(answer.body) }))
      }
      if let record { records.append(record) }
      try store.write(durability) { database in
        try RunStore.put(moments, run: row, in: database)
        for batch in batches { try RunStore.put(batch, run: row, in: database) }
        for (record, spooled) in records { try RunStore.put(record, run: row, spooled: spooled, in: database) }
        try change(database)
      }
      let now = clock.now()
      state.withLock { ($0.written, $0.isBroken) = (now, false) }
    } catch {
      state.withLock { state in
        state.newMoments.insert(contentsOf: moments, at: 0)
        state.batches.insert(contentsOf: batches, at: 0)
        state.unwritten.insert(contentsOf: waiting, at: 0)
        state.isBroken = true
      }
      throw error
    }
  }
}

extension RunJournal.State {
  /// A secret stays known once it was.
  mutating func learn(_ more: Set<Secret>) {
    guard more != learnt else { return }
    learnt = more
    guard !more.isSubset(of: secrets) else { return }
    secrets.formUnion(more)
    markers = SecretMarkers(secrets)
  }

  mutating func hide(_ more: Set<Secret>) {
    guard !more.isSubset(of: cookies) else { return }
    cookies.formUnion(more)
    masks = SecretMarkers(masking: cookies)
  }

  /// What is written for people.
  func conceal(_ text: String) -> String {
    let text = markers.conceal(text)
    return masks?.conceal(text) ?? text
  }

  fileprivate func concealed(_ unmet: [UnmetExpectation]) -> [UnmetExpectation] {
    unmet.map {
      UnmetExpectation(subject: $0.subject, expected: conceal($0.expected), actual: conceal($0.actual))
    }
  }

  mutating func remember(_ record: RecordedStep) {
    known[record.position] = record
    grouped[record.position] = nil
  }

  /// Puts the record to those that are written together.
  ///
  /// - Returns: whether they are many.
  fileprivate mutating func group(_ record: RecordedStep) -> Bool {
    let asked = newMoments.lastIndex { $0.position == record.position }.map { newMoments.remove(at: $0).moment }
    let last = batches.count - 1
    batches[last].append(record, asked: asked)
    if record.state != .skipped {
      // What a resumed run did is looked into when something has expired.
      if isResumed || known.keys.contains(record.position) {
        known[record.position] = record
      } else {
        grouped[record.position] = (record.attempt, record.isDone)
      }
    }
    return batches[last].size >= 64 << 10
  }

  var doneCount: Int { known.values.count(where: \.isDone) + grouped.values.count(where: \.isDone) }

  /// The record that was made when the step was begun, or one made now.
  fileprivate func begun(_ step: JournalledStep, _ now: Duration) -> RecordedStep {
    if let record = known[step.position], record.state == .intended { return record }
    var record = RecordedStep(step, .intended, started: now, markers)
    record.attempt = nextAttempt(at: step.position)
    return record
  }

  /// What is in the store stays there, whether it counts or not.
  fileprivate func nextAttempt(at position: StepPosition) -> Int {
    max(known[position]?.attempt ?? 0, grouped[position]?.attempt ?? 0, droppedAttempts[position] ?? 0) + 1
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
