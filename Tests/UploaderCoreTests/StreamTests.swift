import Canaries
import HTTPTypes
import JSONValue
import OfflineTransport
import Requests
import Synchronization
import Testing
import UploaderCore

/// A response that is looked at while it comes.
@Suite struct StreamTests {
  private static let events = Response(status: .ok, headers: [.contentType: "text/event-stream"])
  private static let broken = ResponseEnding.broken(
    TransportError(.connectionLost(reason: "gone"), requestWasSent: true))

  /// One request whose stream is enough when the condition holds.
  private struct Watching: OperationRequestSequence {
    var method = HTTPRequest.Method.get
    var terms: StreamTerms? = StreamTerms(condition: .everything)
    var retry: RetryRule?
    var profiles: SessionProfiles?
    var secrets: Set<Secret> = []
    var mayFindSecrets = false
    var isEnough: @Sendable (JSON?) -> Bool = { _ in false }
    private var isSent = false

    init(_ set: (inout Watching) -> Void = { _ in }) {
      set(&self)
    }

    mutating func nextRequest(previous: Exchange?) -> RequestDescription? {
      guard !isSent else { return nil }
      isSent = true
      let head = RequestHead(method, .url("https://a.test/events")) {
        $0.stream = terms
        $0.retry = retry
      }
      return .inMemory(InMemoryRequestDescription(head))
    }

    func isEnough(_ exchange: Exchange, values: JSON?) -> Bool { isEnough(values) }
  }

  private struct Outcome {
    var exchange: Exchange?
    var error: UploadError?
    var events: [StreamEvent]
    var passed: String
    var requests: [TransportRequest]

    var text: String { (try? exchange?.response.body.bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "" }
    var shown: String {
      events.reduce(into: "") { text, event in
        if case .piece(let bytes, _) = event { text += String(decoding: bytes, as: UTF8.self) }
      }
    }
  }

  private func run(
    _ sequence: Watching, passesOn limit: Int? = nil, _ scripts: StreamingTransport.Script...
  ) async -> Outcome {
    let transport = StreamingTransport(scripts)
    var uploader = Uploader(transport: transport, clock: UploadClock(now: { .zero }, sleep: { _ in }))
    let seen = Mutex<(events: [StreamEvent], passed: String)>(([], ""))
    uploader.stream = { event in seen.withLock { $0.events.append(event) } }
    if let limit {
      uploader.passOn = { piece in
        seen.withLock { seen in
          seen.passed += String(decoding: piece, as: UTF8.self)
          return seen.passed.utf8.count < limit
        }
      }
    }
    var run = SequenceRun(sequence)
    var failure: UploadError?
    do { try await uploader.run(&run) } catch { failure = error }
    let (events, passed) = seen.withLock { $0 }
    return Outcome(
      exchange: run.lastExchange, error: failure, events: events, passed: passed, requests: transport.requests)
  }

  @Test func `it ends after the event that is enough, however the network cuts it`() async {
    let text = (1...5).map { "data: \($0)\n\n" }.joined()
    for size in 1...text.utf8.count {
      let pieces = stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
      let outcome = await run(
        Watching { $0.isEnough = { $0?[3] == nil && $0?[2] != nil } }, .init(Self.events, pieces))
      #expect(outcome.error == nil)
      #expect(outcome.text == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
      #expect(outcome.shown == outcome.text)
      #expect(outcome.exchange?.response.cut == nil)
    }
  }

  @Test func `it continues after the last identifier, and an event without its end is forgotten`() async {
    let outcome = await run(
      Watching { $0.isEnough = { $0?[2] != nil } },
      .init(Self.events, ["id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\nda"], ending: Self.broken),
      .init(Self.events, ["id: 3\ndata: c\n\n"]))
    #expect(outcome.text == "id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
    #expect(outcome.requests.map(\.lastEventID) == [nil, "2"])
    #expect(outcome.error == nil)
  }

  @Test func `it continues with the signature that it began with`() async throws {
    let base = try BaseURL("https://a.test")
    let key = Secret(Canary.secret("stream-key"), name: "KEY", for: [OriginPattern(base.origin)])
    let identity = SigningIdentity.sigv4(accessKey: "AKIA", secretKey: key, region: "us-east-1", service: "s3")
    let outcome = await run(
      Watching {
        $0.isEnough = { $0?[1] != nil }
        $0.profiles = SessionProfiles([SessionProfile(name: "s3", base: base, credential: .signed(identity))])
      },
      .init(Self.events, ["id: 1\ndata: a\n\n"], ending: Self.broken),
      .init(Self.events, ["id: 2\ndata: b\n\n"]))
    #expect(outcome.error == nil)
    #expect(outcome.text == "id: 1\ndata: a\n\nid: 2\ndata: b\n\n")
    #expect(Set(outcome.requests.map { $0.headers[.authorization] }).count == 1)
    #expect(outcome.requests.map(\.lastEventID) == [nil, "1"])
  }

