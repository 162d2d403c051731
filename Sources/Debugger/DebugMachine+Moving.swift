internal import HTTPTypes
internal import RequestProgram
package import Requests
internal import Sessions
internal import UploaderCore

/// Forward.
extension DebugMachine {
  mutating func begin() {
    learn(start.secrets)
    arrive()
  }

  /// Goes to the next request, and stops before it.
  mutating func arrive() {
    while true {
      var position = run.position
      var asked: [StepPosition] = []
      let moment = surroundings.moment()
      do {
        defer { for position in asked { actions.append(.note(position, moment)) } }
        let step = try run.next(at: { next in
          position = next
          asked.append(next)
          return moment
        })
        learn(run.innermostSequence.secrets)
        switch step {
        case .request(let description)?:
          stop = .before(description, run.position)
          return
        case .skipped(let label, let reason)?:
          let record = StepRecord.skipped(label: label, reason: reason)
          run.record(record)
          tell(.done(record))
        case .group?, nil:
          stop = .end
          return
        }
      } catch {
        learn(run.innermostSequence.secrets)
        let failure = UploadError(.sequence(error))
        self.failure = failure
        stop = .blocked(failure, position)
        return
      }
    }
  }

  mutating func next() {
    switch stop {
    case .before: return beginSending(for: .nextStep)
    case .after, .nowhere: arrive()
    case .blocked: goOnAfterFailure()
    case .end: break
    }
    show()
  }

  /// - Parameter place: where the machine was, if it left that for the step.
  mutating func send(from place: Place? = nil) {
    guard case .before = stop else { return tell(.refused(.noStepToSend)) }
    beginSending(for: .thisStep, from: place)
  }

  mutating func resend() {
    guard let position = lastSent else { return tell(.refused(.noStepToResend)) }
    if case .before(_, position) = stop { return send() }
    let place = Place(run: run, stop: stop, failure: failure, hasChangedPast: hasChangedPast)
    rebuild(run.history.before(position))
    send(from: place)
  }

  /// Nothing is sent, and the run is where it was.
  mutating func decline(from place: Place?) {
    if let place {
      (run, stop, failure, hasChangedPast) = (place.run, place.stop, place.failure, place.hasChangedPast)
    }
    tell(.notSent)
  }

  /// Where the step is that was sent last, and not the one that comes next and never was.
  private var lastSent: StepPosition? {
    func wasSent(_ position: StepPosition) -> Bool { attempts[position]?.isEmpty == false }
    switch stop {
    case .before(_, let position) where wasSent(position): return position
    case .after(let position, _, _): return position
    case .before, .blocked, .end, .nowhere: return run.history.stepRecords.last { wasSent($0.position) }?.position
    }
  }

  /// - Parameter isFirst: whether a breakpoint at the step that it stands before counts.
  mutating func proceed(isFirst: Bool) {
    var isFirst = isFirst
    switch stop {
    case .after, .nowhere:
      arrive()
      isFirst = true
    case .blocked: goOnAfterFailure()
    case .before, .end: break
    }
    goOnToBreakpoint(ignoringFirst: !isFirst)
  }

  private mutating func goOnToBreakpoint(ignoringFirst: Bool) {
    guard case .before(let description, _) = stop else { return show() }
    if !ignoringFirst, let number = breakpoint(before: description) {
      tell(.atBreakpoint(number))
      return show()
    }
    beginSending(for: .breakpoint)
  }

  private mutating func goOnAfterFailure() {
    arrive()
    if case .blocked = stop { stop = .end }
  }

  // MARK: Sending

  /// Sends the request that comes next, once; asks first about one that was sent and should happen once.
  private mutating func beginSending(for goal: Goal, from place: Place? = nil) {
    guard case .before(let description, let position) = stop else { return }
    guard asksBeforeSending(description, at: position) else { return send(for: goal) }
    expected = .consent(goal, from: place)
    actions.append(.ask(description))
  }

  /// Whether the step should happen once and was sent before.
  package func asksBeforeSending(_ description: RequestDescription, at position: StepPosition) -> Bool {
    let wasSentBefore = !sentBefore(description, at: position).isEmpty
    return wasSentBefore || sentOnce.contains { $0.isSameStep(as: description) }
  }

