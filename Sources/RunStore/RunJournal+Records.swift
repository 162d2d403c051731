internal import POSIX
internal import Requests
internal import Synchronization
internal import UploaderCore

// How what happened becomes records, and when those are written.

extension RunJournal {
  /// Writes the record with others: immediately, unless records were written just before.
  func group(_ entry: StepGroup.Entry, at now: Duration) {
    let (isDue, isFirst) = state.withLock { state in
      state.group(entry)
      let age = now - state.written
      let isDue = state.waiting.group.isFull || !state.isTimed && (age >= Self.interval || age < .zero)
      let isFirst = !isDue && !state.isTimed
      if isFirst { state.isTimed = true }
      return (isDue, isFirst)
    }
    if isDue { try? write(nil, .relaxed) }
    if isFirst { writeLater() }
  }

  private static let microseconds: UInt32 = 50_000
  private static let interval = Duration.microseconds(microseconds)

  /// However long the next step takes, what is done gets into the store soon.
  ///
  /// A thread that sleeps is cheaper than the pool of threads that a task would start.
  private func writeLater() {
    let isStarted = SystemThread.detach { [weak self] in
      _ = usleep(Self.microseconds)
      self?.writeGroup()
    }
    if !isStarted { writeGroup() }
  }

  private func writeGroup() {
    let isEmpty = state.withLock { state in
      state.isTimed = false
      return state.waiting.group.isEmpty && state.waiting.batches.isEmpty
    }
    // A failure is tried again before anything else is sent.
    if !isEmpty { try? write(nil, .relaxed) }
  }

  /// Writes the outcome of a step, or remembers that it has to be written before anything else is sent.
  func keep(_ record: RecordedStep, _ body: ResponseBody, _ durability: JournalDurability) {
    state.withLock { $0.remember(record) }
    guard !isKept(record, body, durability) else { return }
    state.withLock { state in
      state.waiting.records.append(record)
      state.isBroken = true
    }
  }

  /// Tries again with the space that was reserved for it, and finally without the body.
  private func isKept(_ record: RecordedStep, _ body: ResponseBody, _ durability: JournalDurability) -> Bool {
    for isLast in [false, true] {
      var record = record
      // With markers in it, it may have another size.
      if body.count > RunStore.inlineLimit { record.response?.bodySize = body.count }
      if (try? write((record, try spool(body)), durability)) != nil { return true }
      if !isLast { storage.releaseReserve() }
    }
    guard !body.isEmpty else { return false }
    var record = record
    record.response?.lostBody = body.count
    record.response?.body = ResponseBody([])
    return (try? write((record, nil), durability)) != nil
  }

  /// A large body goes to the spool, with markers in it, before the record that needs it.
  private func spool(_ body: ResponseBody) throws(StoreError) -> Spool.Entry? {
    guard body.count > RunStore.inlineLimit else { return nil }
    return try storage.keep(body, state.withLock { $0.concealment.markers })
  }

  /// Reads back what this process wrote with others.
  func recollect() throws(StoreError) {
    let grouped = state.withLock { $0.grouped }
    guard !grouped.isEmpty else { return }
    try write(nil, .relaxed)
    // Later attempts come later, and count.
    let steps = try storage.steps().filter { grouped[$0.position] != nil }
    state.withLock { state in for step in steps { state.remember(step) } }
  }

  /// Writes what is waiting to be written.
  func flush() throws(JournalError) {
    try journalled { () throws(StoreError) in
      try write(nil, .durable)
    }
  }

  /// Writes a record in one transaction with what is waiting to be written and the seeds of the steps.
  func write(
    _ record: (RecordedStep, Spool.Entry?)?, _ durability: JournalDurability, also others: [JournalChange] = []
  ) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      var (waiting, concealment, count, writtenCount) = state.withLock { state in
        defer { state.waiting = Waiting() }
        return (state.waiting, state.concealment, state.doneCount, state.writtenCount)
      }
      waiting.close(concealment)
      do throws(StoreError) {
        var changes = JournalChanges()
        for record in waiting.records {
          changes.records.append(
            (record, try record.response.flatMap { response throws(StoreError) in try spool(response.body) }))
        }
        if let record { changes.records.append(record) }
        let now = clock.now()
        (changes.moments, changes.batches, changes.others) = (waiting.moments, waiting.batches, others)
        if count != writtenCount { changes.progress = (count, now) }
        try storage.write(changes, durability)
        state.withLock { ($0.written, $0.isBroken, $0.writtenCount) = (now, false, count) }
      } catch {
        state.withLock { state in
          state.waiting.prepend(waiting)
          state.isBroken = true
        }
        throw error
      }
    }
  }
}

