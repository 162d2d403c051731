import HTTPTypes
import Requests
import Synchronization
import Testing
import UploaderCore

@Suite struct UploaderTests {
  private func get(_ url: String) -> RequestDescription {
    .inMemory(InMemoryRequestDescription(RequestHead(.get, .url(url))))
  }

  @Test func `a sequence is polled with the previous exchange until it is complete`() async throws {
    let transport = FakeTransport(statuses: [201, 204])
    let uploader = Uploader(transport: transport)
    let first = get("http://h/1")
    var run = SequenceRun(
      ArrayRequestSequence([
        { previous in
          #expect(previous == nil)
          return first
        },
        { previous in
          #expect(previous?.response.status == .created)
          return self.get("http://h/2")
        },
      ]))
    try await uploader.run(&run)
    #expect(transport.requests.map(\.url) == ["http://h/1", "http://h/2"])
    #expect(run.exchanges.map(\.response.status.code) == [201, 204])
    #expect(try await uploader.step(&run) == nil)
  }

  @Test func `a continuation that returns nil completes the array, for good`() async throws {
    var sequence = ArrayRequestSequence([{ _ in nil }, { _ in self.get("http://h/never") }])
    #expect(try sequence.nextRequest(previous: nil) == nil)
    #expect(try sequence.nextRequest(previous: nil) == nil)
  }

  @Test func `a copied run is a step back`() async throws {
    let transport = FakeTransport(statuses: [200, 200, 200])
    let uploader = Uploader(transport: transport)
    var run = SequenceRun(ArrayRequestSequence([{ _ in self.get("http://h/1") }, { _ in self.get("http://h/2") }]))
    _ = try await uploader.step(&run)
    var copy = run
    try await uploader.run(&run)
    try await uploader.run(&copy)
    #expect(transport.requests.map(\.url) == ["http://h/1", "http://h/2", "http://h/2"])
    #expect(run.records.count == copy.records.count)
  }

  @Test func `a response that is not what was expected ends the run, is kept, and is reported once`() async throws {
    let reported = Mutex(0)
    let uploader = Uploader(transport: FakeTransport(statuses: [404]), report: { _ in reported.withLock { $0 += 1 } })
    var run = SequenceRun(ArrayRequestSequence([{ _ in self.get("http://h/") }]))
    let error = await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    guard case .expectations(let unmet, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(unmet == [UnmetExpectation(subject: "status", expected: "2xx or 3xx", actual: "404")])
    #expect(run.exchanges.count == 1)
    #expect(reported.withLock { $0 } == 1)
  }

  @Test func `a sequence that throws is an error of the run`() async throws {
    struct Missing: Error {}
    let uploader = Uploader(transport: FakeTransport(statuses: []))
    var run = SequenceRun(ArrayRequestSequence([{ _ in throw Missing() }]))
    let error = await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    guard case .sequence(let inner) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(inner is Missing)
  }

  @Test func `a repeated step waits on the injected clock`() async throws {
    let waited = Mutex<[Duration]>([])
    let clock = UploadClock(now: { .zero }, sleep: { duration in waited.withLock { $0.append(duration) } })
    let uploader = Uploader(transport: FakeTransport(statuses: [200]), clock: clock)
    var run = SequenceRun(
      ArrayRequestSequence([
        { _ in .inMemory(InMemoryRequestDescription(RequestHead(.get, .url("http://h/")) { $0.delay = .seconds(7) })) }
      ]))
    try await uploader.run(&run)
    #expect(waited.withLock { $0 } == [.seconds(7)])
  }

  @Test(arguments: [
    (TransportError(.connect(reason: "refused")), HTTPRequest.Method.post, UploadError.Outcome.transient),
    (TransportError(.tls(.expired(nil))), .get, .permanent),
    (TransportError(.connectionLost(reason: "reset"), requestWasSent: true), .post, .unknown),
    (TransportError(.connectionLost(reason: "reset"), requestWasSent: true), .put, .transient),
    (TransportError(.timeout(after: .seconds(1)), requestWasSent: true), .post, .unknown),
    (TransportError(.timeout(after: .seconds(1)), requestWasSent: false), .post, .transient),
  ])
  func `what is known of the effect follows from the error and the method`(
    error: TransportError, method: HTTPRequest.Method, outcome: UploadError.Outcome
  ) {
    let upload = UploadError(.transport(error, origin: nil), in: RequestHead(method, .url("http://h/")))
    #expect(upload.outcome == outcome)
  }
}
