internal import HTTPTypes
internal import RequestProgram
package import Requests
internal import Sessions
internal import UploaderCore

/// Going back, and everything else that makes the run again.
extension DebugMachine {
  /// Makes the run again and goes to its next step.
  ///
  /// - Parameters:
  ///   - skipsWhatFails: whether it goes past steps that cannot be made.
  ///   - keeps: whether the record of a request is still valid.
  mutating func rebuild(
    _ history: RunHistory, skippingWhatFails skipsWhatFails: Bool = false,
    keeps: (RequestDescription, StepRecord) -> Bool = { _, _ in true }
  ) {
    surroundings.rewind()
    run = SequenceRun(start, replaying: history, keeps: keeps)
    if skipsWhatFails { skipWhatFails(true) }
    hasChangedPast = true
    learn(run.innermostSequence.secrets)
    failure = nil
    arrive()
  }

  /// The history without the step that failed last.
  var historyThatStands: RunHistory {
    switch stop {
    case .after(let position, _, .some): run.history.before(position)
    case .blocked(_, let position): run.history.before(position)
    case .after(_, _, nil), .before, .nowhere, .end:
      if let failed = run.history.stepRecords.first(where: { $0.record.isFailed }) {
        run.history.before(failed.position)
      } else {
        run.history
      }
    }
  }

  /// Makes the run again after something changed, with the responses to all requests that are as they were.
  mutating func rebuildKeepingResponses(_ history: RunHistory) {
    rebuild(history) { description, record in
      guard !record.isFailed else { return false }
      return record.exchange.map { description.isSameRequest(as: $0.description) } ?? true
    }
  }

  // MARK: Back and forward

  mutating func back(_ count: Int) {
    var steps = pastSteps
    // The step that cannot be made has not run: back goes before the one whose response it lacks.
    if case .blocked(_, let position) = stop { steps.removeAll { $0 == position } }
    guard count > 0, let target = steps.dropLast(count - 1).last else {
      return tell(.refused(.tooFarBack(steps: steps.count)))
    }
    goBack(to: target)
  }

  mutating func back(to name: String) {
    guard let target = position(of: name, in: pastSteps) else { return tell(.refused(.noPastStep(name))) }
    goBack(to: target)
  }

  private mutating func goBack(to target: StepPosition) {
    let undone = run.history.stepRecords.filter { $0.position >= target }.compactMap(\.record.exchange)
    rebuild(run.history.before(target))
    for exchange in undone where exchange.description.head.effect == .once {
      if sentOnce.contains(exchange.description) { tell(.notUndone(exchange)) }
    }
    show()
  }

  mutating func goTo(_ name: String) {
    if let target = position(of: name, in: pastSteps) { return goBack(to: target) }
    let before = self
    switch stop {
    // The step that failed, or cannot be made, is skipped too.
    case .after(let position, _, .some), .blocked(_, let position):
      rebuild(run.history.before(position), skippingWhatFails: true)
    case .after(_, _, nil):
      skipWhatFails(true)
      arrive()
    case .before, .end, .nowhere: skipWhatFails(true)
    }
    var skipped: [(position: StepPosition, description: RequestDescription)] = []
    while case .before(let description, let position) = stop {
      if isStep(name, description) {
        skipWhatFails(false)
        for (position, description) in skipped { record(.skipped(description), at: position) }
        if !skipped.isEmpty { tell(.skipped(skipped.map(\.description))) }
        return show()
      }
      skipped.append((position, description))
      run.record(.skipped(description))
      arrive()
    }
    let isSkipped = run.history.stepRecords.contains { record in
      if case .skipped(let label?, _) = record.record { label == name } else { false }
    }
    self = before
    actions = []
    tell(.refused(isSkipped ? .needsSkipped(name) : .noSuchStep(name)))
  }

  private mutating func skipWhatFails(_ isSo: Bool) {
    run.changeSequences { $0.skipsWhatFails = isSo }
  }

  // MARK: Not sent

  mutating func skip() {
    standBeforeFailure()
    guard case .before(let description, let position) = stop else { return tell(.refused(.noStepToSkip)) }
    guard let response = usableResponse(for: description, at: position) else {
      run.record(.skipped(description))
      record(.skipped(description), at: position)
      tell(.leftOut(description))
      arrive()
      return show()
    }
    accept(response, at: position, isEarlier: true)
  }

