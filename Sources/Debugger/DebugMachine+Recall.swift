internal import HTTPTypes
package import RequestProgram
package import Requests
package import RunStore
internal import Sessions
package import UploaderCore

/// A recorded run whose responses are being taken.
struct Recall: Sendable {
  let steps: RecordedSteps
  var failed: (error: UploadError, position: StepPosition)?
}

/// Why a recorded response was not taken.
package enum RecallObstacle: Sendable {
  case refused(JournalError)
  /// The request is no longer the one that was recorded.
  case changed(RecordedStep, RequestDescription, StepPosition)
}

/// A run that was recorded.
extension DebugMachine {
  /// Does what a recorded run did, and sends nothing. Then it is after the step that failed, or before the first one
  /// that has no response.
  mutating func recall(_ recorded: RecordedSteps) {
    learn(start.secrets)
    recall = Recall(steps: recorded)
    goOnRecalling()
  }

  private mutating func goOnRecalling() {
    guard let steps = recall?.steps else { return }
    while true {
      var asked: [(StepPosition, StepSeed)] = []
      let now = surroundings.moment()
      let next = Result {
        try run.next(at: { position in
          let moment = steps.moment(at: position) ?? now
          asked.append((position, moment))
          return moment
        })
      }
      for (position, moment) in asked { actions.append(.note(position, moment)) }
      let position = run.position
      switch next {
      case .failure(let error):
        recall?.failed = (UploadError(.sequence(error)), asked.last?.0 ?? position)
        // What is done nevertheless comes after it.
        continue
      case .success(.skipped(let label, let reason)?):
        run.record(.skipped(label: label, reason: reason))
        continue
      case .success(.request(let description)?):
        guard let step = steps[position] else { return finishRecalling() }
        if step.state == .skipped {
          run.record(.skipped(label: description.head.label, reason: step.failure ?? "skipped"))
          continue
        }
        guard let response = step.response else { return finishRecalling() }
        guard response.lostBody == nil else {
          return finishRecalling(.undecided(position, .bodyLost))
        }
        expected = .recalled
        actions.append(.replay(run, from: steps.journal))
        return
      case .success(.group?), .success(nil): return finishRecalling()
      }
    }
  }

  mutating func replayed(_ outcome: StepOutcome<StepRecord?>) {
    let position = run.position
    if case .failure(let error) = outcome.result {
      if case .journal(let refusal) = error.fact { return finishRecalling(refusal) }
      recall?.failed = (error, position)
    } else {
      recall?.failed = nil
    }
    run = outcome.run
    goOnRecalling()
  }

  private mutating func finishRecalling(_ obstacle: JournalError? = nil) {
    guard let recall else { return }
    self.recall = nil
    hasChangedPast = true
    remember(recall.steps)
    tell(.recalled(run.exchanges.count))
    stand(after: recall.failed)
    if let obstacle { tell(obstacle, recall.steps) }
  }

  private mutating func tell(_ obstacle: JournalError, _ recorded: RecordedSteps) {
    switch obstacle {
    case .notRecorded, .changed:
      guard case .before(let description, let position) = stop, let step = recorded[position] else { return }
      tell(.obstacle(.changed(step.withoutResponse, description, position)))
    case .undecided, .store, .expired: tell(.obstacle(.refused(obstacle)))
    }
  }

  /// Keeps what was received, and what may have taken effect.
  private mutating func remember(_ recorded: RecordedSteps) {
    for (position, record) in run.history.stepRecords {
      guard let exchange = record.exchange else { continue }
      attempts[position, default: []].append(exchange)
      let isRefused = record.isFailed && exchange.response.status.kind == .clientError
      if exchange.description.head.effect == .once, !isRefused { sentOnce.append(exchange.description) }
    }
    undecided = Set(recorded.undecided.map(\.position))
    recordedResponses = recorded.lastResponses
    standing = recorded.standing
    leftOut = recorded.leftOut
    sentOnceBefore = recorded.sentOnce
  }

  private mutating func stand(after failed: (error: UploadError, position: StepPosition)?) {
    guard let (error, position) = failed else { return arrive() }
    if case .sequence = error.fact {
      failure = error
      stop = .blocked(error, position)
    } else {
      fail(error, at: position)
    }
  }

  /// The step as it is reported to a journal.
  ///
  /// - Parameter response: its response; nil: it was not sent.
  package func journalled(
    _ description: RequestDescription, at position: StepPosition, _ response: Exchange?
  ) -> JournalledStep? {
    JournalledStep(description, at: position, response, in: run.innermostSequence, surroundings)
  }
}

extension JournalledStep {
  /// A step of the sequence as it is reported to a journal; nil if it cannot be prepared.
  package init?(
    _ description: RequestDescription, at position: StepPosition, _ response: Exchange?,
    in sequence: ProgramRequestSequence, _ surroundings: DebugSurroundings
  ) {
    guard let prepared = try? surroundings.prepareRecord(description, sequence) else { return nil }
    var secrets = sequence.secrets.union(description.head.secrets)
    secrets.formUnion((sequence.profiles ?? SessionProfiles()).secrets)
    if let response { secrets.formUnion(sequence.secrets(in: response)) }
    self.init(position: position, prepared: prepared, secrets: secrets)
  }
}

extension RecordedStep {
  /// Only what was asked.
  package var withoutResponse: RecordedStep {
    var step = self
    step.response = nil
    return step
  }
}
