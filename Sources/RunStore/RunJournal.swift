internal import JSONValue
public import Requests
internal import Synchronization
public import UploaderCore

/// The journal of one run: each step before it is sent, when its first byte leaves, and when its response is there.
///
/// What must not happen twice is on the disk before it is sent, and so is its response before the next step. What may
/// happen twice is written without waiting for the disk, and together with others if one follows another quickly:
/// anything lost is sent again.
public final class RunJournal: OperationJournal {
  struct GroupedStep {
    /// The number of the latest attempt.
    var attempt = 0
    var isCounted = false
  }

  /// What has to be written.
  struct Waiting {
    /// With the next record.
    var moments: [(position: StepPosition, moment: StepSeed)] = []
    /// With others.
    var group = StepGroup()
    /// What could not be written with others.
    var batches: [StepBatch] = []
    /// What could not be written when it had to be.
    var records: [RecordedStep] = []
  }

  struct State {
    /// The latest record of each step, from before and from now, except for those in `grouped`.
    var known: [StepPosition: RecordedStep]
    /// The current steps whose records were written with others. They are read back when somebody asks for one.
    var grouped: [StepPosition: GroupedStep] = [:]
    /// What was sent before this process that must not happen twice and may have happened; nothing if the caller
    /// decides what is sent.
    var sentOnce: SentOnce
    var options: ResumeOptions
    /// How often steps were begun whose records no longer count.
    var droppedAttempts: [StepPosition: Int] = [:]
    /// The seed of each step, as far as it is written.
    var moments: [StepPosition: StepSeed] = [:]
    var concealment = Concealment()
    var secrets = RememberedSecrets()
    /// Those of the last step, usually the same ones again.
    var learnt: Set<Secret> = []
    var cookies: Set<Secret> = []
    var waiting = Waiting()
    /// When anything was written, since 1970.
    var written: Duration = .zero
    /// Whether what has to be written with others will be written without anybody asking.
    var isTimed = false
    /// How many steps have got the expected response.
    var doneCount = 0
    /// How many of those are in the store.
    var writtenCount = 0
    /// Whether the last attempt to write failed.
    var isBroken = false
    /// What the run was given, as far as that was read, without the secrets that were known then.
    var parameters: JSON?
    /// Whether it goes on with a run that was begun before.
    var isResumed = false
    /// The steps that got a response in this process.
    var answeredNow: Set<StepPosition> = []
    /// Why the run ended before it was resumed.
    var formerFailure: String?
    /// Whether it stopped again because somebody has to decide what becomes of a step.
    var awaitsDecision = false
  }

  let storage: any JournalStorage
  public let id: String
  let clock: UploadClock
  let state: Mutex<State>
  /// What is taken out of the state to be written is in the store, or put back, before anybody else writes.
  let writing = Mutex(())

  init(
    storage: any JournalStorage, id: String, clock: UploadClock, earlier: EarlierSteps,
    options: ResumeOptions = ResumeOptions(), isResumed: Bool = false, formerFailure: String? = nil
  ) {
    self.storage = storage
    self.id = id
    self.clock = clock
    let steps = earlier.steps
    // Later attempts come later, and count.
    let known = Dictionary(steps.map { ($0.position, $0) }) { $1 }
    var first = State(
      known: known, sentOnce: SentOnce(isResumed ? steps : [], takenBack: earlier.takenBack), options: options,
      droppedAttempts: earlier.droppedAttempts, moments: earlier.moments, isResumed: isResumed,
      formerFailure: formerFailure)
    first.hide(RecordedStep.cookieSecrets(in: steps))
    first.countAgain()
    state = Mutex(first)
  }

  // MARK: Before sending

  /// A step to be made again gets a new seed; any other gets its earlier one, so that it is the same.
  public func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed {
    state.withLock { state in
      if let moment = state.moments[position], !(state.known[position]?.isMadeAgain ?? false) { return moment }
      let moment = now()
      state.waiting.moments.append((position, moment))
      return moment
    }
  }

  public func learn(_ secrets: Set<Secret>) {
    // What cannot be written now is tried again, and nothing is sent meanwhile.
    if state.withLock({ $0.learn(secrets) }), (try? hideParameters()) == nil { state.withLock { $0.isBroken = true } }
  }

  public func intend(_ step: JournalledStep) throws(JournalError) {
    if let expiry = expiry(of: step) { throw expiry }
    guard step.needsIntent else {
      // What could not be stored is tried again before anything else is sent.
      if state.withLock({ $0.isBroken }) { try flush() }
      return
    }
    let record = state.withLock { state in
      state.learn(step.secrets)
      let record = RecordedStep(
        step.prepared, at: step.position, .intended, attempt: state.nextAttempt(at: step.position),
        started: clock.now(), state.concealment)
      state.remember(record)
      return record
    }
    try journalled { () throws(StoreError) in
      try write((record, nil), .durable, also: [.reserving(record.request.body.inlineSize)])
    }
  }

  /// The boot ID in the record of the intent tells later whether this mark could have been lost.
  public func send(_ step: JournalledStep) throws(JournalError) {
    try journalled { () throws(StoreError) in
      var changes = JournalChanges()
      changes.others = [.sent(step.position)]
      try storage.write(changes, .relaxed)
    }
  }

  // MARK: After sending

  public func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) {
    let now = clock.now()
    switch outcome {
    case .failed(let error):
      if case .journal = error.fact { return }
      let record = state.withLock { $0.failed(step, error, at: now) }
      if step.needsIntent { keep(record, ResponseBody([]), .durable) } else { group(.recorded(record), at: now) }
    case .received(let exchange, let secrets, let unmet):
      let body = exchange.response.body
      let isGrouped = !step.needsIntent && body.count <= RunStore.inlineLimit
      let answered = state.withLock { $0.answered(step, exchange, secrets, unmet, at: now) }
      if isGrouped { return group(.answered(answered), at: now) }
      keep(state.withLock { $0.record(answered) }, body, step.needsIntent ? .durable : .relaxed)
    }
  }

  public func skip(_ position: StepPosition, label: String?, reason: String) {
    let now = clock.now()
    let record = state.withLock { state in
      let request = RecordedRequest(method: "", url: "", headers: [], body: .none, profile: "")
      return RecordedStep(
        position: position, label: label, attempt: state.nextAttempt(at: position), state: .skipped,
        effect: .safe,
        started: now, finished: now, request: request, failure: state.concealment.text(reason))
    }
    // It is only for people who look at the run: whether to skip a step is decided again.
    group(.recorded(record), at: now)
  }

  /// The run has ended, successfully or not.
  ///
  /// - Parameter failure: why it failed, in a sentence; nil: it is done.
  public func end(failure: String? = nil) throws(StoreError) {
    let (count, failureText) = state.withLock { state in
      // As long as nobody decides, nothing is different from before.
      let former = state.awaitsDecision && state.answeredNow.isEmpty ? state.formerFailure : nil
      return (state.doneCount, failure.map { former ?? state.concealment.text($0) })
    }
    // What waits may hold some of it, too.
    try hideParameters()
    var dropped = DroppedValues()
    if failure == nil {
      try write(nil, .relaxed)
      dropped = try storage.dropping()
    }
    try write(
      nil, .durable, also: [.ended(failure: failureText, done: count, at: clock.now(), dropped)])
    try storage.expunge(dropped)
  }
}
