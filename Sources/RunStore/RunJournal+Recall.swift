internal import GRDB
internal import HTTPTypes
internal import Requests
internal import Synchronization
public import UploaderCore

// What the journal says of a step that was begun before.

extension RunJournal {
  public func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    let (recorded, markers, options) = state.withLock { state in
      state.learn(step.secrets)
      return (state.known[step.path], state.markers, state.options)
    }
    guard let recorded, recorded.state != .skipped else { return nil }

    let differences = recorded.request.differences(to: RecordedRequest(step.prepared, markers))
    if !differences.isEmpty, recorded.mayHaveHappened {
      guard options.acceptsChanges else { throw .changed(step.path, differences: differences) }
      try forget(from: step.path)
      return nil
    }
    let decision = options.decisions[step.path.description] ?? step.head.label.flatMap { options.decisions[$0] }

    switch recorded.state {
    case .skipped, .failed:
      return nil
    case .answered:
      return try recalled(recorded, step, decision, markers)
    case .unmet:
      // A refusal had no effect; a success has to be lived with.
      guard let answer = recorded.answer, recorded.effect == .once, answer.status < 400 else { return nil }
      switch decision {
      case .sendAgain: return nil
      case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
      case .accept:
        return try recalled(recorded, step, decision, markers).map {
          RecalledExchange($0.exchange, isAccepted: true)
        }
      case nil: throw .undecided(step.path, .unexpected)
      }
    case .intended, .sent, .unknown:
      guard recorded.isUndecided else { return nil }
      switch decision {
      case .sendAgain: return nil
      case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
      case .accept, nil: throw .undecided(step.path, .interrupted)
      }
    }
  }

  private func recalled(
    _ recorded: RecordedStep, _ step: JournalledStep, _ decision: ResumeOptions.Decision?, _ markers: SecretMarkers
  ) throws(JournalError) -> RecalledExchange? {
    guard let answer = recorded.answer else { throw .store(reason: "an answer is missing") }
    do throws(RecallFailure) {
      return RecalledExchange(try answer.exchange(step.prepared, markers))
    } catch {
      switch error {
      case .store(let error): throw JournalError(error)
      case .unfilled(let markers):
        // Only the server can give that secret again.
        guard recorded.effect == .once else { return nil }
        switch decision {
        case .sendAgain: return nil
        case .answered(let response): return RecalledExchange(made(step, response), isAccepted: true)
        case .accept, nil: throw .undecided(step.path, .secret(markers.names.sorted().joined(separator: ", ")))
        }
      }
    }
  }

  /// The exchange that somebody says there was; it is recorded as if it had been.
  private func made(_ step: JournalledStep, _ response: Response) -> Exchange {
    let request = step.prepared.request
    let exchange = Exchange(
      description: step.prepared.description,
      request: SentRequest(
        method: request.method, url: request.url, origin: step.prepared.origin, headers: request.headers),
      response: response, profile: step.prepared.profile, started: clock.now())
    finish(step, .answered(exchange, secrets: [], unmet: []))
    return exchange
  }

  /// What was recorded from this step on no longer counts.
  func forget(from path: StepPath) throws(JournalError) {
    let keys = state.withLock { state in
      let paths = state.known.keys.filter { $0 == path || $0.follows(path) || $0.isPart(of: path) }
      for path in paths { state.known[path]?.state = .failed }
      return paths.map(\.key)
    }
    do throws(StoreError) {
      try store.write(.durable) { database in
        for key in keys {
          try database.execute(
            sql: "UPDATE steps SET dropped = 1 WHERE run = ? AND path = ?", arguments: [row, key])
        }
      }
    } catch {
      throw JournalError(error)
    }
  }
}

extension RecordedStep {
  /// Whether the server may have acted on it.
  var mayHaveHappened: Bool {
    switch state {
    case .answered: true
    case .unmet: effect == .once && (answer?.status ?? 0) < 400
    case .intended, .sent, .unknown: isUndecided
    case .failed, .skipped: false
    }
  }

  /// Whether it may have happened, must not happen twice, and got no answer.
  var isUndecided: Bool {
    guard effect == .once else { return false }
    switch state {
    case .sent, .unknown: return true
    // The mark that its first byte left is there if it did, unless the machine went down.
    case .intended: return boot == nil || boot != BootID.current
    case .answered, .unmet, .failed, .skipped: return false
    }
  }
}

extension StepPath {
  func isPart(of group: StepPath) -> Bool {
    components.count > group.components.count && components.starts(with: group.components)
  }
}
