import Canaries
import HTTPTypes
import JSONValue
import Requests
import Synchronization
import Testing
import UploaderCore

/// `send`: one typed request, sent the same way as every other.
@Suite struct SendTests {
  private static let token = Canary.secret("send")

  private struct Job: Decodable, Hashable { let id: Int }

  private static func response(_ status: HTTPResponse.Status, _ body: String = "") -> Result<Response, TransportError> {
    .success(Response(status: status, body: ResponseBody(Array(body.utf8))))
  }

  /// An uploader for one API, and what it reported.
  private static func api(
    _ responses: [Result<Response, TransportError>]
  ) throws -> (api: Uploader, transport: FakeTransport, reports: Reports) {
    let (transport, reports) = (FakeTransport(responses), Reports())
    let api = Uploader(
      transport: transport, profiles: [try .api("https://api.example.com/v1", token: token)],
      clock: UploadClock(now: { .zero }, sleep: { _ in }), report: reports.add)
    return (api, transport, reports)
  }

  final class Reports: Sendable {
    private let errors = Mutex<[UploadError]>([])
    var all: [UploadError] { errors.withLock { $0 } }
    @Sendable func add(_ error: UploadError) { errors.withLock { $0.append(error) } }
  }

  @Test func `the output is what the response means, and the token goes to the API`() async throws {
    let (api, transport, reports) = try Self.api([Self.response(.ok, #"{"id": 7}"#)])
    let job: Job = try await api.send(.json(.get(["full": "yes"]), "/jobs/7"))
    #expect(job == Job(id: 7))
    #expect(transport.requests.map(\.url) == ["https://api.example.com/v1/jobs/7?full=yes"])
    #expect(transport.requests.first?.headers[.authorization] == "Bearer \(Self.token)")
    #expect(reports.all.isEmpty)
  }

  @Test(arguments: ["https://storage.example.com/x", "http://api.example.com/v1", "https://api.example.com:8443/"])
  func `a request to another origin is sent without the token`(url: String) async throws {
    let (api, transport, _) = try Self.api([Self.response(.noContent)])
    try await api.send(.empty(.put(["a": 1]), .url(url)))
    #expect(transport.requests.map(\.url) == [url])
    #expect(transport.requests.first?.headers[.authorization] == nil)
  }

  @Test(arguments: [HTTPResponse.Status.notFound, .unprocessableContent, .notModified, .found, .continue])
  func `a response other than 2xx is a failure with status, response and body`(status: HTTPResponse.Status) async throws
  {
    let (api, _, reports) = try Self.api([Self.response(status, #"{"code": "no"}"#)])
    do {
      let _: Job = try await api.send(.json(.post(["a": 1]), "/jobs"))
      Issue.record("no failure")
    } catch .status(let actual, let response) {
      #expect(actual == status)
      #expect(try response.json()["code"] == "no")
    } catch {
      Issue.record(error)
    }
    #expect(reports.all.count == 1)
  }

  @Test func `a response with other content is a failure with the response, and is reported`() async throws {
    let (api, _, reports) = try Self.api([Self.response(.ok, #"{"id": "seven"}"#)])
    let failure = await #expect(throws: RequestFailure.self) { () -> Job in try await api.send(.json(.get, "/jobs/7")) }
    guard case .unreadable(let error, let response) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error is DecodingError)
    #expect(response.status == .ok)
    #expect(reports.all.count == 1)
  }

  static let withoutResponse: [(RequestAddress, Result<Response, TransportError>?, requests: Int)] = [
    ("/jobs/\("..")", nil, 0),
    ("/jobs", .failure(TransportError(.tls(.expired(nil)))), 1),
    ("/jobs", .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)), 1),
    (.url("nonsense"), nil, 0),
  ]

  @Test(arguments: withoutResponse)
  func `without a response the failure says why, and each is reported once`(
    address: RequestAddress, response: Result<Response, TransportError>?, requests: Int
  ) async throws {
    let (api, transport, reports) = try Self.api(response.map { [$0] } ?? [])
    let failure = await #expect(throws: RequestFailure.self) { try await api.send(.empty(.post, address)) }
    guard case .noResponse(let error) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(transport.requests.count == requests)
    #expect(reports.all.count == 1)
    #expect("\(reports.all[0].fact)" == "\(error.fact)")
  }

  @Test func `the token in a URL of another origin is refused, and the failure does not reveal it`() async throws {
    let (api, transport, reports) = try Self.api([])
    let address = RequestAddress.url("https://other.example.com/?token=\(Self.token)")
    let failure = await #expect(throws: RequestFailure.self) { try await api.send(.empty(.post, address)) }
    #expect(transport.requests.isEmpty && reports.all.count == 1)
    let text = try #require(failure.map { "\($0)" })
    #expect(text.contains("api token") && !text.contains(Self.token), "\(text)")
  }

  @Test func `requests are retried where possible, and only the last failure counts`() async throws {
    let (api, transport, reports) = try Self.api([
      Self.response(.serviceUnavailable), Self.response(.ok, #"{"id": 1}"#),
    ])
    let job: Job = try await api.send(.json(.get, "/jobs/1"))
    #expect(job.id == 1)
    #expect(transport.requests.count == 2)
    #expect(reports.all.isEmpty)
  }

  @Test func `a failure's text has neither body nor secrets`() {
    let response = Response(status: .notFound, body: ResponseBody(Array("body".utf8)))
    #expect("\(RequestFailure.status(.notFound, response))" == "the server returned 404 Not Found")
  }

  @Test func `no printable value prints the token`() async throws {
    let token = Canary.secret("printed")
    let printed = Mutex("")
    let print: @Sendable (Any) -> Void = { value in printed.withLock { $0 += "\(value)\n" } }
    let uploader = Uploader(
      transport: FakeTransport([
        .success(Response(status: .found, headers: [.location: "/v2"])), Self.response(.ok), Self.response(.notFound),
      ]),
      profiles: [try .api("https://api.example.com/v1", token: token)],
      observe: { print($0) }, report: { print($0) })
    var run = SequenceRun(
      ArrayRequestSequence([
        { _ in try Request<Void>.empty(.get, "/one", label: "one").description },
        { _ in try Request<Void>.empty(.get, .url("https://api.example.com/?X-Amz-Signature=canary")).description },
      ]))
    await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    print(run)
    print(uploader)
    let text = printed.withLock { $0 }
    #expect(text.contains("GET https://api.example.com returned 404 Not Found; status should be 2xx or 3xx"))
    #expect(!text.contains(token))
  }

  @Test func `a request that was looked at is sent with the boundary that was shown`() async throws {
    let transport = FakeTransport(statuses: [200, 200])
    let uploader = Uploader(transport: transport)
    let form = RequestDescription.multipart(
      MultipartRequestDescription(RequestHead(.post, .url("http://a/")), parts: [.text("a", "1")]))
    func type(_ headers: HTTPFields) throws -> String { try #require(headers[.contentType]) }
    let shown = try type(try uploader.prepare(form).request.headers)
    #expect(try type(try uploader.prepare(form).request.headers) == shown)
    for try await _ in uploader.events(of: ArrayRequestSequence([{ _ in form }, { _ in form }])) {}
    let sent = try transport.requests.map { try type($0.headers) }
    #expect(sent.count == 2 && sent[0] == shown && sent[1] != shown, "\(sent)")
  }
}
