internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
internal import Sessions
internal import UploaderCore

/// A run that was recorded.
extension StepDebugger {
  /// Does what a recorded run did, and sends nothing: then it stands behind the step that failed, or before the first
  /// that has no answer.
  mutating func recall(_ recorded: RecordedSteps) async {
    let recaller = session.recording(in: recorded.journal)
    var failed: (error: UploadError, position: StepPosition)?
    var obstacle: JournalError?
    while true {
      var asked: [(StepPosition, Moment)] = []
      let now = world.moment
      let next = Result {
        try run.next(at: { position in
          let moment = recorded.moment(at: position) ?? now
          asked.append((position, moment))
          return moment
        })
      }
      for (position, moment) in asked { record?.note(moment, at: position) }
      let position = run.position
      switch next {
      case .failure(let error):
        failed = (UploadError(.sequence(error)), asked.last?.0 ?? position)
        continue
      case .success(.skipped(let label, let reason)?):
        run.record(.skipped(label: label, reason: reason))
        continue
      case .success(.request(let description)?):
        guard let step = recorded[position] else { break }
        if step.state == .skipped {
          run.record(.skipped(label: description.head.label, reason: step.failure ?? "skipped"))
          continue
        }
        guard let answer = step.answer else { break }
        guard answer.lostBody == nil else {
          obstacle = .undecided(position, .bodyLost)
          break
        }
        let outcome = await recaller.step(run, groups: .oneByOne)
        if case .failure(let error) = outcome.result {
          if case .journal(let refusal) = error.fact {
            obstacle = refusal
            break
          }
          failed = (error, position)
        } else {
          failed = nil
        }
        run = outcome.run
        continue
      case .success(.group?), .success(nil): break
      }
      break
    }
    hasChangedPast = true
    remember(recorded)
    let count = run.exchanges.count
    say("\(count) recorded \(count == 1 ? "answer" : "answers"), nothing was sent")
    stand(behind: failed)
    if let obstacle { say(obstacle, recorded) }
  }

  /// Of what was answered, and of what may have taken effect.
  private mutating func remember(_ recorded: RecordedSteps) {
    for (position, record) in run.history.stepRecords {
      guard let exchange = record.exchange else { continue }
      attempts[position, default: []].append(exchange)
      let isRefused = record.isFailed && exchange.response.status.kind == .clientError
      if exchange.description.head.effect == .once, !isRefused { sentOnce.append(exchange.description) }
    }
    undecided = Set(recorded.undecided.map(\.position))
    recordedAnswers = recorded.lastAnswers
    sentOnceBefore = recorded.sentOnce
  }

  private mutating func stand(behind failed: (error: UploadError, position: StepPosition)?) {
    guard let (error, position) = failed else { return arrive() }
    if case .sequence = error.fact {
      failure = error
      stop = .blocked(error, position)
    } else {
      fail(error, at: position)
    }
  }

  /// Why an answer that there is was not taken.
  private func say(_ obstacle: JournalError, _ recorded: RecordedSteps) {
    switch obstacle {
    case .undecided(_, .secret(let name)):
      say("the answer to this step held the secret \"\(name)\", which is not kept: sent again it brings one", .warning)
    case .notRecorded, .changed:
      guard case .before(let description, let position) = stop, let step = recorded[position],
        let difference = difference(from: step.withoutAnswer, description, at: position, nil)
      else { return }
      say("this request is not the one that was recorded, so its answer is not taken", .warning)
      printer.result(difference)
    case .store(let reason): complain("an answer can not be had again: \(reason)")
    case .undecided(_, .bodyLost):
      say("the body of the answer to this step was not kept, since the disk was full", .warning)
    case .undecided, .expired: break
    }
  }

  // MARK: What was answered before this program was started

  /// What was answered last to this very request, if it was the last that was sent for the step.
  func recordedAnswer(to description: RequestDescription, at position: StepPosition) -> Exchange? {
    guard let step = recordedAnswers[position], step.answer?.lostBody == nil,
      let journalled = journalled(description, at: position, nil)
    else { return nil }
    return try? ReplayJournal([step], moments: [:], isOffline: false).recall(journalled)?.exchange
  }

  /// How the step differs from what was recorded of it.
  ///
  /// - Parameter answer: what came of it; nil: it was not sent.
  func difference(
    from step: RecordedStep, _ description: RequestDescription, at position: StepPosition, _ answer: Exchange?
  ) -> StyledText? {
    guard let journalled = journalled(description, at: position, answer) else { return nil }
    let now = RecordedStep(journalled, answer)
    secrets.learn(RecordedStep.cookieSecrets(in: [step, now]))
    return RunDifference([step], [now]).steps.reduce(into: StyledText()) {
      for line in $1.lines { $0.append(line) }
    }
  }
}

extension RecordedStep {
  /// Only what was asked.
  var withoutAnswer: RecordedStep {
    var step = self
    step.answer = nil
    return step
  }
}
