import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

/// A point of an exchange at which it is cancelled.
struct CancellationPoint: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// In bytes; nil: no body.
  let upload: Int?
  /// Leads to that point, when the head of the request has been read.
  let lead: LoopbackServer.Behavior

  init(_ name: String, upload: Int? = nil, _ lead: @escaping LoopbackServer.Behavior) {
    testDescription = name
    self.upload = upload
    self.lead = lead
  }

  static let all = [
    CancellationPoint("before the response") { _ in },
    CancellationPoint("before the body was read", upload: 32 << 20) { _ in },
    CancellationPoint("while the body is sent", upload: 32 << 20) { _ = try $0.readBody(1_000_000) },
    CancellationPoint("after an interim response") { try $0.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") },
    CancellationPoint("in the head of the response") { try $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
    CancellationPoint("in a small body") { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly") },
    CancellationPoint("in a body that is spooled") {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
      try $0.send([UInt8](repeating: 65, count: 24 << 20))
    },
    CancellationPoint("between two chunks") {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n")
    },
  ]
}

@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
  private let transport = CurlTransport()

  @Test(arguments: CancellationPoint.all)
  func `whenever a transfer is cancelled, it ends, its connection is closed, and the next request works`(
    moment: CancellationPoint
  ) async throws {
    let (moments, reached) = AsyncStream.makeStream(of: Void.self)
    let (ends, closed) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      while let head = try connection.readHead() {
        if head.contains(" /next ") {
          try connection.respond(body: "fine")
          continue
        }
        // What was sent may be on its way to nobody.
        try? moment.lead(connection)
        reached.yield()
        try? connection.waitForClose()
        closed.yield()
        return
      }
    }
    let url = server.url
    let body: [BodySegment]? = moment.upload.map { [.bytes([UInt8](repeating: 7, count: $0))] }
    let task = Task {
      try await transport.send(TransportRequest(method: body == nil ? .get : .put, url: url, body: body)) { _ in }
    }
    for await _ in moments { break }
    task.cancel()
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.fact == .cancelled)
    for await _ in ends { break }

    let next = try await transport.send(TransportRequest(method: .get, url: url + "/next")) { _ in }
    #expect(try next.response.body.bytes() == Array("fine".utf8))
  }

  @Test func `a transfer cancelled before it begins reaches nobody`() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.respond()
    }
    let url = server.url
    // The second and later ones find a thread that is awake.
    for _ in 0..<50 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.send(TransportRequest(method: .get, url: url)) { _ in }
      }
      let error = await #expect(throws: TransportError.self) { try await task.value }
      #expect(error?.fact == .cancelled)
    }
    #expect(server.requests == [])
  }

  @Test func `a run whose task is cancelled ends its transfer, and sends nothing after that`() async throws {
    let (moments, reached) = AsyncStream.makeStream(of: Void.self)
    let (ends, closed) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      while let head = try connection.readHead() {
        if head.contains(" /first ") {
          try connection.respond()
          continue
        }
        reached.yield()
        try? connection.waitForClose()
        closed.yield()
        return
      }
    }
    let url = server.url
    let task = Task {
      let uploader = Uploader(transport: transport)
      var run = SequenceRun(
        ArrayRequestSequence(
          ["/first", "/second", "/third"].map { path in
            { _ in .inMemory(InMemoryRequestDescription(RequestHead(.get, .url(url + path)))) }
          }))
      try await uploader.run(&run)
    }
    for await _ in moments { break }
    task.cancel()
    let error = await #expect(throws: UploadError.self) { try await task.value }
    guard case .transport(let failure, _)? = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.fact == .cancelled)
    for await _ in ends { break }
    #expect(server.requests.count == 2)
  }
}