  mutating func take(_ response: Response) {
    standBeforeFailure()
    guard case .before(let description, let position) = stop else { return tell(.refused(.noStepToSkip)) }
    do {
      let prepared = try surroundings.prepare(description, run.innermostSequence)
      let exchange = Exchange(
        description: description,
        request: SentRequest(method: prepared.request.method, url: prepared.request.url, origin: prepared.origin),
        response: response, profile: prepared.profile, started: surroundings.moment().time)
      accept(exchange, at: position, isEarlier: false)
    } catch {
      tell(.error(error))
    }
  }

  mutating func replaceResponse(_ body: [UInt8]) {
    guard case .after(let position, let response?, _) = stop else { return tell(.refused(.noResponseToReplace)) }
    rebuild(run.history.before(position))
    accept(response.with(body), at: position, isEarlier: false)
  }

  private mutating func standBeforeFailure() {
    if case .after(let position, _, .some) = stop { rebuild(run.history.before(position)) }
  }

  /// The response that this very request got, if it got one that was as expected.
  package func usableResponse(for description: RequestDescription, at position: StepPosition) -> Exchange? {
    guard let response = attempts[position]?.last ?? recordedResponse(to: description, at: position),
      response.description.isSameRequest(as: description),
      run.innermostSequence.unmetExpectations(of: response).isEmpty
    else { return nil }
    return response
  }

  /// Takes a response that was not just received from the network.
  private mutating func accept(_ response: Exchange, at position: StepPosition, isEarlier: Bool) {
    let sequence = run.innermostSequence
    learn(sequence.secrets(in: response))
    let unmet = sequence.unmetExpectations(of: response)
    let step =
      !unmet.isEmpty
      ? StepRecord.failed(label: response.label, response)
      : sequence.isRepeated(after: response) ? .round(response) : .exchange(response)
    run.record(step)
    record(step, at: position)
    undecided.remove(position)
    guard unmet.isEmpty else {
      return fail(UploadError(.expectations(unmet, response), in: response.description.head), at: position)
    }
    attempts[position, default: []].append(response)
    tell(.took(response, isEarlier: isEarlier))
    arrive()
    show()
  }

  /// Records what became of a step that was not sent.
  mutating func record(_ step: StepRecord, at position: StepPosition) {
    actions.append(.record(step, recorded(at: position)))
  }

  // MARK: Finding a step

  /// The steps that have run, each once, however many rounds it had; the one the run stopped after is the last of them.
  private var pastSteps: [StepPosition] {
    var steps: [StepPosition] = []
    var isInside = false
    for (position, record) in run.history.stepRecords {
      if !isInside { steps.append(position) }
      if case .round = record { isInside = true } else { isInside = false }
    }
    if case .blocked(_, let position) = stop, !steps.contains(position) { steps.append(position) }
    return steps
  }

  /// Whether a step of this name has run.
  package func hasPastStep(_ name: String) -> Bool { position(of: name, in: pastSteps) != nil }

  /// The last step with that label; a number is not a name here, it is a count.
  private func position(of name: String, in steps: [StepPosition]) -> StepPosition? {
    let records = Dictionary(run.history.stepRecords.map { ($0.position, $0.record) }) { $1 }
    return steps.last { position in
      switch records[position] {
      case .exchange(let exchange)?, .round(let exchange)?, .failed(_, let exchange?)?:
        isStep(name, exchange.description)
      case .failed(let label, nil)?, .skipped(let label, _)?: label == name
      case .group?, nil: false
      }
    }
  }

  /// `put`, `put[3]`, or `$3`.
  package func isStep(_ name: String, _ description: RequestDescription) -> Bool {
    let head = description.head
    if name.hasPrefix("$") { return head.number.map { "$\($0)" == name } ?? false }
    if head.label == name { return true }
    return head.label.map { $0 + head.items.map { "[\($0)]" }.joined() == name } ?? false
  }
}

extension StepRecord {
  fileprivate static func skipped(_ description: RequestDescription) -> StepRecord {
    .skipped(label: description.head.label, reason: "in the debugger")
  }
}

extension Exchange {
  /// The same with another body.
  func with(_ body: [UInt8]) -> Exchange {
    var response = self.response
    response.body = ResponseBody(body)
    return with(response)
  }

  /// The same with another response.
  func with(_ response: Response) -> Exchange {
    Exchange(
      description: self.description, request: self.request, response: response, timings: self.timings,
      profile: self.profile,
      withheld: self.withheld, started: self.started, redirects: self.redirects, refusedRedirect: self.refusedRedirect,
      failedAttempts: self.failedAttempts, token: self.token)
  }
}
