internal import HTTPTypes
internal import Requests

/// From a description to its exchange: sends, follows redirects, and tries again where that can do no harm.
extension Uploader {
  /// - Parameter step: as the journal has to know it; nil: there is none.
  func exchange(
    _ prepared: PreparedRequest, profiles: SessionProfiles, boundary: String, at position: StepPosition,
    step: JournalledStep?, of sequence: some OperationRequestSequence, watch: StreamWatch
  ) async throws(UploadError) -> Exchange {
    let head = prepared.description.head
    // A call that may wait costs, also if it does not.
    if head.delay > .zero { try await wait(head.delay, in: head) } else { try checkCancellation(in: head) }
    if let step { try await intend(step) }

    let rule = prepared.retry ?? retry
    var failed: [FailedAttempt] = []
    var lastCause: RetryPolicy.Cause?
    // Otherwise nobody asks.
    let started = head.patience == nil ? .zero : clock.now()
    while true {
      let outcome: Result<Exchange, UploadError>
      var redirect: Exchange?
      do {
        outcome = .success(
          try await follow(
            prepared, after: &redirect, profiles: profiles, boundary: boundary, failed: failed, at: position,
            step: step, of: sequence, watch: watch))
      } catch {
        outcome = .failure(failure(error, after: redirect, of: sequence, watch: watch))
      }
      watch.end()
      if case .failure(let error) = outcome, let patience = head.patience, watch.mayBeginAgain,
        RetryPolicy.mayRepeat(head), case .transport(let failure, _) = error.fact,
        RetryPolicy.cause(of: failure) != nil,
        patience.allows(after: failed.count + 1, passed: clock.now().subtracting(started))
      {
        failed.append(FailedAttempt(reason: failure.fact.summary, wait: patience.interval))
        observe(.retrying(head, failed))
        try await wait(patience.interval, in: head)
        continue
      }
      guard failed.count + 1 < rule.attempts, watch.mayBeginAgain, RetryPolicy.mayRepeat(head),
        let (cause, reason) = Self.cause(of: outcome, rule: rule),
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

  /// The error of an attempt, and the redirects that led to it.
  private func failure(
    _ error: UploadError, after redirect: Exchange?, of sequence: some OperationRequestSequence, watch: StreamWatch
  ) -> UploadError {
    // Where nothing came of what a redirect led to, the redirect is what came.
    if watch.kept == nil, let redirect {
      tell(sequence.secrets(in: redirect))
      watch.kept = redirect
    }
    return UploadError(error.fact, in: error.step, withheld: error.withheld, redirects: redirect?.hops ?? [])
  }

  /// Sends once, and follows where the response leads.
  ///
  /// - Parameter redirect: the last redirect that was followed, also if it fails.
  @inline(__always) private func follow(
    _ prepared: PreparedRequest, after redirect: inout Exchange?, profiles: SessionProfiles, boundary: String,
    failed: [FailedAttempt], at position: StepPosition, step: JournalledStep?,
    of sequence: some OperationRequestSequence, watch: StreamWatch
  ) async throws(UploadError) -> Exchange {
    var current = prepared
    var withheld = prepared.withheld
    let started = clock.now()
    while true {
      var reply: TransportResponse
      var token: AccessToken?
      watch.sending(StreamWatch.Sending(prepared: current, started: started))
      do {
        if current.credential?.isLate ?? false {
          (reply, token) = try await authorized(current, at: position, step: step, of: sequence, watch: watch)
        } else {
          reply = try await send(current, at: position, step: step, watch: watch)
        }
      } catch {
        throw UploadError(error.fact, in: error.step, withheld: withheld)
      }
      // Mostly it is the whole response.
      let failure =
        watch.hasStreamed || reply.ending != .complete
        ? try await goOn(&reply, with: current, watch: watch, of: sequence, at: position) : nil
      let sent = SentRequest(
        method: current.request.method, url: current.request.url, origin: current.origin,
        headers: reply.sentHeaders, bodySize: reply.sentBodySize)
      let hops = redirect?.hops ?? []
      let decision = RedirectPolicy.decide(
        reply.response, to: current.request, at: current.origin, hops: hops.count, limit: prepared.redirectLimit,
        origin: { try? transport.origin(of: $0) })
      let refusal: RedirectRefusal? = if case .refuse(let reason) = decision { reason } else { nil }
      let exchange = Exchange(
        description: prepared.description, request: sent, response: reply.response, timings: reply.timings,
        profile: current.profile, withheld: withheld, connection: reply.connection, started: started, redirects: hops,
        refusedRedirect: refusal,
        failedAttempts: failed, token: token.flatMap { Self.sent($0, with: current) })
      if case .follow(let url, let method, let keepsBody) = decision {
        redirect = exchange
        observe(.redirected(prepared.description.head, exchange.hop))
        current = try current.redirected(
          to: url, method: method, keepsBody: keepsBody, profiles: profiles, boundary: boundary,
          now: clock.now(), secrets: known(to: sequence),
          origin: { url throws(TransportError) in try transport.origin(of: url) })
        for entry in current.withheld where !withheld.contains(entry) { withheld.append(entry) }
        continue
      }
      tell(sequence.secrets(in: exchange))
      if let failure {
        watch.kept = exchange
        throw UploadError(
          .transport(failure, origin: current.origin), in: prepared.description.head, withheld: withheld)
      }
      observe(.received(exchange))
      return exchange
    }
  }

  /// Sends with the credential, and again if only that was refused.
  func authorized(
    _ prepared: PreparedRequest, at position: StepPosition, step: JournalledStep?,
    of sequence: some OperationRequestSequence, watch: StreamWatch
  ) async throws(UploadError) -> (TransportResponse, AccessToken?) {
    var rounds = CredentialRounds()
    while true {
      let ready = try await authorize(prepared, &rounds, of: sequence)
      let reply = try await send(ready, at: position, step: step, watch: watch)
      guard rounds.isRepeated(after: reply.response, prepared, digests, now: clock.now()) else {
        return (reply, rounds.token)
      }
    }
  }

  private static func sent(_ token: AccessToken, with prepared: PreparedRequest) -> SentToken? {
    guard case .oauth(let settings)? = prepared.credential else { return nil }
    return SentToken(origin: settings.summary, expires: token.expires)
  }

  @inline(__always) private func send(
    _ prepared: PreparedRequest, at position: StepPosition, step: JournalledStep?, watch: StreamWatch
  ) async throws(UploadError) -> TransportResponse {
    let head = prepared.description.head
    var prepared = prepared
    cookies.attach(to: &prepared, now: clock.now())
    observe(.sending(prepared, at: position))
    var request = prepared.request
    if keepsWholeBodies || passOn != nil, head.limit == nil { request.limits.bodyBytes = .max }
    let gate = head.effect == .once ? step.flatMap { step in journal.map { JournalGate(step, $0) } } : nil
    // The context of such a function is the object itself, so that none has to be made.
    var pass: @Sendable () throws(TransportError) -> Void = {}
    if let gate { pass = gate.pass }
    do {
      let reply = try await transport.send(
        request, beforeFirstByte: pass, watcher: watch, progress: { [watch] in watch.progressed($0) })
      tell(CookieSecrets.found(in: reply.response, from: prepared.origin))
      cookies.receive(
        reply.response, to: prepared, now: clock.now(), isPublicSuffix: { transport.isPublicSuffix($0) })
      return reply
    } catch {
      if let refusal = gate?.refusal { throw UploadError(.journal(refusal), in: head) }
      throw UploadError(.transport(error, origin: prepared.origin), in: head)
    }
  }

  private func wait(_ duration: Duration, in head: RequestHead) async throws(UploadError) {
    do {
      if duration > .zero { try await clock.sleep(duration) }
    } catch {
      throw UploadError(.cancelled, in: head)
    }
    try checkCancellation(in: head)
  }

  private func checkCancellation(in head: RequestHead) throws(UploadError) {
    if Task.isCancelled { throw UploadError(.cancelled, in: head) }
  }

  /// Why an outcome is worth another attempt, in a few words for people.
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

extension TransportError.Fact {
  /// A few words.
  var summary: String {
    switch self {
    case .url(_, let reason), .connect(let reason), .proxy(let reason), .connectionLost(let reason),
      .malformedResponse(let reason), .other(let reason):
      reason
    case .tls: "TLS verification failed"
    case .resolve(let host): "no address for \(host)"
    case .connectTimeout, .firstByteTimeout: "no response in time"
    case .idleTimeout, .timeout: "not complete in time"
    case .truncated: "the response was cut short"
    case .tooMuch: "the response is too large"
    case .file: "a file could not be read"
    case .cancelled: "cancelled"
    }
  }
}
