import Canaries
import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import Testing

@testable import UploaderCore

@Suite struct RedirectTests {
  private static let canary = Canary.secret("redirect")

  private static func profiles() throws -> SessionProfiles {
    let base = try BaseURL("https://api.example")
    let token = Secret(canary, name: "TOKEN", for: [OriginPattern(base.origin)])
    return SessionProfiles([SessionProfile(name: "api", base: base, credential: .bearer(token))])
  }

  private func redirect(_ status: Int, to location: String) -> Result<Response, TransportError> {
    .success(Response(status: .init(code: status), headers: [.location: location]))
  }

  private let ok = Result<Response, TransportError>.success(Response(status: .ok))

  private func run(
    _ head: RequestHead, body: String? = nil, _ responses: [Result<Response, TransportError>]
  ) async throws -> (requests: [TransportRequest], exchange: Exchange) {
    let (requests, exchange, error) = try await sent(head, body: body, responses)
    if let error { throw error }
    return (requests, try #require(exchange))
  }

  /// A redirect that is not followed is the step's response, and fails it.
  private func refused(
    _ head: RequestHead, body: String? = nil, _ responses: [Result<Response, TransportError>]
  ) async throws -> (requests: [TransportRequest], exchange: Exchange) {
    let (requests, exchange, error) = try await sent(head, body: body, responses)
    guard case .expectations(let unmet, let failed)? = error?.fact else {
      Issue.record("\(String(describing: error))")
      throw Absent()
    }
    #expect(failed == exchange)
    #expect(unmet.map(\.subject) == ["status"])
    #expect(error?.outcome == .permanent)
    return (requests, failed)
  }

  private struct Absent: Error {}

  private func sent(
    _ head: RequestHead, body: String?, _ responses: [Result<Response, TransportError>]
  ) async throws -> (requests: [TransportRequest], exchange: Exchange?, error: UploadError?) {
    let transport = FakeTransport(responses)
    let uploader = Uploader(transport: transport, profiles: try Self.profiles())
    let payload = body.map { InMemoryRequestDescription.Body(Array($0.utf8), contentType: "text/plain") }
    var run = SequenceRun(ArrayRequestSequence([{ _ in .inMemory(InMemoryRequestDescription(head, body: payload)) }]))
    do {
      try await uploader.run(&run)
      return (transport.requests, run.exchanges.first, nil)
    } catch {
      return (transport.requests, run.exchanges.first, error)
    }
  }

  @Test(arguments: [
    (301, HTTPRequest.Method.post, HTTPRequest.Method.get, false), (302, .post, .get, false), (303, .post, .get, false),
    (303, .put, .get, false), (303, .head, .head, false), (301, .put, .put, true), (302, .patch, .patch, true),
    (307, .post, .post, true), (308, .post, .post, true), (307, .get, .get, false),
  ])
  func `within the origin the method and the body follow the status`(
    status: Int, method: HTTPRequest.Method, next: HTTPRequest.Method, keepsBody: Bool
  ) async throws {
    let body = method == .get || method == .head ? nil : "data"
    let (requests, exchange) = try await run(
      RequestHead(method, .path("/a/b", profile: nil)), body: body, [redirect(status, to: "../c"), ok])
    #expect(requests.map(\.url) == ["https://api.example/a/b", "https://api.example/c"])
    #expect(requests[1].method == next)
    #expect((requests[1].body != nil) == keepsBody)
    #expect((requests[1].headers[.contentType] != nil) == keepsBody)
    #expect(requests[1].headers[.authorization] == "Bearer \(Self.canary)")
    #expect(exchange.redirects.map(\.response.status.code) == [status])
    #expect(exchange.request.url == "https://api.example/c")
  }

  @Test(arguments: [
    "https://evil.example/", "//evil.example/", "https://api.example:8443/", "https://API.example.org/",
    "https://api.example.evil.example/",
  ])
  func `nothing that could be secret crosses to another origin`(location: String) async throws {
    let key = try #require(HTTPField.Name("X-Api-Key"))
    let head = RequestHead(.get, .path("/x", profile: nil)) {
      $0.query = [QueryItem(name: "q", value: "private")]
      $0.headers = [key: "k", .cookie: "sid=1", .accept: "text/plain"]
    }
    let (requests, exchange) = try await run(head, [redirect(302, to: location), ok])
    try #require(requests.count == 2)
    #expect(requests[1].headers.map(\.name) == [.accept])
    #expect(!requests[1].url.contains("private"))
    #expect(requests[1].connections == "anonymous")
    #expect(Set(exchange.withheld.map(\.label)) == ["authorization", "cookie", "x-api-key"])
  }

  @Test(arguments: [307, 308])
  func `a body does not go to another origin`(status: Int) async throws {
    let (requests, exchange) = try await refused(
      RequestHead(.post, .path("/x", profile: nil)), body: "data", [redirect(status, to: "https://evil.example/")])
    #expect(requests.count == 1)
    #expect(exchange.refusedRedirect == .bodyElsewhere(Origin(scheme: .https, host: "evil.example")))
    #expect(exchange.response.status.code == status)
  }

  @Test func `https does not lead to http`() async throws {
    let (requests, exchange) = try await refused(
      RequestHead(.get, .path("/x", profile: nil)), [redirect(302, to: "http://api.example/")])
    #expect(requests.count == 1)
    #expect(exchange.refusedRedirect == .insecure(Origin(scheme: .http, host: "api.example")))
  }

  @Test func `five are followed, and no more`() async throws {
    let (requests, exchange) = try await refused(
      RequestHead(.get, .path("/x", profile: nil)), (0..<10).map { redirect(302, to: "/\($0)") })
    #expect(requests.count == 6)
    #expect(exchange.refusedRedirect == .limit(5))
  }

  @Test func `a redirect is what came, where nothing comes of what it leads to`() async throws {
    let unreachable = Result<Response, TransportError>.failure(
      TransportError(.tls(.selfSigned), requestWasSent: false))
    let (_, exchange, error) = try await sent(
      RequestHead(.get, .path("/a", profile: nil)), body: nil,
      [redirect(301, to: "/b"), redirect(302, to: "https://other.example/c"), unreachable])
    #expect(exchange?.response.status.code == 302)
    #expect(exchange?.request.url == "https://api.example/b")
    #expect(exchange?.redirects.map(\.response.status.code) == [301])
    #expect(error?.redirects.map(\.response.status.code) == [301, 302])
  }

  @Test(arguments: ["", "http://", "mailto:a@h.example"])
  func `a Location that cannot be sent to is refused`(location: String) async throws {
    let (requests, exchange) = try await refused(
      RequestHead(.get, .path("/x", profile: nil)), [redirect(302, to: location)])
    #expect(requests.count == 1)
    #expect(exchange.refusedRedirect == .unusable(location: location))
  }

  @Test func `a typed request fails, too`() async throws {
    let uploader = Uploader(
      transport: FakeTransport([redirect(307, to: "http://evil.example/")]), profiles: try Self.profiles())
    let error = await #expect(throws: RequestFailure.self) {
      try await uploader.send(Request<Void>.empty(.post, "/x"))
    }
    guard case .status(.temporaryRedirect, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// How much of a redirect is known again when it is read from a record.
  @Test(
    arguments: [
      (
        307, "https://evil.example/", 0, nil,
        RedirectRefusal.bodyElsewhere(Origin(scheme: .https, host: "evil.example"))
      ),
      (302, "http://api.example/", 0, nil, .insecure(Origin(scheme: .http, host: "api.example"))),
      (302, "/y", 5, nil, .limit(5)), (302, "/y", 0, nil, .limit(0)), (302, "/y", 0, 0, nil), (200, "/y", 0, nil, nil),
      (302, "", 0, nil, .unusable(location: "")),
    ] as [(Int, String, Int, Int?, RedirectRefusal?)])
  func `a recorded redirect is refused again`(
    status: Int, location: String, hops: Int, limit: Int?, refusal: RedirectRefusal?
  ) async throws {
    let transport = FakeTransport([])
    let prepared = try Uploader(transport: transport, profiles: try Self.profiles()).prepare(
      .inMemory(
        InMemoryRequestDescription(
          RequestHead(.post, .path("/x", profile: nil)) { $0.redirects = limit }, body: .init([1], contentType: "a/b")))
    )
    let sent = SentRequest(method: .post, url: "https://api.example/x", origin: prepared.origin)
    let response = Response(status: .init(code: status), headers: [.location: location])
    #expect(
      prepared.refusedRedirect(response, to: sent, hops: hops, origin: { try? transport.origin(of: $0) }) == refusal)
  }

  @Test func `none are followed if a step wants none`() async throws {
    let (requests, exchange) = try await run(
      RequestHead(.get, .path("/x", profile: nil)) { $0.redirects = 0 }, [redirect(302, to: "/y")])
    #expect(requests.count == 1)
    #expect(exchange.refusedRedirect == nil)
  }

  /// How a server may spell what it returns.
  enum Spelling: CaseIterable, Sendable {
    case raw, percent, base64, base64URL, hex

    func callAsFunction(_ text: String) -> String {
      switch self {
      case .raw: text
      case .percent: text.utf8.map { String(format: "%%%02X", $0) }.joined()
      case .base64: Data(text.utf8).base64EncodedString()
      case .base64URL: Data("a\(text)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      case .hex: text.utf8.map { String(format: "%02x", $0) }.joined()
      }
    }
  }

  @Test(arguments: Spelling.allCases)
  func `a secret that a server puts into a Location goes nowhere`(spelling: Spelling) async throws {
    let error = await #expect(throws: UploadError.self) {
      _ = try await run(
        RequestHead(.get, .path("/x", profile: nil)),
        [redirect(302, to: "https://evil.example/?t=\(spelling(Self.canary))"), ok])
    }
    guard case .secretRefused(let secret, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(secret.name == "TOKEN")
  }

  /// It belongs to no profile: only the step and the run know of it.
  @Test func `a secret of the step itself, put into a Location, goes nowhere`() async throws {
    let text = Canary.secret("redirect-step")
    let secret = Secret(text, name: "STEP", for: [try OriginPattern("https://api.example")])
    let key = try #require(HTTPField.Name("X-Key"))
    let error = await #expect(throws: UploadError.self) {
      _ = try await run(
        RequestHead(.get, .path("/x", profile: nil)) {
          $0.headers = [key: text]
          $0.secrets = [secret]
        },
        [redirect(302, to: "https://evil.example/?t=\(Spelling.percent(text))"), ok])
    }
    guard case .secretRefused(let refused, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refused.name == "STEP")
  }
}