  mutating func send(for goal: Goal) {
    guard case .before(_, let position) = stop else { return }
    expected = .outcome(goal)
    actions.append(.send(recorded(at: position)))
  }

  /// The step as it is recorded, with what was changed before it.
  mutating func recorded(at position: StepPosition) -> DebugStep {
    defer { hasChangedPast = false }
    return DebugStep(run: run, position: position, hasChangedPast: hasChangedPast)
  }

  mutating func sent(_ outcome: DebugSendOutcome, for goal: Goal) {
    guard case .before(let description, let position) = stop else { return }
    let before = run
    let step: StepOutcome<StepRecord?>
    switch outcome {
    case .unrecorded(let error):
      hasChangedPast = true
      return tell(.error(UploadError(.journal(error), in: description.head)))
    case .performed(let performed): step = performed
    }
    undecided.remove(position)
    unanswered = description
    run = step.run
    learn(run.innermostSequence.secrets)
    if description.head.effect == .once, step.result.mayHaveTakenEffect { sentOnce.append(description) }
    switch step.result {
    case .success(let record):
      failure = nil
      if let record { tell(.done(record)) }
      if let exchange = record?.exchange { attempts[position, default: []].append(exchange) }
      goOn(to: goal, from: position)
    case .failure(let error):
      if error.outcome == .unknown { undecided.insert(position) }
      if error.isFromJournal {
        run = before
        tell(.error(error))
      } else if error.isInterruption, responseThatBrokeOff(at: position) == nil {
        run = before
        tell(.interrupted(error))
        show()
      } else {
        fail(error, at: position)
      }
    }
  }

  private mutating func goOn(to goal: Goal, from position: StepPosition) {
    let response = attempts[position]?.last
    switch goal {
    case .nextStep:
      arrive()
      show()
    case .thisStep:
      stop = .after(position, response, nil)
      if let response { tell(.response(response)) }
      show()
    case .breakpoint:
      if let response, let number = breakpoint(after: response) {
        stop = .after(position, response, nil)
        tell(.atBreakpoint(number))
        return show()
      }
      arrive()
      goOnToBreakpoint(ignoringFirst: false)
    }
  }

  /// Stops after a step that failed, with everything there is to say about it.
  mutating func fail(_ error: UploadError, at position: StepPosition) {
    failure = error
    var response = responseThatBrokeOff(at: position)
    if case .expectations(_, let exchange) = error.fact { response = exchange }
    if let response { attempts[position, default: []].append(response) }
    stop = .after(position, response, error)
    tell(.failed(error, response))
    show()
    actions.append(.diagnose(response))
  }

  /// What came of a response that ^C or the network ended, if it was shown as it came.
  private func responseThatBrokeOff(at position: StepPosition) -> Exchange? {
    let exchange = run.history.stepRecords.last { $0.position == position }?.record.exchange
    return exchange.flatMap { $0.response.cut == nil ? nil : $0 }
  }
}

extension Result<StepRecord?, UploadError> {
  /// Whether it may have taken effect: as far as is known it was sent, and it was not refused.
  fileprivate var mayHaveTakenEffect: Bool {
    switch self {
    case .success: true
    case .failure(let error):
      switch error.fact {
      case .expectations(_, let exchange): exchange.response.status.kind != .clientError
      case .unsaved: true
      case .transport(let failure, _): failure.requestWasSent
      case .sequence, .profile, .secretRefused, .framing, .cancelled, .journal, .group, .signIn: false
      }
    }
  }
}

extension UploadError {
  /// Whether ^C ended it.
  fileprivate var isInterruption: Bool {
    switch fact {
    case .cancelled: true
    case .transport(let error, _): error.fact == .cancelled
    case .sequence, .profile, .expectations, .unsaved, .secretRefused, .framing, .journal, .group, .signIn: false
    }
  }
}

extension RequestDescription {
  /// Whether both are the same step, in the same iteration, with the same target.
  fileprivate func isSameStep(as other: RequestDescription) -> Bool {
    head.method == other.head.method && head.label == other.head.label && head.items == other.head.items
      && head.target == other.head.target
  }
}
