import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Testing
import UploaderCore

@Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
  private let transport = CurlTransport()

  private func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await transport.send(request) { _ in }
  }

  /// Responds to every request of a connection in the same way.
  private static func responding(
    _ status: String = "200 OK", headers: [String] = [], body: String = ""
  ) -> LoopbackServer.Behavior {
    { connection in
      while try connection.readRequest() != nil {
        try connection.respond(status, headers: headers, body: body)
      }
    }
  }

  @Test func `the response comes back as the server sent it, in order`() async throws {
    let server = try LoopbackServer(
      Self.responding(
        "207 Odd Reason", headers: ["X-B: 2", "X-A: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"], body: "hi"))
    let reply = try await send(TransportRequest(method: .get, url: server.url + "/x"))
    #expect(reply.response.status.code == 207)
    #expect(reply.response.status.reasonPhrase == "Odd Reason")
    #expect(reply.response.version == "HTTP/1.1")
    #expect(
      reply.response.headers.map { "\($0.name.rawName): \($0.value)" } == [
        "X-B: 2", "X-A: 1", "Set-Cookie: a=1", "Set-Cookie: b=2", "Content-Length: 2",
      ])
    #expect(try reply.response.body.bytes() == Array("hi".utf8))
    #expect(reply.timings.total > .zero)
  }

  /// In an upload, libcurl's own time of the first byte is that of the first byte that was sent.
  @Test func `a slow server after an upload counts as waiting time`() async throws {
    let server = try LoopbackServer { connection in
      guard try connection.readRequest() != nil else { return }
      Thread.sleep(forTimeInterval: 0.3)
      try connection.respond()
    }
    let reply = try await send(
      TransportRequest(method: .put, url: server.url, body: [.bytes([UInt8](repeating: 7, count: 100_000))]))
    let timings = reply.timings
    #expect(timings.sent > .zero)
    #expect(timings.firstByte - timings.sent >= .milliseconds(290))
    #expect(timings.firstByte <= timings.total)
  }

  /// A server closes a kept connection whenever it likes: libcurl then sends the request again on a new one.
  @Test func `a request that libcurl had to resend is reported as sent once`() async throws {
    let server = try LoopbackServer { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.respond()
      _ = try connection.readRequest()
    }
    let request = TransportRequest(method: .get, url: server.url, headers: [.accept: "text/plain"])
    let first = try await send(request)
    let second = try await send(request)
    #expect(server.connections == 2)
    #expect(server.requests.count == 3)
    #expect(second.sentHeaders == first.sentHeaders)
  }

  /// libcurl's handles are reused, and are told only what is different.
  @Test(arguments: [false, true]) func `nothing of a request leaks into the next one`(isSameURL: Bool) async throws {
    let server = try LoopbackServer(Self.responding(body: "fine"))
    let bytes = [BodySegment.bytes(Array("body".utf8))]
    func url(_ path: String) -> String { server.url + (isSameURL ? "/same" : path) }
    var requests = [
      TransportRequest(method: .get, url: url("/1")),
      TransportRequest(method: .head, url: url("/2"), timeout: .seconds(9)),
      TransportRequest(method: .put, url: url("/3"), headers: [.expect: "100-continue"], body: bytes),
      TransportRequest(method: .post, url: url("/4"), headers: [.authorization: "Bearer a", .userAgent: ""]),
      TransportRequest(method: .delete, url: url("/5"), headers: [.cookie: "a=b", .acceptEncoding: "br"]),
      TransportRequest(method: .patch, url: url("/6"), body: bytes, needsFreshConnection: true),
      TransportRequest(method: .options, url: url("/7"), limits: TransferLimits(connect: .seconds(1))),
    ]
    // One that waits for what is left of another fails soon.
    for index in requests.indices {
      requests[index].limits.firstByte = .seconds(10)
      requests[index].limits.idle = .seconds(10)
    }
    for request in requests {
      let alone = try await CurlTransport().send(request) { _ in }
      for other in requests {
        let transport = CurlTransport()
        _ = try await transport.send(other) { _ in }
        let reply = try await transport.send(request) { _ in }
        #expect(server.requests.last == server.requests.first { $0.hasPrefix("\(request.method) ") })
        #expect(reply.sentHeaders == alone.sentHeaders)
        #expect(reply.response == alone.response)
        #expect(reply.connection.isReused == !request.needsFreshConnection)
      }
    }
  }

  @Test func `the timeout of a request is not that of the next one on its connection`() async throws {
    let server = try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        if head.hasPrefix("GET /slow") { Thread.sleep(forTimeInterval: 3) }
        try connection.respond(body: "fine")
      }
    }
    _ = try await send(TransportRequest(method: .get, url: server.url, timeout: .seconds(2)))
    let slow = try await send(TransportRequest(method: .get, url: server.url + "/slow"))
    #expect(slow.connection.isReused)
    #expect(slow.response.status == .ok)
  }

  /// Forty fill more than one pool.
  @Test(arguments: [16, 40])
  func `as many connections are kept as there were requests at once`(count: Int) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        Thread.sleep(forTimeInterval: 0.2)
        try connection.respond()
      }
    }
    for _ in 0..<3 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask { _ = try await send(TransportRequest(method: .get, url: server.url)) }
        }
        try await group.waitForAll()
      }
    }
    #expect(server.connections == count)
  }

  @Test func `what is reported as sent is what arrived`() async throws {
    let server = try LoopbackServer(Self.responding())
    let reply = try await send(
      TransportRequest(
        method: .post, url: server.url + "/p",
        headers: [.contentType: "text/plain", try #require(HTTPField.Name("X-Empty")): ""],
        body: [.bytes(Array("body".utf8))]))
    let lines = try #require(server.requests.first).split(separator: "\r\n").map(String.init)
    #expect(lines.first == "POST /p HTTP/1.1")
    #expect(
      Array(lines.dropFirst())
        == reply.sentHeaders.map { $0.value.isEmpty ? "\($0.name.rawName):" : "\($0.name.rawName): \($0.value)" })
    #expect(lines.contains("Content-Length: 4"))
    #expect(!lines.contains { $0.lowercased().hasPrefix("expect") })
    #expect(reply.sentBodySize == 4)
  }

  @Test(arguments: [
    "/a%2fb/../c/./d?x=%7E&y=a+b&z=%zz", "/?X-Amz-Signature=ab%2Fcd%3D", "//double//slash", "/~tilde?#no",
  ])
  func `a URL arrives byte for byte`(path: String) async throws {
    let server = try LoopbackServer(Self.responding())
    _ = try await send(TransportRequest(method: .get, url: server.url + path))
    let target = path.split(separator: "#", omittingEmptySubsequences: false)[0]
    #expect(server.requests.first?.hasPrefix("GET \(target) HTTP/1.1\r\n") == true)
  }

  @Test func `a redirect is a response`() async throws {
    let server = try LoopbackServer(Self.responding("302 Found", headers: ["Location: /elsewhere"]))
    let reply = try await send(TransportRequest(method: .get, url: server.url))
    #expect(reply.response.status == .found)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
  func `a method that carries a body announces an empty one`(method: HTTPRequest.Method) async throws {
    let server = try LoopbackServer(Self.responding())
    _ = try await send(TransportRequest(method: method, url: server.url))
    #expect(server.requests.first?.contains("Content-Length: 0\r\n") == true)
  }

  @Test func `a HEAD has no body and does not wait for one`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readHead() != nil { try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") }
    }
    let reply = try await send(TransportRequest(method: .head, url: server.url))
    #expect(reply.response.body.isEmpty)
  }

  @Test func `connections are shared within a name and not between two`() async throws {
    let server = try LoopbackServer(Self.responding())
    for name in ["a", "a", "b"] {
      _ = try await send(TransportRequest(method: .get, url: server.url, connections: name))
    }
    #expect(server.requests.count == 3)
    #expect(server.connections == 2)
  }

  @Test(arguments: [(true, 1), (false, 2)])
  func `on a connection of its own a request is sent once, though the server closes after reading it`(
    isFresh: Bool, arrivals: Int
  ) async throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest(), request.head.hasPrefix("GET") { try connection.respond() }
    }
    _ = try await send(TransportRequest(method: .get, url: server.url))
    let error = await #expect(throws: TransportError.self) {
      _ = try await send(
        TransportRequest(method: .post, url: server.url, body: [.bytes([1])], needsFreshConnection: isFresh))
    }
    #expect(error?.requestWasSent == true)
    // libcurl itself sends again on a connection that was used before: the reason for the flag.
    #expect(server.requests.count { $0.hasPrefix("POST") } == arrivals)
  }

  @Test func `a file is streamed with its exact length`() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try TemporaryFile(bytes)
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        try connection.respond(body: request.body == bytes ? "same" : "different")
      }
    }
    let slice = try FileSlice(path: file.path)
    let reply = try await send(TransportRequest(method: .put, url: server.url, body: [.file(slice)]))
    #expect(try reply.response.body.bytes() == Array("same".utf8))
    #expect(reply.sentBodySize == bytes.count)
  }

  @Test(arguments: [10, 90_000])
  func `a file that changed since its length was announced is an error`(newSize: Int) async throws {
    let file = try TemporaryFile([UInt8](repeating: 7, count: 50_000))
    let slice = try FileSlice(path: file.path)
    try file.replace([UInt8](repeating: 8, count: newSize))
    let server = try LoopbackServer(Self.responding())
    let error = await #expect(throws: TransportError.self) {
      try await send(TransportRequest(method: .put, url: server.url, body: [.file(slice)]))
    }
    #expect(error?.fact == .file(.changed(path: file.path)))
  }

  @Test func `a large body is kept in a file and reads the same`() async throws {
    let piece = [UInt8](repeating: 65, count: 100_000)
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
        for index in 0..<50 { try connection.send(piece.dropLast() + [UInt8(index)]) }
      }
    }
    let body = try await send(TransportRequest(method: .get, url: server.url)).response.body
    #expect(body.count == 5_000_000)
    #expect(try body.bytes(from: 99_999, limit: 1) == [0])
    #expect(try body.bytes(from: 4_999_999, limit: 10) == [49])
    var count = 0
    try body.forEachChunk { count += $0.count }
    #expect(count == 5_000_000)
  }

  @Test func `a response that comes before the body was sent is the response`() async throws {
    let file = try TemporaryFile([UInt8](repeating: 7, count: 20_000_000))
    let server = try LoopbackServer { connection in
      guard try connection.readHead() != nil else { return }
      try connection.respond("413 Content Too Large", headers: ["Connection: close"], body: "too large")
      usleep(100_000)
    }
    let slice = try FileSlice(path: file.path)
    let reply = try await send(TransportRequest(method: .put, url: server.url, body: [.file(slice)]))
    #expect(reply.response.status.code == 413)
    #expect(reply.sentBodySize < 20_000_000)
  }

  @Test func `a port without a listener is a refused connection`() async throws {
    let port = try LoopbackServer { _ in }.port
    let error = await #expect(throws: TransportError.self) {
      try await send(TransportRequest(method: .get, url: "http://127.0.0.1:\(port)/"))
    }
    #expect(error?.fact == .connect(reason: "Connection refused"))
    #expect(error?.requestWasSent == false)
  }

  @Test func `a server that reads and closes leaves the outcome open`() async throws {
    let server = try LoopbackServer { connection in _ = try connection.readRequest() }
    let error = await #expect(throws: TransportError.self) {
      try await send(TransportRequest(method: .get, url: server.url))
    }
    guard case .connectionLost = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.requestWasSent == true)
  }

  @Test func `a server that never responds runs into the time limit`() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.waitForClose()
    }
    let error = await #expect(throws: TransportError.self) {
      try await send(TransportRequest(method: .get, url: server.url, timeout: .milliseconds(200)))
    }
    #expect(error?.fact == .timeout(after: .milliseconds(200)))
  }

  @Test(arguments: [
    "ftp://h/", "file:///etc/passwd", "h/x", "http://", "http://a b/", "http://user:pw@h/", "http://h:99999/",
    "http://h/\r\nX: y",
  ])
  func `an unsupported URL is refused before anything is sent`(url: String) async throws {
    let error = await #expect(throws: TransportError.self) { try await send(TransportRequest(method: .get, url: url)) }
    guard case .url(url, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    ("http://EXAMPLE.com/x", "http://example.com"), ("https://h:443/", "https://h"),
    ("http://h:8080?x", "http://h:8080"),
    ("http://2130706433/", "http://127.0.0.1"), ("http://0x7f.1/", "http://127.0.0.1"),
    ("http://[::1]:8/", "http://[::1]:8"), ("http://[::1%25lo]:8/", "http://[::1%25lo]:8"),
    ("http://h./", "http://h."),
  ])
  func `the origin is the one that would be connected to`(url: String, origin: String) throws {
    #expect(try transport.origin(of: url).description == origin)
  }

  @Test func `progress is reported while a file is sent`() async throws {
    let file = try TemporaryFile([UInt8](repeating: 7, count: 1_000_000))
    let server = try LoopbackServer { connection in
      guard try connection.readHead() != nil else { return }
      var left = 1_000_000
      while left > 0 {
        left -= try connection.readBody(min(left, 100_000)).count
        usleep(30_000)
      }
      try connection.respond()
    }
    let slice = try FileSlice(path: file.path)
    let (stream, sink) = AsyncStream.makeStream(of: TransferProgress.self)
    _ = try await transport.send(TransportRequest(method: .put, url: server.url, body: [.file(slice)])) {
      sink.yield($0)
    }
    sink.finish()
    let progress = await stream.reduce(into: []) { $0.append($1) }
    #expect(!progress.isEmpty)
    #expect(progress.allSatisfy { $0.toSend == 1_000_000 })
  }

  @Test func `progress is reported while a response arrives`() async throws {
    let server = try LoopbackServer { connection in
      guard try connection.readHead() != nil else { return }
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      for _ in 0..<10 {
        try connection.send(String(repeating: "a", count: 10_000))
        usleep(30_000)
      }
    }
    let (stream, sink) = AsyncStream.makeStream(of: TransferProgress.self)
    _ = try await transport.send(TransportRequest(method: .get, url: server.url)) { sink.yield($0) }
    sink.finish()
    let progress = await stream.reduce(into: []) { $0.append($1) }
    #expect(!progress.isEmpty)
    #expect(progress.allSatisfy { $0.toReceive == 100_000 && $0.toSend == nil && $0.received > 0 })
    #expect(progress.map(\.received) == progress.map(\.received).sorted())
  }
}
