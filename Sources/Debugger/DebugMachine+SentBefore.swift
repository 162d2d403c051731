package import Requests
internal import RunStore
internal import UploaderCore

/// What was sent before this program was started, and should happen once.
extension DebugMachine {
  /// Every time that this step was sent before and may have taken effect: at its position, or, if the script has
  /// changed since, as the same request at a position to which the run has not come with it.
  func sentBefore(_ description: RequestDescription, at position: StepPosition) -> [RecordedStep] {
    guard description.head.effect == .once, !sentOnceBefore.isEmpty else { return [] }
    let now = recordedRequest(description, at: position)
    let sentHere = sentOnceBefore.steps(at: position, called: description.head.label, asking: now)
    return sentHere + sentElsewhere(now, at: position)
  }

  private func sentElsewhere(_ now: RecordedRequest?, at position: StepPosition) -> [RecordedStep] {
    guard let now else { return [] }
    var sent = sentOnceBefore
    for (position, record) in run.history.stepRecords where sent.hasSteps(at: position) {
      guard let exchange = record.exchange, let request = recordedRequest(exchange.description, at: position) else {
        continue
      }
      sent.meet(request, at: position)
    }
    return sent.steps(asking: now, elsewhereThan: position)
  }

  private func recordedRequest(_ description: RequestDescription, at position: StepPosition) -> RecordedRequest? {
    journalled(description, at: position, nil).map { RecordedStep($0, nil).request }
  }

  /// Whether it was sent and got no response, so that it may have taken effect.
  package func isUndecided(_ description: RequestDescription, at position: StepPosition) -> Bool {
    if undecided.contains(position) { return true }
    guard description.head.effect == .once, !sentOnceBefore.isEmpty else { return false }
    return sentElsewhere(recordedRequest(description, at: position), at: position).contains(where: \.isUndecided)
  }

  /// Whether it had been left out when the run was left.
  package func wasLeftOut(_ description: RequestDescription, at position: StepPosition) -> Bool {
    leftOut[position].map { $0.label == description.head.label } ?? false
  }

  /// The last response to this very request, if that was the last request sent for the step.
  func recordedResponse(to description: RequestDescription, at position: StepPosition) -> Exchange? {
    let candidates =
      [recordedResponses[position]].compactMap { $0 }
      + sentBefore(description, at: position).reversed().filter { $0.position != position }
    for step in candidates where step.response != nil && step.response?.lostBody == nil {
      guard let journalled = journalled(description, at: position, nil) else { return nil }
      let journal = ReplayJournal([step], moments: [:], isOffline: false)
      if let exchange = try? journal.recall(journalled)?.exchange { return exchange }
    }
    return nil
  }
}