  /// Without `stream` the time is that of the whole response, with it that of a silence.
  @Test(arguments: [false, true])
  func `it does not continue when the step has had its time`(isWatched: Bool) async {
    let outcome = await run(
      Watching { if isWatched { $0.isEnough = { $0?[1] != nil } } else { $0.terms = nil } },
      .init(
        Self.events, ["id: 1\ndata: a\n\n"],
        ending: .broken(TransportError(.timeout(after: .seconds(1)), requestWasSent: true))),
      .init(Self.events, ["id: 2\ndata: b\n\n"]))
    #expect(outcome.requests.count == (isWatched ? 2 : 1))
    #expect((outcome.error == nil) == isWatched && outcome.text.hasPrefix("id: 1\ndata: a\n\n"))
  }

  @Test(arguments: [false, true])
  func `it does not continue where that is not safe`(isPost: Bool) async {
    let outcome = await run(
      Watching {
        if isPost { $0.method = .post } else { $0.retry = RetryRule.none }
      }, .init(Self.events, ["id: 1\ndata: a\n\n"], ending: Self.broken), .init(Self.events, ["id: 2\n\n"]))
    #expect(outcome.requests.count == 1)
    #expect(outcome.exchange?.response.cut == .broken(reason: "gone"))
    #expect(outcome.error != nil)
  }

  @Test func `three times in vain are enough`() async {
    let again = StreamingTransport.Script(Self.events, [String](), ending: Self.broken)
    let outcome = await run(
      Watching(), .init(Self.events, ["id: 1\ndata: a\n\n"], ending: Self.broken), again, again, again, again)
    #expect(outcome.requests.count == 4)
    #expect(outcome.text == "id: 1\ndata: a\n\n")
  }

  @Test func `a server that says 204 has ended it`() async {
    let outcome = await run(
      Watching { $0.terms = StreamTerms(duration: .seconds(60)) },
      .init(Self.events, ["id: 1\ndata: a\n\n"], ending: Self.broken), .init(Response(status: .noContent), [String]()))
    #expect(outcome.error == nil)
    #expect(outcome.exchange?.response.status == .ok)
  }

  @Test func `without the clause a stream that its server ends is complete`() async {
    let outcome = await run(Watching { $0.terms = nil }, .init(Self.events, ["id: 1\ndata: a\n\n"]))
    #expect(outcome.requests.count == 1)
    #expect(outcome.error == nil)
  }

  @Test func `a secret that the end cuts in two is not kept`() async {
    let secret = Secret(Canary.secret("cut-stream"), name: "token", for: [])
    let text = secret.withExposedText { "data: \($0)" }
    for length in 7..<text.utf8.count {
      let outcome = await run(
        Watching {
          $0.secrets = [secret]
          $0.retry = RetryRule.none
        }, .init(Self.events, [String(text.prefix(length))], ending: Self.broken))
      #expect(outcome.text == "data: ")
    }
  }

  @Test func `what may turn out to be a secret is not shown before it is complete`() async {
    let outcome = await run(Watching { $0.mayFindSecrets = true }, .init(Self.events, ["data: a\n\n"]))
    #expect(outcome.events.isEmpty)
    #expect(outcome.text == "data: a\n\n")
  }

  @Test func `whoever reads gets it as it comes, and it is not kept`() async {
    let outcome = await run(
      Watching { $0.terms = nil }, passesOn: .max, .init(Self.events, ["data: a\n\n", "data: b\n\n"]))
    #expect(outcome.passed == "data: a\n\ndata: b\n\n")
    #expect(outcome.text == "")
  }

  @Test func `what was passed on is not passed on again`() async {
    let outcome = await run(
      Watching { $0.terms = nil }, passesOn: .max, .init(Self.events, ["data: a\n\n"], ending: Self.broken),
      .init(Self.events, ["data: a\n\n"]))
    #expect(outcome.requests.count == 1)
    #expect(outcome.passed == "data: a\n\n")
  }

  @Test func `it ends when nobody reads it anymore`() async {
    let outcome = await run(
      Watching { $0.terms = nil }, passesOn: 9, .init(Self.events, ["data: a\n\n", "data: b\n\n", "data: c\n\n"]))
    #expect(outcome.passed == "data: a\n\n")
  }

  @Test func `a response with an error is not looked at`() async {
    let outcome = await run(
      Watching(),
      .init(Response(status: .badRequest, headers: [.contentType: "text/event-stream"]), ["data: a\n\n"]))
    #expect(outcome.events.isEmpty)
  }
}

extension TransportRequest {
  fileprivate var lastEventID: String? { self.headers.first { $0.name.canonicalName == "last-event-id" }?.value }
}
