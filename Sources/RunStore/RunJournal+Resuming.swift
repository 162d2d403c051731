internal import Requests
internal import Synchronization
internal import UploaderCore

// Where a resumed run begins: not always at the first step that is not done.

extension RunJournal {
  /// Discards what somebody wants done again, and what only the server can tell by now.
  func prepareToResume() throws(StoreError) {
    let (steps, options) = state.withLock { state in
      (state.known.values.sorted { $0.position < $1.position }, state.options)
    }
    do {
      if let from = options.from {
        guard let step = steps.first(where: { $0.isCalled(from) }) else {
          throw StoreError.noSuchStep(from, labels: steps.compactMap(\.label))
        }
        try startAgain(from: step.position)
      } else if !options.keepsWhatFollowsFailures, let failed = steps.first(where: \.isMadeAgain) {
        // What was done after a step failed, such as cleanup, belongs to that attempt.
        try forget(after: failed.position)
      }
      if options.from == nil, let probe = Self.probe(in: steps) {
        try forget(from: probe.position)
      }
    } catch let error as StoreError {
      throw error
    } catch let error as JournalError {
      throw .database(error.reason)
    } catch {
      throw .database("\(error)")
    }
  }

  /// The step that asked the server for the progress of an upload that was not completed. The server decides on
  /// offsets: it is asked again, and what came after it follows from its response.
  ///
  /// Only requests with an `Upload-Offset` are continued this way: the server refuses one whose offset is not its own,
  /// so it cannot happen twice.
  private static func probe(in steps: [RecordedStep]) -> RecordedStep? {
    guard let index = steps.firstIndex(where: { !$0.isDone && $0.state != .skipped }),
      steps[index].request.hasHeader("upload-offset")
    else { return nil }
    let interrupted = steps[index]
    for step in steps[..<index].reversed() {
      guard step.request.url == interrupted.request.url else { return nil }
      if step.effect == .safe,
        step.response?.headers.contains(where: { $0.name.lowercased() == "upload-offset" }) == true
      {
        return step
      }
    }
    return nil
  }

  /// Whether the request has expired, and which step's response allocated it.
  func expiry(of step: JournalledStep) -> JournalError? {
    state.withLock { state in
      guard state.isResumed else { return nil }
      let now = clock.now()
      let request = RecordedRequest(step.prepared, state.concealment.markers)
      guard let expires = Expiry.moment(of: request), expires < now else { return nil }
      let earlier = state.known.values.filter { $0.isDone && $0.position < step.position }.sorted {
        $0.position > $1.position
      }
      let allocator = earlier.first { $0.allocates(request) }
      // What this process was given is not expired just because the clocks here and there differ.
      if let allocator, state.answeredNow.contains(allocator.position) { return nil }
      return .expired(step.position, allocatedBy: allocator?.position, since: now.subtracting(expires))
    }
  }
}

extension JournalError {
  fileprivate var reason: String {
    if case .store(let reason) = self { reason } else { "\(self)" }
  }
}

extension RecordedRequest {
  func hasHeader(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name }
  }
}

extension RecordedStep {
  /// Whether this response is where that request's address or form came from.
  fileprivate func allocates(_ request: RecordedRequest) -> Bool {
    guard let response, response.body.count <= RunStore.inlineLimit, let bytes = try? response.body.bytes() else {
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self).replacing("\\/", with: "/")
    if request.url.contains("?"), text.contains(request.url.replacing("&", with: "\\u0026")) { return true }
    if request.url.contains("?"), text.contains(request.url) { return true }
    if response.headers.contains(where: { $0.name.lowercased() == "location" && $0.value == request.url }) {
      return true
    }
    guard case .parts(let parts) = request.body else { return false }
    return parts.contains { part in
      guard part.name.lowercased() == "policy", case .bytes(let policy) = part.content else { return false }
      return text.contains(String(decoding: policy, as: UTF8.self))
    }
  }
}
