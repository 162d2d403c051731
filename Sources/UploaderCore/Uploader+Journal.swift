internal import Requests
internal import Synchronization

/// The result of a step's request.
struct StepExchange {
  let exchange: Exchange
  /// The step whose outcome the journal does not know yet; nil: it knows, or there is none.
  let unfinished: JournalledStep?
  /// Whether it is accepted whatever was expected of it.
  let isAccepted: Bool

  init(_ exchange: Exchange, unfinished: JournalledStep? = nil, isAccepted: Bool = false) {
    self.exchange = exchange
    self.unfinished = unfinished
    self.isAccepted = isAccepted
  }
}

/// A step between the journal and the network.
extension Uploader {
  /// The exchange of the step: the one that the journal remembers, or one that is made now.
  @inline(__always) func exchange(
    for description: RequestDescription, of sequence: some OperationRequestSequence, at position: StepPosition,
    watch: StreamWatch
  ) async throws(UploadError) -> StepExchange {
    let profiles = sequence.profiles ?? profiles
    // One boundary for all attempts: they send the same bytes.
    let boundary = boundary(for: description, isSent: true)
    let prepared = try PreparedRequest(
      description, profiles: profiles, secrets: known(to: sequence), boundary: boundary, now: clock.now(),
      cache: cache,
      origin: { url throws(TransportError) in try transport.origin(of: url) })
    guard let journal else {
      return StepExchange(
        try await exchange(
          prepared, profiles: profiles, boundary: boundary, at: position, step: nil, of: sequence, watch: watch))
    }
    let secrets = known(to: sequence).union(profiles.secrets).union(description.head.secrets)
    let step = JournalledStep(position: position, prepared: prepared, secrets: secrets)
    do {
      if let recalled = try journal.recall(step) {
        tell(sequence.secrets(in: recalled.exchange).union(CookieSecrets.found(in: recalled.exchange)))
        keepCookies(of: recalled.exchange, to: prepared, profiles: profiles, secrets: secrets)
        observe(.recalled(recalled.exchange, at: position))
        return StepExchange(recalled.exchange, isAccepted: recalled.isAccepted)
      }
    } catch {
      throw UploadError(.journal(error), in: description.head)
    }
    do {
      let exchange = try await exchange(
        prepared, profiles: profiles, boundary: boundary, at: position, step: step, of: sequence,
        watch: watch)
      return StepExchange(exchange, unfinished: step)
    } catch {
      await journal.finish(step, .failed(error))
      throw error
    }
  }

  /// Keeps what a recorded response sets, and the redirects on the way to it.
  private func keepCookies(
    of exchange: Exchange, to prepared: PreparedRequest, profiles: SessionProfiles, secrets: Set<Secret>
  ) {
    var current = prepared
    for (index, hop) in exchange.hops.enumerated() {
      if index > 0 {
        let next = try? current.redirected(
          to: hop.request.url, method: hop.request.method, keepsBody: false, profiles: profiles, boundary: "",
          now: clock.now(), secrets: secrets,
          origin: { url throws(TransportError) in try transport.origin(of: url) })
        guard let next else { return }
        current = next
      }
      cookies.receive(hop.response, to: current, now: clock.now(), isPublicSuffix: { transport.isPublicSuffix($0) })
    }
  }

  func intend(_ step: JournalledStep) async throws(UploadError) {
    do {
      try await journal?.intend(step)
    } catch {
      throw UploadError(.journal(error), in: step.head)
    }
  }
}

/// Lets the first byte of a request leave once the journal knows of it.
final class JournalGate: Sendable {
  private let step: JournalledStep
  private let journal: any StepJournal
  private let error = Mutex<JournalError?>(nil)

  init(_ step: JournalledStep, _ journal: any StepJournal) {
    self.step = step
    self.journal = journal
  }

  /// Why the journal let no byte leave; nil: it did.
  var refusal: JournalError? { error.withLock { $0 } }

  @Sendable func pass() throws(TransportError) {
    do throws(JournalError) {
      try journal.send(step)
    } catch {
      self.error.withLock { $0 = error }
      throw TransportError(.cancelled)
    }
  }
}
