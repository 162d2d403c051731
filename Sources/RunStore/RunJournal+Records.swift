internal import GRDB
internal import Requests
internal import Synchronization
internal import UploaderCore

// How what happened becomes records, and when those are written.

extension RunJournal {
  /// Writes the record with others: at once, unless that was done a moment ago.
  func group(_ entry: StepGroup.Entry, at now: Duration) {
    let isDue = state.withLock { state in
      state.group(entry)
      let age = now - state.written
      return state.group.isFull || age >= .milliseconds(50) || age < .zero
    }
    if isDue { try? write(nil, .relaxed) }
  }

  /// Writes what became of a step, or remembers that it is to be written before anything else is sent.
  func keep(_ record: RecordedStep, _ body: ResponseBody, _ durability: RunStore.Durability) {
    state.withLock { $0.remember(record) }
    guard !isKept(record, body, durability) else { return }
    state.withLock { state in
      state.unwritten.append(record)
      state.isBroken = true
    }
  }

  /// Writes it once more with the space that was put aside for it, and at last without the body.
  private func isKept(_ record: RecordedStep, _ body: ResponseBody, _ durability: RunStore.Durability) -> Bool {
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

  /// A large body goes to the spool, with markers in it, before the record that needs it.
  private func spool(_ body: ResponseBody) throws(StoreError) -> Spool.Entry? {
    guard body.count > RunStore.inlineLimit else { return nil }
    return try store.spool(body, state.withLock { $0.concealment.markers })
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
  func flush() throws(JournalError) {
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
      state.batches.append(state.group.batch(state.concealment))
      defer { (state.newMoments, state.group, state.batches, state.unwritten) = ([], StepGroup(), [], []) }
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
  mutating func failed(_ step: JournalledStep, _ error: UploadError, at now: Duration) -> RecordedStep {
    learn(step.secrets)
    var record =
      begun(step.position)
      ?? RecordedStep(
        step.prepared, at: step.position, .intended, attempt: nextAttempt(at: step.position), started: now,
        concealment.markers)
    record.state = error.outcome == .unknown ? .unknown : .failed
    record.finished = now
    record.failure = concealment.text("\(error)")
    return record
  }

  mutating func answered(
    _ step: JournalledStep, _ exchange: Exchange, _ secrets: Set<Secret>, _ unmet: [UnmetExpectation],
    at now: Duration
  ) -> AnsweredStep {
    learn(secrets.isEmpty ? step.secrets : step.secrets.union(secrets))
    hide(CookieSecrets.found(in: exchange))
    if isResumed { answeredNow.insert(step.position) }
    return AnsweredStep(
      position: step.position, prepared: step.prepared, exchange: exchange, unmet: unmet, finished: now)
  }

  /// The record of a step that is not written with others.
  func record(_ answered: AnsweredStep) -> RecordedStep {
    var answered = answered
    answered.attempt = begun(answered.position)?.attempt ?? nextAttempt(at: answered.position)
    return answered.record(concealment)
  }

  /// A secret stays known once it was.
  mutating func learn(_ more: Set<Secret>) {
    guard more != learnt else { return }
    learnt = more
    guard !more.isSubset(of: secrets) else { return }
    secrets.formUnion(more)
    concealment.markers = SecretMarkers(secrets)
  }

  mutating func hide(_ more: Set<Secret>) {
    guard !more.isSubset(of: cookies) else { return }
    cookies.formUnion(more)
    concealment.masks = SecretMarkers(masking: cookies)
  }

  mutating func remember(_ record: RecordedStep) {
    known[record.position] = record
    grouped[record.position] = nil
  }

  /// Puts a step to those that are written together.
  mutating func group(_ entry: StepGroup.Entry) {
    let position = entry.position
    let asked = newMoments.lastIndex { $0.position == position }.map { newMoments.remove(at: $0).moment }
    switch entry {
    // What a resumed run did is looked into when something has expired.
    case .answered(let answered) where isResumed || known.keys.contains(position):
      let record = record(answered)
      known[position] = record
      group.append(.recorded(record), asked: asked)
    case .answered(var answered):
      let dropped = droppedAttempts[position] ?? 0
      answered.attempt = grouped[position, default: RunJournal.GroupedStep()].next(after: dropped, answered.isDone)
      group.append(.answered(answered), asked: asked)
    case .recorded(let record):
      if record.state != .skipped { remember(record) }
      group.append(entry, asked: asked)
    }
  }

  var doneCount: Int { known.values.count(where: \.isDone) + grouped.values.count(where: \.isDone) }

  /// The record that was made when the step was begun.
  func begun(_ position: StepPosition) -> RecordedStep? {
    known[position].flatMap { $0.state == .intended ? $0 : nil }
  }

  /// What is in the store stays there, whether it counts or not.
  func nextAttempt(at position: StepPosition) -> Int {
    max(known[position]?.attempt ?? 0, grouped[position]?.attempt ?? 0, droppedAttempts[position] ?? 0) + 1
  }
}

extension RunJournal.GroupedStep {
  /// Another try of it. It is looked up once for all of this.
  fileprivate mutating func next(after dropped: Int, _ isDone: Bool) -> Int {
    attempt = max(attempt, dropped) + 1
    self.isDone = isDone
    return attempt
  }
}

extension RecordedStep {
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
