import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

/// A server that speaks enough HTTP/2 to refuse every stream before processing it (RFC 9113 §8.7). libcurl takes that
/// as an invitation to send the request again.
@Suite(.timeLimit(.minutes(1))) struct RefusedStreamTests {
  private final class Log: Sendable { let count = Mutex(0) }

  private static func server(_ log: Log) throws -> LoopbackServer {
    try LoopbackServer { connection in
      // The preface.
      _ = try connection.readBody(24)
      try connection.send([0, 0, 0, 4, 0, 0, 0, 0, 0])
      while true {
        let head = try connection.readBody(9)
        guard head.count == 9 else { return }
        _ = try connection.readBody(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
        switch head[3] {
        // The response to HEADERS is RST_STREAM with REFUSED_STREAM.
        case 1:
          log.count.withLock { $0 += 1 }
          try connection.send([0, 0, 4, 3, 0] + head[5..<9] + [0, 0, 0, 7])
        // SETTINGS that is not an acknowledgement is acknowledged.
        case 4 where head[4] & 1 == 0: try connection.send([0, 0, 0, 4, 1, 0, 0, 0, 0])
        default: break
        }
      }
    }
  }

  private func send(_ method: HTTPRequest.Method, _ effect: RequestEffect?) async throws -> (
    count: Int, error: UploadError?
  ) {
    let log = Log()
    let server = try Self.server(log)
    let base = BaseURL(origin: try Origin(server.url))
    var profile = SessionProfile(name: "h2", base: base)
    profile.network.version = .http2
    let uploader = Uploader(transport: CurlTransport(), profiles: SessionProfiles([profile]))
    let description = RequestDescription.inMemory(
      InMemoryRequestDescription(
        RequestHead(method, .url("\(server.url)/x")) {
          $0.timeout = .seconds(10)
          if let effect { $0.effect = effect }
          $0.retry = RetryRule.none
        },
        body: .init(Array("once".utf8), contentType: "text/plain")))
    var run = SequenceRun(ArrayRequestSequence([{ _ in description }]))
    do {
      try await uploader.run(&run)
      return (log.count.withLock { $0 }, nil)
    } catch {
      return (log.count.withLock { $0 }, error)
    }
  }

  @Test func `a POST whose stream is refused is not sent again`() async throws {
    let (count, error) = try await send(.post, nil)
    #expect(count == 1)
    guard case .transport(let failure, _)? = error?.fact, case .connectionLost(let reason) = failure.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("must not be sent twice"))
    #expect(error?.outcome == .unknown)
  }

  @Test func `a repeatable request is left to libcurl`() async throws {
    let (count, error) = try await send(.put, .idempotent)
    #expect(count > 1 && error != nil)
  }
}
