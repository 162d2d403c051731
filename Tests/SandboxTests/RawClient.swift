import Foundation
import NIOCore
import NIOPosix
import Testing

/// One TCP connection on which a test writes what it likes, and reads what comes.
struct RawClient {
  typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var received: [UInt8] = []

  /// Connects to an origin, `http://127.0.0.1:PORT`, for as long as `body` runs.
  @concurrent
  static func connect<Result: Sendable>(
    to origin: String, _ body: @concurrent @Sendable (inout RawClient) async throws -> Result
  ) async throws -> Result {
    let port = try #require(URL(string: origin)?.port)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try Channel(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var client = RawClient(outbound: outbound, inbound: inbound.makeAsyncIterator())
      return try await body(&client)
    }
  }

  func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Closes our side.
  func finish() { outbound.finish() }

  /// The next response, including interim ones.
  @concurrent
  mutating func response(toHead: Bool = false) async throws -> RawResponse {
    let separator = Array("\r\n\r\n".utf8)
    while true {
      if let end = received.firstRange(of: separator) {
        var response = try RawResponse(head: String(decoding: received[..<end.lowerBound], as: UTF8.self))
        let length = toHead ? 0 : Int(response["content-length"] ?? "0") ?? 0
        if received.count >= end.upperBound + length {
          response.body = Array(received[end.upperBound..<(end.upperBound + length)])
          received.removeFirst(end.upperBound + length)
          return response
        }
      }
      let more = try await inbound.next()
      received += try #require(more, "the connection ended before the response did").readableBytesView
    }
  }

  /// Whether the server closes the connection without another byte.
  @concurrent
  mutating func isClosedByServer() async throws -> Bool {
    if !received.isEmpty { return false }
    return try await inbound.next() == nil
  }
}

struct RawResponse {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8] = []

  init(head: String) throws {
    let lines = head.split(separator: "\r\n")
    status = try #require(Int(lines[0].split(separator: " ")[1]))
    headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
    }
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The `code` of an error from the API.
  var errorCode: String? {
    struct Document: Decodable {
      struct Failure: Decodable {
        var code: String
        var message: String
      }
      var error: Failure
    }
    return try? JSONDecoder().decode(Document.self, from: Data(body)).error.code
  }

  /// The text of an element of an S3 error.
  func element(_ name: String) -> String? {
    guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>") else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}
