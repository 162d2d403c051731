internal import HTTPTypes
public import Requests
internal import Synchronization
public import UploaderCore

// What the journal knows of a step that was begun before.

extension RunJournal {
  public func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    meet(step)
    do throws(JournalError) {
      if let exchange = try recallLatest(step) { return exchange }
      if let exchange = try recallSentBefore(step) { return exchange }
      return try recallSentElsewhere(step)
    } catch {
      if case .undecided = error { state.withLock { $0.awaitsDecision = true } }
      throw error
    }
  }

  /// Notes that the run has come to a step that must not happen twice.
  private func meet(_ step: JournalledStep) {
    state.withLock { state in
      guard step.head.effect == .once, !state.sentOnce.isEmpty else { return }
      state.learn(step.secrets)
      state.sentOnce.meet(RecordedRequest(step.prepared, state.concealment.markers), at: step.position)
    }
  }

  public func enter(loop position: StepPosition) {
    state.withLock { $0.sentOnce.enter(loop: position) }
  }

  /// What must be sent only once is not sent again because the script has changed, so that it is at another position.
  private func recallSentElsewhere(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    let (place, options) = state.withLock { state -> (StepPosition?, ResumeOptions) in
      guard step.head.effect == .once, !state.sentOnce.isEmpty else { return (nil, state.options) }
      let now = RecordedRequest(step.prepared, state.concealment.markers)
      // The same request was begun here: it is this step's own, and to be sent whatever was sent elsewhere.
      if state.known[step.position]?.request.asksForTheSame(as: now) == true { return (nil, state.options) }
      return (state.sentOnce.steps(asking: now, elsewhereThan: step.position).first?.position, state.options)
    }
    guard let place else { return nil }
    return try decided(step, options.decision(on: step), .sentElsewhere(place))
  }

  /// What somebody said of a step that cannot be sent again without asking.
  private func decided(
    _ step: JournalledStep, _ decision: ResumeOptions.Decision?, _ reason: UndecidedReason
  ) throws(JournalError) -> RecalledExchange? {
    switch decision {
    case .sendAgain: return nil
    case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
    case .accept, nil: throw .undecided(step.position, reason)
    }
  }

  /// What must be sent only once is not sent again because something else was recorded of the step since.
  private func recallSentBefore(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    let (sent, now, options) = state.withLock { state in
      let now =
        state.sentOnce.hasSteps(at: step.position) ? RecordedRequest(step.prepared, state.concealment.markers) : nil
      return (
        state.sentOnce.steps(at: step.position, called: step.head.label, asking: now), now, state.options
      )
    }
    guard !sent.isEmpty, let now else { return nil }
    switch options.decision(on: step) {
    case .sendAgain: return nil
    case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
    case .accept, nil:
      guard options.acceptsChanges, sent.allSatisfy({ !$0.request.differences(to: now).isEmpty }) else {
        throw .undecided(step.position, .sentBefore)
      }
      try startAgain(from: step.position)
      return nil
    }
  }

  private func recallLatest(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    let (isGrouped, isKnown) = state.withLock { state in
      (state.grouped.keys.contains(step.position), state.known.keys.contains(step.position))
    }
    guard isGrouped || isKnown else { return nil }
    if isGrouped { try recollected() }
    let (recorded, markers, options) = state.withLock { state in
      state.learn(step.secrets)
      return (state.known[step.position], state.concealment.markers, state.options)
    }
    guard let recorded, recorded.state != .skipped else { return nil }

    let differences = recorded.request.differences(to: RecordedRequest(step.prepared, markers))
    if !differences.isEmpty, recorded.mayHaveHappened {
      guard options.acceptsChanges else { throw .changed(step.position, differences: differences) }
      try startAgain(from: step.position)
      return nil
    }
    let decision = options.decision(on: step)

    switch recorded.state {
    case .skipped, .failed:
      return nil
    case .answered:
      return try recalled(recorded, step, decision, markers)
    case .unmet:
      guard let response = recorded.response else { return nil }
      switch decision {
      case .sendAgain: return nil
      case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
      case .accept:
        return try recalled(recorded, step, decision, markers).map {
          RecalledExchange($0.exchange, isAccepted: true)
        }
      case nil:
        // A refusal had no effect; a success cannot be undone.
        guard recorded.effect == .once, response.mayBeDone else { return nil }
        throw .undecided(step.position, .unexpected)
      }
    case .intended, .sent, .unknown:
      return recorded.isUndecided ? try decided(step, decision, .interrupted) : nil
    }
  }

  private func recalled(
    _ recorded: RecordedStep, _ step: JournalledStep, _ decision: ResumeOptions.Decision?, _ markers: SecretMarkers
  ) throws(JournalError) -> RecalledExchange? {
    guard let response = recorded.response else { throw .store(reason: "a response is missing") }
    if response.lostBody != nil {
      guard recorded.effect == .once else { return nil }
      if decision != .accept { return try decided(step, decision, .bodyLost) }
    }
    do throws(RecallFailure) {
      return RecalledExchange(try response.exchange(of: recorded.request, step.prepared, markers))
    } catch {
      switch error {
      case .store(let error): throw JournalError(error)
      case .unfilled(let markers):
        // Only the server can provide that secret again, unless it came from somebody.
        guard recorded.effect == .once || recorded.isGiven else { return nil }
        return try decided(step, decision, recorded.reason(lacking: markers))
      }
    }
  }

  private func recollected() throws(JournalError) {
    try journalled { () throws(StoreError) in
      try recollect()
    }
  }

  /// The exchange that somebody declared; it is recorded as if it had happened.
  private func made(_ step: JournalledStep, _ response: Response) -> Exchange {
    let request = step.prepared.request
    let exchange = Exchange(
      description: step.prepared.description,
      request: SentRequest(
        method: request.method, url: request.url, origin: step.prepared.origin, headers: request.headers),
      response: response, profile: step.prepared.profile, started: clock.now())
    finish(step, .received(exchange, secrets: [], unmet: []))
    return exchange
  }

  /// What was recorded from this step on no longer counts.
  func forget(from position: StepPosition) throws(JournalError) {
    try forget(.doneAgain) { $0 == position || $0.comesAfter(position) }
  }

  /// What was recorded after this step no longer counts.
  func forget(after position: StepPosition) throws(JournalError) {
    try forget(.doneAgain) { $0.comesAfter(position) }
  }

  /// Somebody wants everything from this step on done again: including what was sent and taken back before.
  func startAgain(from position: StepPosition) throws(JournalError) {
    try forget(from: position)
    let positions = state.withLock { state in
      let allowed = state.sentOnce.positions.filter { $0 == position || $0.comesAfter(position) }
      for position in allowed { state.sentOnce.allow(at: position) }
      return allowed
    }
    guard !positions.isEmpty else { return }
    try journalled { () throws(StoreError) in
      try write(nil, .durable, also: [.allowed(Array(positions))])
    }
  }

  func forget(_ reason: DropReason, _ isDropped: (StepPosition) -> Bool) throws(JournalError) {
    try recollected()
    let positions = state.withLock { state in
      let dropped = state.known.keys.filter(isDropped)
      for position in dropped {
        state.known[position]?.state = .failed
        if reason == .doneAgain { state.sentOnce.allowWhatCounted(at: position) }
      }
      state.countAgain()
      for asked in state.moments.keys where isDropped(asked) { state.moments[asked] = nil }
      return dropped
    }
    try journalled { () throws(StoreError) in
      try write(nil, .durable, also: [.dropped(Array(positions), reason)])
    }
  }
}

