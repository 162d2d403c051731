import HTTPTypes
import Requests
import Synchronization
import Testing

@testable import UploaderCore

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
  private func run(
    _ head: RequestHead, _ responses: [Result<Response, TransportError>], chance: Double = 0.5
  ) async -> (requests: [TransportRequest], waits: [Duration], result: Result<Exchange, UploadError>) {
    let transport = FakeTransport(responses)
    let waits = Mutex<[Duration]>([])
    let clock = UploadClock(
      now: { .seconds(784_111_770) }, sleep: { duration in waits.withLock { $0.append(duration) } })
    let uploader = Uploader(transport: transport, clock: clock, chance: { chance })
    let description = RequestDescription.inMemory(InMemoryRequestDescription(head))
    let result: Result<Exchange, UploadError>
    do {
      let (sequence, position) = (ArrayRequestSequence([{ _ in description }]), StepPosition([0]))
      result = .success(
        try await uploader.exchange(
          for: description, of: sequence, at: position,
          watch: uploader.watch(description, of: sequence, at: position)
        ).exchange)
    } catch {
      result = .failure(error)
    }
    return (transport.requests, waits.withLock { $0 }, result)
  }

  private func status(_ code: Int, retryAfter: String? = nil) -> Result<Response, TransportError> {
    .success(Response(status: .init(code: code), headers: retryAfter.map { [.retryAfter: $0] } ?? [:]))
  }

  private let lost = Result<Response, TransportError>.failure(
    TransportError(.connectionLost(reason: "reset"), requestWasSent: true))

  @Test func `a repeatable request is tried three times, with growing random waits`() async throws {
    let (requests, waits, result) = await run(
      RequestHead(.get, .url("http://h/")), [status(503), lost, status(200)])
    #expect(requests.count == 3)
    #expect(waits == [.milliseconds(500), .milliseconds(1000)])
    #expect(try result.get().response.status == .ok)
    #expect(try result.get().failedAttempts.map(\.reason) == ["503", "reset"])
    #expect(Set(requests).count == 1)
  }

  @Test func `after the last attempt its response is kept`() async throws {
    let (requests, _, result) = await run(
      RequestHead(.get, .url("http://h/")), [status(500), status(502), status(504)])
    #expect(requests.count == 3)
    #expect(try result.get().response.status.code == 504)
  }

  @Test(arguments: [HTTPRequest.Method.post, .patch])
  func `what must happen once is sent once`(method: HTTPRequest.Method) async throws {
    #expect(await run(RequestHead(method, .url("http://h/")), [lost, status(200)]).requests.count == 1)
    #expect(await run(RequestHead(method, .url("http://h/")), [status(503), status(200)]).requests.count == 1)
  }

  @Test func `an idempotency key makes a POST safe to repeat`() async throws {
    let key = try #require(HTTPField.Name("Idempotency-Key"))
    let head = RequestHead(.post, .url("http://h/")) { $0.headers = [key: "k-1"] }
    let (requests, _, result) = await run(head, [lost, status(201)])
    #expect(requests.count == 2)
    #expect(try result.get().response.status == .created)
  }

  @Test func `an idempotency key that came out empty is none`() async throws {
    let key = try #require(HTTPField.Name("Idempotency-Key"))
    let head = RequestHead(.post, .url("http://h/")) { $0.headers = [key: ""] }
    #expect(await run(head, [lost, status(201)]).requests.count == 1)
  }

  @Test(arguments: [400, 401, 403, 404, 409, 501])
  func `a response that will not change is not requested again`(code: Int) async {
    #expect(await run(RequestHead(.get, .url("http://h/")), [status(code), status(200)]).requests.count == 1)
  }

  @Test(arguments: [
    TransportError.Fact.tls(.expired(nil)), .file(.changed(path: "x")), .url("x", reason: "y"), .cancelled,
  ])
  func `a failure that will not pass is not tried again`(fact: TransportError.Fact) async {
    let (requests, _, _) = await run(
      RequestHead(.get, .url("http://h/")), [.failure(TransportError(fact)), status(200)])
    #expect(requests.count == 1)
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), ("0", .zero), ("86400", .seconds(120)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("soon", .milliseconds(500)),
  ])
  func `Retry-After is obeyed in both its forms, up to two minutes`(value: String, wait: Duration) async {
    let (_, waits, _) = await run(
      RequestHead(.get, .url("http://h/")), [status(429, retryAfter: value), status(200)])
    // No waiting for nothing.
    #expect(waits == (wait == .zero ? [] : [wait]))
  }

  @Test func `a step's own rule wins`() async {
    let never = RequestHead(.get, .url("http://h/")) { $0.retry = RetryRule.none }
    #expect(await run(never, [status(503), status(200)]).requests.count == 1)
    let teapot = RequestHead(.get, .url("http://h/")) { $0.retry = RetryRule(attempts: 2, on: [418]) }
    #expect(await run(teapot, [status(418), status(418), status(200)]).requests.count == 2)
  }

  @Test func `the budget of an origin ends its retries`() {
    let budget = RetryBudget()
    let origin = Origin(scheme: .http, host: "h")
    var taken = 0
    // Bounded, because a budget without an end would be counted forever.
    while taken < 1_000, budget.take(.transient, at: origin) { taken += 1 }
    #expect(taken == 500 / 14)
    #expect(budget.take(.transient, at: Origin(scheme: .http, host: "other")))
    budget.succeeded(after: .transient, at: origin)
    #expect(budget.take(.transient, at: origin))
    #expect(!budget.take(.transient, at: origin))
  }

  @Test func `no number of successes makes the budget larger than it was`() {
    let budget = RetryBudget()
    let origin = Origin(scheme: .http, host: "h")
    #expect(budget.take(.throttled, at: origin))
    for _ in 0..<100 { budget.succeeded(after: .transient, at: origin) }
    var taken = 0
    while taken < 1_000, budget.take(.transient, at: origin) { taken += 1 }
    #expect(taken == 500 / 14)
  }
}