extension RunJournal.Waiting {
  /// Makes records of what is written with others.
  fileprivate mutating func close(_ concealment: Concealment) {
    guard !group.isEmpty else { return }
    batches.append(group.batch(concealment))
    group = StepGroup()
  }

  /// What could not be written comes before newer entries.
  fileprivate mutating func prepend(_ other: Self) {
    moments = other.moments + moments
    batches = other.batches + batches
    records = other.records + records
  }
}

extension RunJournal.State {
  mutating func failed(_ step: JournalledStep, _ error: UploadError, at now: Duration) -> RecordedStep {
    learn(step.secrets)
    var record =
      begun(step.position)
      ?? RecordedStep(
        step.prepared, at: step.position, .intended, attempt: nextAttempt(at: step.position), started: now,
        concealment)
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
  ///
  /// - Returns: whether any was not known.
  @discardableResult
  mutating func learn(_ more: Set<Secret>) -> Bool {
    guard more != learnt else { return false }
    learnt = more
    guard !more.isSubset(of: secrets.all) else { return false }
    // When those steps are rebuilt it is not known yet.
    waiting.close(concealment)
    for secret in more.sorted(by: { $0.mark < $1.mark }) {
      switch secrets.learn(secret) {
      case .none: break
      case .added: concealment.markers.insert(secret)
      case .forgotten: concealment.markers = SecretMarkers(secrets.all)
      }
    }
    return true
  }

  mutating func hide(_ more: Set<Secret>) {
    guard !more.isSubset(of: cookies) else { return }
    cookies.formUnion(more)
    concealment.masks = SecretMarkers(masking: cookies)
  }

  mutating func remember(_ record: RecordedStep) {
    let former = known.updateValue(record, forKey: record.position)?.isCounted
    let wasCounted = grouped.removeValue(forKey: record.position)?.isCounted ?? former ?? false
    count(record.isCounted, insteadOf: wasCounted)
  }

  private mutating func count(_ isCounted: Bool, insteadOf wasCounted: Bool) {
    doneCount += (isCounted ? 1 : 0) - (wasCounted ? 1 : 0)
  }

  mutating func countAgain() {
    doneCount = known.values.count(where: \.isCounted) + grouped.values.count(where: \.isCounted)
  }

  /// Adds a step to those that are written together.
  mutating func group(_ entry: StepGroup.Entry) {
    let position = entry.position
    let asked = waiting.moments.lastIndex { $0.position == position }.map { waiting.moments.remove(at: $0).moment }
    switch entry {
    // What a resumed run did is examined when something has expired.
    case .answered(let answered) where isResumed || known.keys.contains(position):
      let record = record(answered)
      remember(record)
      waiting.group.append(.recorded(record), asked: asked)
    case .answered(var answered):
      let wasCounted = grouped[position, default: RunJournal.GroupedStep()].tryAgain(
        &answered, after: droppedAttempts[position] ?? 0)
      count(answered.isCounted, insteadOf: wasCounted)
      waiting.group.append(.answered(answered), asked: asked)
    case .recorded(let record):
      if record.state != .skipped {
        remember(record)
      } else {
        // What is sent instead of it is kept beside it.
        droppedAttempts[position] = record.attempt
      }
      waiting.group.append(entry, asked: asked)
    }
  }

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
  /// Everything in one table lookup.
  ///
  /// - Returns: whether it was counted before.
  fileprivate mutating func tryAgain(_ answered: inout AnsweredStep, after dropped: Int) -> Bool {
    defer { isCounted = answered.isCounted }
    attempt = max(attempt, dropped) + 1
    answered.attempt = attempt
    return isCounted
  }
}

extension RecordedStep {
  var isDone: Bool { state == .answered }
  /// Whether it is one of the steps that are done: all rounds of one are counted once.
  var isCounted: Bool { isDone && round ?? 1 == 1 }

  /// Whether it had no result, so that another may replace it.
  var isMadeAgain: Bool {
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

extension RunJournal {
  /// What the store cannot do is an error of the journal for whoever sends.
  func journalled(_ body: () throws(StoreError) -> Void) throws(JournalError) {
    do throws(StoreError) {
      try body()
    } catch {
      throw JournalError(error)
    }
  }
}
