internal import HTTPTypes
internal import Requests
internal import Synchronization

/// From a description to its exchange: send, follow redirects, try again where that can do no harm.
extension Uploader {
  func exchange(
    for description: RequestDescription, in run: SequenceRun<some OperationRequestSequence>
  ) async throws(UploadError) -> StepExchange {
    let profiles = run.sequence.profiles ?? profiles
    // One boundary for all attempts: they send the same bytes.
    let boundary = makeBoundary()
    let prepared = try PreparedRequest(
      description, profiles: profiles, boundary: boundary, origin: transport.origin)
    guard let journal else {
      return StepExchange(try await exchange(prepared, profiles: profiles, boundary: boundary, step: nil))
    }
    let secrets = run.sequence.secrets.union(profiles.all.flatMap(\.secrets)).union(description.head.secrets)
    let step = JournalledStep(path: run.nextPath, prepared: prepared, secrets: secrets)
    do {
      if let recalled = try journal.recall(step) {
        observe(.recalled(recalled.exchange))
        return StepExchange(recalled.exchange, isAccepted: recalled.isAccepted)
      }
    } catch {
      throw UploadError(.journal(error), in: description.head)
    }
    do {
      let exchange = try await exchange(prepared, profiles: profiles, boundary: boundary, step: step)
      return StepExchange(exchange, unfinished: step)
    } catch {
      journal.finish(step, .failed(error))
      throw error
    }
  }

  private func exchange(
    _ prepared: PreparedRequest, profiles: SessionProfiles, boundary: String, step: JournalledStep?
  ) async throws(UploadError) -> Exchange {
    let head = prepared.description.head
    try await wait(head.delay, in: head)
    if let step {
      do {
        try journal?.intend(step)
      } catch {
        throw UploadError(.journal(error), in: head)
      }
    }

    var failed: [FailedAttempt] = []
    var lastCause: RetryPolicy.Cause?
    while true {
      let outcome: Result<Exchange, UploadError>
      do {
        outcome = .success(
          try await attempt(
            prepared, profiles: profiles, boundary: boundary, failed: failed, step: step))
      } catch {
        outcome = .failure(error)
      }
      guard failed.count + 1 < prepared.retry.attempts, RetryPolicy.mayRepeat(head),
        let (cause, reason) = Self.cause(of: outcome, rule: prepared.retry),
        budget.take(cause, at: prepared.origin)
      else {
        if case .success(let exchange) = outcome, exchange.response.status.kind == .successful {
          budget.succeeded(after: lastCause, at: prepared.origin)
        }
        return try outcome.get()
      }
      lastCause = cause
      let pause = RetryPolicy.wait(
        after: failed.count, response: try? outcome.get().response, chance: chance(), now: clock.now())
      failed.append(FailedAttempt(reason: reason, wait: pause))
      observe(.retrying(head, failed))
      try await wait(pause, in: head)
    }
  }

  /// Sends once, and follows where the answer leads.
  private func attempt(
    _ prepared: PreparedRequest, profiles: SessionProfiles, boundary: String, failed: [FailedAttempt],
    step: JournalledStep?
  ) async throws(UploadError) -> Exchange {
    var current = prepared
    var withheld = prepared.withheld
    var hops: [RedirectHop] = []
    let started = clock.now()
    while true {
      let answer = try await send(current, step: step)
      let sent = SentRequest(
        method: current.request.method, url: current.request.url, origin: current.origin,
        headers: answer.sentHeaders, bodySize: answer.sentBodySize)
      let decision = RedirectPolicy.decide(
        answer.response, to: current.request, at: current.origin, hops: hops.count, limit: prepared.redirectLimit,
        origin: { try? transport.origin(of: $0) })

      let refusal: RedirectRefusal?
      switch decision {
      case .stop: refusal = nil
      case .refuse(let reason): refusal = reason
      case .follow(let url, let method, let keepsBody):
        hops.append(RedirectHop(request: sent, response: answer.response))
        current = try current.redirected(
          to: url, method: method, keepsBody: keepsBody, profiles: profiles, boundary: boundary,
          origin: transport.origin)
        for entry in current.withheld where !withheld.contains(entry) { withheld.append(entry) }
        continue
      }
      let exchange = Exchange(
        description: prepared.description, request: sent, response: answer.response, timings: answer.timings,
        profile: current.profile, withheld: withheld, started: started, redirects: hops, refusedRedirect: refusal,
        failedAttempts: failed)
      observe(.received(exchange))
      return exchange
    }
  }

  private func send(_ prepared: PreparedRequest, step: JournalledStep?) async throws(UploadError) -> TransportResponse {
    let head = prepared.description.head
    observe(.sending(prepared))
    let progress: @Sendable (TransferProgress) -> Void = { [observe] in observe(.progress(head, $0)) }
    let refusal = Refusal()
    do {
      guard let step, let journal, head.effect == .once else {
        return try await transport.send(prepared.request, progress: progress)
      }
      return try await transport.send(
        prepared.request,
        beforeFirstByte: { () throws(TransportError) in
          do throws(JournalError) {
            try journal.send(step)
          } catch {
            refusal.error.withLock { $0 = error }
            throw TransportError(.cancelled)
          }
        }, progress: progress)
    } catch {
      if let refusal = refusal.error.withLock({ $0 }) { throw UploadError(.journal(refusal), in: head) }
      throw UploadError(.transport(error, origin: prepared.origin), in: head)
    }
  }

  private func wait(_ duration: Duration, in head: RequestHead) async throws(UploadError) {
    do {
      if duration > .zero { try await clock.sleep(duration) }
      try Task.checkCancellation()
    } catch {
      throw UploadError(.cancelled, in: head)
    }
  }

  /// Why an outcome is worth another attempt, with a few words for people.
  private static func cause(
    of outcome: Result<Exchange, UploadError>, rule: RetryRule
  ) -> (RetryPolicy.Cause, reason: String)? {
    switch outcome {
    case .success(let exchange):
      return RetryPolicy.cause(of: exchange.response, rule: rule).map { ($0, "\(exchange.response.status.code)") }
    case .failure(let error):
      guard case .transport(let failure, _) = error.fact else { return nil }
      return RetryPolicy.cause(of: failure).map { ($0, failure.fact.summary) }
    }
  }
}

/// What a step's request came to.
struct StepExchange {
  let exchange: Exchange
  /// What the journal has yet to learn the outcome of.
  let unfinished: JournalledStep?
  /// Whether it is good whatever was expected of it.
  let isAccepted: Bool

  init(_ exchange: Exchange, unfinished: JournalledStep? = nil, isAccepted: Bool = false) {
    self.exchange = exchange
    self.unfinished = unfinished
    self.isAccepted = isAccepted
  }
}

/// Why the journal let no byte leave.
private final class Refusal: Sendable {
  let error = Mutex<JournalError?>(nil)
}

extension TransportError.Fact {
  /// A few words.
  fileprivate var summary: String {
    switch self {
    case .url(_, let reason), .connect(let reason), .tls(let reason), .connectionLost(let reason),
      .malformedResponse(let reason), .other(let reason):
      reason
    case .resolve(let host): "no address for \(host)"
    case .connectTimeout, .firstByteTimeout, .idleTimeout, .timeout: "no answer in time"
    case .truncated: "the answer was cut short"
    case .tooMuch: "the answer is too large"
    case .file: "a file could not be read"
    case .cancelled: "cancelled"
    }
  }
}
