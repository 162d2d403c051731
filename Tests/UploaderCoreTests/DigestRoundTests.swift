import Canaries
import HTTPTypes
import Requests
import Testing
import UploaderCore

/// A server that challenges, and what is sent to it.
struct DigestRoundTests {
  private static let password = Canary.secret("digest")

  private static func challenge(_ nonce: String, isStale: Bool = false) -> Result<Response, TransportError> {
    let text = "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\"\(isStale ? ", stale=true" : "")"
    return .success(Response(status: .unauthorized, headers: [.wwwAuthenticate: text]))
  }

  private static let fine: Result<Response, TransportError> = .success(Response(status: .ok))

  private func uploader(_ transport: FakeTransport) throws -> Uploader {
    let base = try BaseURL("https://api.test")
    let secret = Secret(Self.password, name: "password", for: [OriginPattern(base.origin)])
    let profile = SessionProfile(
      name: "api", base: base, credential: .digest(DigestIdentity(user: "ann", password: secret)))
    return Uploader(transport: transport, profiles: [profile])
  }

  private func send(
    _ method: HTTPRequest.Method, _ url: String, _ uploader: Uploader, body: String? = nil
  ) async throws -> Exchange {
    let body = body.map { InMemoryRequestDescription.Body(Array($0.utf8), contentType: "text/plain") }
    let request = RequestDescription.inMemory(InMemoryRequestDescription(RequestHead(method, .url(url)), body: body))
    var run = SequenceRun(ArrayRequestSequence([{ _ in request }]))
    do { try await uploader.run(&run) } catch { guard case .expectations = error.fact else { throw error } }
    return try #require(run.lastExchange)
  }

  private func nonces(_ transport: FakeTransport) -> [String?] {
    transport.requests.map { request in
      request.headers[.authorization].flatMap { AuthenticationChallenge.parameters(in: $0.dropDigest)["nonce"] }
    }
  }

  @Test func `a challenge is met once, what must happen once too, and the next request needs none`() async throws {
    let transport = FakeTransport([Self.challenge("one"), Self.fine, Self.fine])
    let uploader = try uploader(transport)
    let first = try await send(.post, "https://api.test/a?b=c", uploader, body: "x")
    #expect(first.response.status.code == 200)
    _ = try await send(.get, "https://api.test/", uploader)
    #expect(nonces(transport) == [nil, "one", "one"])
    let sent = transport.requests.map { $0.headers[.authorization] ?? "" }
    #expect(sent[1].contains("uri=\"/a?b=c\"") && sent[1].contains("nc=00000001") && sent[2].contains("nc=00000002"))
    #expect(transport.requests[0].body == transport.requests[1].body)
    #expect(!transport.requests.contains { "\($0.headers)".contains(Self.password) })
  }

  @Test func `a stale nonce is replaced, and a wrong password is not tried again`() async throws {
    let stale = FakeTransport([
      Self.challenge("one"), Self.fine, Self.challenge("two", isStale: true), Self.fine,
    ])
    let uploader = try uploader(stale)
    _ = try await send(.get, "https://api.test/", uploader)
    #expect(try await send(.post, "https://api.test/", uploader).response.status.code == 200)
    #expect(nonces(stale) == [nil, "one", "one", "two"])

    let wrong = FakeTransport([Self.challenge("one"), Self.challenge("two")])
    #expect(try await send(.get, "https://api.test/", try self.uploader(wrong)).response.status.code == 401)
    #expect(wrong.requests.count == 2)

    let endless = FakeTransport((0..<9).map { Self.challenge("\($0)", isStale: true) })
    #expect(try await send(.get, "https://api.test/", try self.uploader(endless)).response.status.code == 401)
    #expect(endless.requests.count == 4)
  }

  @Test func `another origin gets no digest, whatever it asks for`() async throws {
    let transport = FakeTransport([Self.challenge("one")])
    let exchange = try await send(.get, "https://evil.test/", try uploader(transport))
    #expect(exchange.response.status.code == 401 && nonces(transport) == [nil])

    let redirect: Result<Response, TransportError> = .success(
      Response(status: .found, headers: [.location: "https://evil.test/"]))
    let leading = FakeTransport([Self.challenge("one"), redirect, Self.challenge("two")])
    _ = try await send(.get, "https://api.test/", try uploader(leading))
    #expect(nonces(leading) == [nil, "one", nil])
  }
}

extension String {
  fileprivate var dropDigest: String { String(dropFirst("Digest ".count)) }
}
