import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

/// Frames of HTTP/2 that carry nothing and never end: libcurl takes them in within one call.
struct Flood: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What comes before the flood.
  let lead: [UInt8]
  let frame: [UInt8]
  /// What comes in between, once in 8,192 frames.
  var seldom: [UInt8] = []

  static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
  /// `:status: 200` on stream 1, which it does not end (RFC 9113 §6.2).
  private static let responded: [UInt8] = [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]

  static let all = [
    Flood(
      testDescription: "WINDOW_UPDATE", lead: settings, frame: [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    Flood(testDescription: "empty DATA", lead: settings + responded, frame: [0, 0, 0, 0, 0, 0, 0, 0, 1]),
    Flood(
      testDescription: "empty DATA, now and then a byte", lead: settings + responded,
      frame: [0, 0, 0, 0, 0, 0, 0, 0, 1],
      seldom: [0, 0, 1, 0, 0, 0, 0, 0, 1, 0x61]),
    Flood(testDescription: "PRIORITY", lead: settings, frame: [0, 0, 5, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1]),
  ]

  func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      guard let head = try connection.readHead() else { return }
      guard head.hasPrefix("PRI ") else { return try connection.respond(body: "fine") }
      try connection.send(lead)
      let frames = [UInt8]((0..<8_192).map { _ in frame }.joined()) + seldom
      // Until nobody is listening any more.
      while true { try connection.send(frames) }
    }
  }
}

/// A connection on which only an empty frame comes now and then; on all further ones a response.
struct SlowFlood {
  let server: LoopbackServer

  init() throws {
    let isFirst = Mutex(true)
    server = try LoopbackServer { connection in
      guard try connection.readHead() != nil else { return }
      // The rest of the preface, and frames up to the request's HEADERS (RFC 9113 §3.4, §4.1).
      _ = try connection.readBody(6)
      var frame = try connection.readBody(9)
      while frame.count == 9, frame[3] != 1 {
        _ = try connection.readBody(frame[..<3].reduce(0) { $0 << 8 | Int($1) })
        frame = try connection.readBody(9)
      }
      let responds = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return !isFirst
      }
      // The whole response: `:status: 200` on stream 1, and its end.
      try connection.send(Flood.settings + (responds ? [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88] : []))
      if responds { return try connection.waitForClose() }
      while true {
        try connection.send([0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }
}

/// Everything timed here runs on the transport's own thread: otherwise it would also be timed how soon another test
/// releases one of the threads that all tests share.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FloodTests {
  private let transport = CurlTransport()
  private static let network = NetworkSettings(version: .http2)

  private func request(_ url: String, timeout: Duration? = nil) -> TransportRequest {
    TransportRequest(method: .get, url: url, timeout: timeout, network: Self.network)
  }

  /// - Returns: how it failed, and when.
  private static func failure(
    of request: TransportRequest, on transport: CurlTransport
  ) async -> (fact: TransportError.Fact?, at: ContinuousClock.Instant) {
    await withTaskExecutorPreference(transport.executor) {
      do throws(TransportError) {
        _ = try await transport.send(request) { _ in }
        return (nil, .now)
      } catch {
        return (error.fact, .now)
      }
    }
  }

  @Test(arguments: Flood.all)
  func `a time limit is kept`(flood: Flood) async throws {
    let server = try flood.server()
    let started = ContinuousClock.now
    let (fact, end) = await Self.failure(of: request(server.url, timeout: .seconds(1)), on: transport)
    #expect(fact == .timeout(after: .seconds(1)))
    // A second on top of the limit, and one more on a busy machine.
    #expect(end - started < .seconds(3))
    let next = try await transport.send(
      TransportRequest(method: .get, url: server.url, connections: "others", network: NetworkSettings(version: .http1))
    ) { _ in }
    #expect(next.response.status == .ok)
  }

  @Test(arguments: Flood.all)
  func `an interrupt ends it`(flood: Flood) async throws {
    let server = try flood.server()
    let (transport, request) = (transport, request(server.url))
    let task = Task { await Self.failure(of: request, on: transport) }
    try await Task.sleep(for: .milliseconds(500))
    let interrupted = ContinuousClock.now
    task.cancel()
    let (fact, end) = await task.value
    #expect(fact == .cancelled)
    #expect(end - interrupted < .seconds(2))
  }

  @Test func `after a time limit the next request has another connection`() async throws {
    let slow = try SlowFlood()
    let (fact, _) = await Self.failure(of: request(slow.server.url, timeout: .milliseconds(500)), on: transport)
    #expect(fact == .timeout(after: .milliseconds(500)))
    let next = try await transport.send(request(slow.server.url, timeout: .seconds(20))) { _ in }
    #expect(next.response.status == .ok)
    #expect(slow.server.connections == 2)
  }

  @Test func `after an interrupt the next request has another connection`() async throws {
    let slow = try SlowFlood()
    let (transport, first) = (transport, request(slow.server.url))
    let task = Task { await Self.failure(of: first, on: transport) }
    #expect(slow.server.waitForRequests())
    try await Task.sleep(for: .milliseconds(300))
    task.cancel()
    #expect(await task.value.fact == .cancelled)
    let next = try await transport.send(request(slow.server.url, timeout: .seconds(20))) { _ in }
    #expect(next.response.status == .ok)
    #expect(slow.server.connections == 2)
  }

  @Test(arguments: Flood.all)
  func `others on the same thread continue`(flood: Flood) async throws {
    let server = try flood.server()
    let quiet = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        Thread.sleep(forTimeInterval: 0.7)
        try connection.respond(body: "fine")
      }
    }
    let (transport, request) = (transport, request(server.url, timeout: .seconds(20)))
    let task = Task { await Self.failure(of: request, on: transport) }
    let started = ContinuousClock.now
    for _ in 0..<2 {
      let reply = try? await transport.send(
        TransportRequest(method: .get, url: quiet.url, connections: "other", timeout: .seconds(15))
      ) { _ in }
      #expect(reply?.response.status == .ok)
    }
    #expect(ContinuousClock.now - started < .seconds(6))
    task.cancel()
    _ = await task.value
  }
}
