import Canaries
import HTTPTypes
import Requests
import Synchronization
import Testing
import UploaderCore

/// What a run reports while it is in progress.
@Suite(.timeLimit(.minutes(5))) struct UploadEventsTests {
  private func get(_ url: String, label: String? = nil) -> RequestDescription {
    .inMemory(InMemoryRequestDescription(RequestHead(.get, .url(url)) { $0.label = label }))
  }

  private func name(_ event: UploadEvent) -> String {
    switch event {
    case .asked, .secrets, .group: ""
    case .sending(let prepared, _):
      "sending \(prepared.request.url) withheld \(prepared.withheld.map(\.label))"
    case .progress(_, let progress, _): "progress \(progress.sent)"
    case .retrying(_, let attempts): "retrying after \(attempts.map(\.reason))"
    case .redirected(_, let hop): "redirected from \(hop.request.url)"
    case .received(let exchange): "received \(exchange.response.status.code)"
    case .recalled: "recalled"
    case .step(.exchange(let exchange), _): "step \(exchange.label ?? "")"
    case .step(_, let position): "another step at \(position)"
    }
  }

  @Test func `attempts, redirects, withheld credentials and steps are reported in order`() async throws {
    let redirect = Response(status: .found, headers: [.location: "http://b/2"])
    let transport = FakeTransport([
      .success(Response(status: .serviceUnavailable)), .success(redirect), .success(Response(status: .ok)),
      .success(Response(status: .noContent)),
    ])
    let uploader = Uploader(
      transport: transport, profiles: [try .api("http://a", token: Canary.secret("events"))],
      clock: UploadClock(now: { .zero }, sleep: { _ in }))
    let sequence = ArrayRequestSequence([
      { _ in self.get("http://a/1", label: "one") }, { _ in self.get("http://a/3", label: "two") },
    ])
    var seen: [String] = []
    for try await event in uploader.events(of: sequence) { seen.append(name(event)) }
    #expect(
      seen.filter { !$0.isEmpty } == [
        "sending http://a/1 withheld []", "received 503", "retrying after [\"503\"]",
        "sending http://a/1 withheld []", "redirected from http://a/1",
        "sending http://b/2 withheld [\"authorization\"]", "received 200", "step one",
        "sending http://a/3 withheld []", "received 204", "step two",
      ])
  }

  @Test func `what the run throws comes after the last event, and was reported`() async throws {
    let reported = Mutex(0)
    let uploader = Uploader(transport: FakeTransport(statuses: [404]), report: { _ in reported.withLock { $0 += 1 } })
    var seen: [String] = []
    let error = await #expect(throws: UploadError.self) {
      for try await event in uploader.events(of: ArrayRequestSequence([{ _ in self.get("http://a/") }])) {
        seen.append(name(event))
      }
    }
    guard case .expectations = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(seen.filter { !$0.isEmpty }.suffix(2) == ["received 404", "another step at 1"])
    #expect(reported.withLock { $0 } == 1)
  }

  /// Reports as many steps of progress as it is told to, then waits until it is cancelled or released.
  private final class SlowTransport: Transport {
    let steps: Int
    let waits: Bool
    let wasCancelled = Mutex(false)

    init(steps: Int, waits: Bool) {
      self.steps = steps
      self.waits = waits
    }

    func origin(of url: String) throws(TransportError) -> Origin { Origin(scheme: .http, host: "a") }

    func send(
      _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
      for step in 1...steps { progress(TransferProgress(sent: step)) }
      while waits {
        do { try await Task.sleep(for: .seconds(60)) } catch {
          wasCancelled.withLock { $0 = true }
          throw TransportError(.cancelled)
        }
      }
      return TransportResponse(response: Response(status: .ok))
    }
  }

  @Test func `a reader that leaves ends the run, which is reported as cancelled`() async throws {
    let transport = SlowTransport(steps: 1, waits: true)
    let (reports, reported) = AsyncStream.makeStream(of: UploadError.self)
    let uploader = Uploader(transport: transport, report: { reported.yield($0) })
    for try await event in uploader.events(of: ArrayRequestSequence([{ _ in self.get("http://a/") }])) {
      if case .progress = event { break }
    }
    var iterator = reports.makeAsyncIterator()
    let error = await iterator.next()
    guard case .transport(let failure, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.fact == .cancelled)
    #expect(transport.wasCancelled.withLock { $0 })
  }

  @Test func `a reader that is cancelled ends the run`() async throws {
    let transport = SlowTransport(steps: 1, waits: true)
    let uploader = Uploader(transport: transport)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      for try await event in uploader.events(of: ArrayRequestSequence([{ _ in self.get("http://a/") }])) {
        if case .progress = event { start.yield() }
      }
    }
    var iterator = started.makeAsyncIterator()
    await iterator.next()
    reader.cancel()
    await #expect(throws: UploadError.self) { try await reader.value }
    #expect(transport.wasCancelled.withLock { $0 })
  }

  @Test func `a slow reader sees the latest progress, and every other event`() async throws {
    let transport = SlowTransport(steps: 10_000, waits: false)
    let uploader = Uploader(transport: transport)
    var events = uploader.events(of: ArrayRequestSequence([{ _ in self.get("http://a/", label: "one") }]))
      .makeAsyncIterator()
    var seen: [String] = []
    if let first = try await events.next() { seen.append(name(first)) }
    // The run continues on its own; nobody reads until it is over.
    try await Task.sleep(for: .milliseconds(200))
    while let event = try await events.next() { seen.append(name(event)) }
    #expect(seen.dropFirst().first?.hasPrefix("sending") == true)
    #expect(seen.suffix(4) == ["progress 10000", "received 200", "step one", ""])
    #expect(seen.count < 10_000)
  }
}
