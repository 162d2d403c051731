import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileServerTests {
  private let transport = CurlTransport()

  private func send(_ request: TransportRequest) async -> Result<TransportResponse, TransportError> {
    do {
      return .success(try await transport.send(request) { _ in })
    } catch {
      return .failure(error)
    }
  }

  private func request(_ hostile: HostileCase, to server: LoopbackServer, path: String) -> TransportRequest {
    TransportRequest(
      method: hostile.method, url: server.url + path, headers: hostile.headers,
      body: hostile.upload.map { [.bytes([UInt8](repeating: 7, count: $0))] }, limits: hostile.limits)
  }

  @Test(arguments: HostileCase.all)
  func `each ends as stated, and the next request works`(hostile: HostileCase) async throws {
    let server = try hostile.server()
    let result = await send(request(hostile, to: server, path: "/hostile"))
    #expect(HostileCase.outcome(of: result) == hostile.expected, "\(result)")

    let next = await send(TransportRequest(method: .get, url: server.url + "/next"))
    #expect(try next.get().response.body.bytes() == Array("fine".utf8))
  }

  @Test func `a connection whose framing was ambiguous is not reused`() async throws {
    for (length, connections) in [("Content-Length: 2", 1), ("Content-Length: 2\r\nContent-Length: 2", 2)] {
      let server = try LoopbackServer { connection in
        while try connection.readHead() != nil { try connection.send("HTTP/1.1 200 OK\r\n\(length)\r\n\r\nok") }
      }
      for _ in 0..<2 { _ = try await send(TransportRequest(method: .get, url: server.url)).get() }
      #expect(server.connections == connections)
    }
  }

  @Test func `a folded field is one field`() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.send("HTTP/1.1 200 OK\r\nX-A: one\r\n\t two\r\nContent-Length: 0\r\n\r\n")
    }
    let reply = try await send(TransportRequest(method: .get, url: server.url)).get()
    #expect(reply.response.headers[try #require(HTTPField.Name("X-A"))] == "one two")
  }

  private func run(
    _ hostile: HostileCase, _ method: HTTPRequest.Method, _ effect: RequestEffect? = nil, to server: LoopbackServer
  ) async throws -> Exchange {
    let profile = SessionProfile(
      name: "api", base: BaseURL(origin: Origin(scheme: .http, host: server.host, port: server.port)),
      limits: hostile.limits)
    let clock = UploadClock(now: { .zero }, sleep: { _ in })
    let uploader = Uploader(transport: transport, profiles: SessionProfiles([profile]), clock: clock)
    var run = SequenceRun(
      ArrayRequestSequence([
        // A connection that was used before is the one on which libcurl would send twice.
        { _ in .inMemory(InMemoryRequestDescription(RequestHead(.get, .path("/before", profile: nil)))) },
        { _ in
          .inMemory(
            InMemoryRequestDescription(
              RequestHead(method, .path("/hostile", profile: nil)) { if let effect { $0.effect = effect } },
              body: .init([UInt8](repeating: 7, count: hostile.upload ?? 3), contentType: nil)))
        },
      ]))
    try await uploader.run(&run)
    return try #require(run.lastExchange)
  }

  @Test(arguments: HostileCase.all, [(HTTPRequest.Method.post, nil), (.put, RequestEffect.once)])
  func `an at-most-once request reaches the server at most once`(
    hostile: HostileCase, request: (method: HTTPRequest.Method, effect: RequestEffect?)
  ) async throws {
    let server = try hostile.server(everyTime: false)
    do {
      _ = try await run(hostile, request.method, request.effect, to: server)
      #expect(hostile.hasResponse)
    } catch let error as UploadError {
      if !hostile.hasResponse { #expect(error.outcome == .unknown) }
    }
    #expect(server.requests.count { $0.hasPrefix(request.method.rawValue) } == 1)
  }

  @Test(arguments: HostileCase.all.filter(\.isPassing))
  func `a repeatable request succeeds after the fault`(hostile: HostileCase) async throws {
    let server = try hostile.server(everyTime: false)
    let exchange = try await run(hostile, .put, to: server)
    #expect(try exchange.response.body.bytes() == Array("fine".utf8))
  }
}