extension RecordedStep {
  /// Why its response cannot be had again without these secrets, which were in it.
  func reason(lacking secrets: UnfilledMarkers) -> UndecidedReason {
    let names = secrets.names.sorted().joined(separator: ", ")
    return isGiven ? .givenSecret(names) : .secret(names)
  }

  /// Whether the server may have acted on it.
  var mayHaveHappened: Bool {
    switch state {
    case .answered: true
    case .unmet: effect == .once && (response?.mayBeDone ?? true)
    case .intended, .sent, .unknown: isUndecided
    case .failed, .skipped: false
    }
  }

  /// Whether it may have happened, must not happen twice, and got no response.
  public var isUndecided: Bool {
    guard effect == .once else { return false }
    switch state {
    case .sent, .unknown: return true
    // The mark that its first byte left is there if it did, unless the machine crashed.
    case .intended: return boot == nil || boot != BootID.current
    case .answered, .unmet, .failed, .skipped: return false
    }
  }
}

extension RecordedResponse {
  /// Whether the server may have done what it was asked. It has not if it refused, nor if it only said where else the
  /// same request should go.
  fileprivate var mayBeDone: Bool {
    Self.mayBeDone(redirects.map(\.status) + [status])
  }
}

extension RecordedResponse {
  /// - Parameter statuses: those of the redirects, and that of the response.
  static func mayBeDone(_ statuses: [Int]) -> Bool {
    (statuses.last ?? 0) < 400 && !statuses.allSatisfy(RedirectHop.saysNothingWasDone)
  }
}

extension StepPosition {
  /// Whether this step is part of the other, comes after it in the same block, or after the group that contains it.
  func comesAfter(_ other: StepPosition) -> Bool {
    if indices.count > other.indices.count, indices.starts(with: other.indices) { return true }
    // What runs beside it in other children of the same group does not come after it.
    for depth in stride(from: 0, to: other.indices.count, by: 2) where indices.count > depth {
      guard indices[..<depth] == other.indices[..<depth] else { return false }
      if indices[depth] != other.indices[depth] { return indices[depth] > other.indices[depth] }
    }
    return false
  }
}
