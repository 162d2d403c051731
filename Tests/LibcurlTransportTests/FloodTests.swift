import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Testing
import UploaderCore

/// Frames of HTTP/2 that say nothing and never end: libcurl takes them in within one call.
struct Flood: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What comes before the flood.
  let lead: [UInt8]
  let frame: [UInt8]

  private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
  /// `:status: 200` on stream 1, whose end it is not (RFC 9113 §6.2).
  private static let answered: [UInt8] = [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]

  static let all = [
    Flood(
      testDescription: "WINDOW_UPDATE", lead: settings, frame: [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    Flood(testDescription: "empty DATA", lead: settings + answered, frame: [0, 0, 0, 0, 0, 0, 0, 0, 1]),
    Flood(testDescription: "PRIORITY", lead: settings, frame: [0, 0, 5, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1]),
  ]

  func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      guard let head = try connection.readHead() else { return }
      guard head.hasPrefix("PRI ") else { return try connection.answer(body: "fine") }
      try connection.send(lead)
      let frames = [UInt8]((0..<8_192).map { _ in frame }.joined())
      // Until nobody listens any more.
      while true { try connection.send(frames) }
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(3))) struct FloodTests {
  private let transport = CurlTransport()
  private static let network = NetworkSettings(version: .http2)

  private static func seconds(_ work: () async -> Void) async -> Double {
    let start = ContinuousClock.now
    await work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  @Test(arguments: Flood.all)
  func `a time limit is kept`(flood: Flood) async throws {
    let server = try flood.server()
    var fact: TransportError.Fact?
    let passed = await Self.seconds {
      do throws(TransportError) {
        _ = try await transport.send(
          TransportRequest(method: .get, url: server.url, timeout: .seconds(1), network: Self.network)
        ) { _ in }
      } catch {
        fact = error.fact
      }
    }
    #expect(fact == .timeout(after: .seconds(1)))
    // A second beside the limit; more on a machine that has much to do.
    #expect(passed < 6)
    let next = try await transport.send(
      TransportRequest(method: .get, url: server.url, connections: "others", network: NetworkSettings(version: .http1))
    ) { _ in }
    #expect(next.response.status == .ok)
  }

  @Test(arguments: Flood.all)
  func `an interrupt ends it`(flood: Flood) async throws {
    let server = try flood.server()
    let (transport, url) = (transport, server.url)
    let task = Task {
      do throws(TransportError) {
        _ = try await transport.send(TransportRequest(method: .get, url: url, network: Self.network)) { _ in }
        return nil as TransportError.Fact?
      } catch {
        return error.fact
      }
    }
    try await Task.sleep(for: .milliseconds(500))
    let passed = await Self.seconds {
      task.cancel()
      #expect(await task.value == .cancelled)
    }
    #expect(passed < 5)
  }

  @Test(arguments: Flood.all)
  func `others on the same thread go on`(flood: Flood) async throws {
    let server = try flood.server()
    let quiet = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        Thread.sleep(forTimeInterval: 0.7)
        try connection.answer(body: "fine")
      }
    }
    let (transport, url) = (transport, server.url)
    let task = Task {
      _ = try await transport.send(
        TransportRequest(method: .get, url: url, timeout: .seconds(20), network: Self.network)
      ) { _ in }
    }
    let passed = await Self.seconds {
      for _ in 0..<2 {
        let answer = try? await transport.send(
          TransportRequest(method: .get, url: quiet.url, connections: "other", timeout: .seconds(15))
        ) { _ in }
        #expect(answer?.response.status == .ok)
      }
    }
    #expect(passed < 10)
    task.cancel()
    _ = try? await task.value
  }
}
