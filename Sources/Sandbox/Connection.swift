import Crypto
import Essentials
import JSONValue
import NIOCore
import NIOHTTP1

/// The service of one origin.
protocol OriginService: Sendable {
  /// The receiver for the body of a request whose head has arrived.
  func receiver(for head: HTTPRequestHead) async -> any BodyReceiver

  /// Which step of an upload a request is, for faults; nil: none.
  func step(of head: HTTPRequestHead) -> SandboxFault.Step?
}

/// The connection ends here without a response: a requested fault.
private struct ConnectionDropped: Error {}

/// Serves the requests of one connection, one after another, so that pipelined ones get their responses in order.
///
/// Knows HTTP's framing and the log, and nothing of the requests' and responses' meaning.
struct Connection: Sendable {
  typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  typealias Inbound = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
  typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  /// How long a client may take to read a response that came before its body.
  static let lingering = TimeAmount.seconds(2)

  let origin: String
  let service: any OriginService
  let log: RequestLog?
  let faults: Faults
  let now: @Sendable () -> Date

  @concurrent
  func serve(_ accepted: AcceptedConnection) async throws {
    let channel = accepted.channel
    try await channel.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      while case .head(let head) = try await parts.next() {
        guard try await exchange(head, &parts, outbound) else {
          // Closing with unread bytes would reset the connection and could cost the client its response.
          outbound.finish()
          let timeout = channel.channel.eventLoop.scheduleTask(in: Self.lingering) {
            channel.channel.close(promise: nil)
          }
          defer { timeout.cancel() }
          while try await parts.next() != nil {}
          return
        }
      }
    }
  }

  /// Serves one request; false if the connection cannot serve another.
  @concurrent
  private func exchange(_ head: HTTPRequestHead, _ parts: inout Inbound, _ outbound: Outbound) async throws -> Bool {
    var receiver: any BodyReceiver
    if let step = service.step(of: head), let faulty = await faults.receiver(for: head, at: step, origin: origin) {
      receiver = faulty
    } else {
      receiver = await service.receiver(for: head)
    }
    let expectsContinue =
      head.version == .http1_1 && head.headers["expect"].contains { $0.lowercased() == "100-continue" }
    let leavesBody = expectsContinue && !receiver.isWaiting

    var size = 0
    var hash = SHA256()
    if !leavesBody {
      if expectsContinue {
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
      }
      while let buffer = try await nextOfBody(&parts) {
        size += buffer.readableBytes
        buffer.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        receiver.receive(ArraySlice(buffer.readableBytesView))
      }
    }
    let response = await receiver.finish()
    try await log?.append(
      RequestRecord(
        origin: origin, method: head.method.rawValue, target: head.uri,
        headers: head.headers.map { ($0.name, $0.value) },
        size: size, sha256: hash.finalize().hex, fileSHA256: receiver.fileSHA256))

    if case .dropped = response.content { throw ConnectionDropped() }
    if let step = service.step(of: head), await faults.take(.dropBeforeResponse, at: step) { throw ConnectionDropped() }

    let staysOpen = head.isKeepAlive && !leavesBody
    try await send(response, for: head, staysOpen: staysOpen, outbound)
    return staysOpen
  }

  /// The next bytes of the body, nil at its end.
  @concurrent
  private func nextOfBody(_ parts: inout Inbound) async throws -> ByteBuffer? {
    switch try await parts.next() {
    case .body(let buffer): buffer
    case .end: nil
    case .head, nil: throw HTTPParserError.invalidEOFState
    }
  }

  private func send(
    _ response: Response, for request: HTTPRequestHead, staysOpen: Bool, _ outbound: Outbound
  ) async throws {
    var headers = HTTPHeaders(response.headers)
    headers.add(name: "Date", value: DateText.http(now()))
    // What comes bit by bit has no length.
    if response.status != .noContent, !response.isStream {
      headers.add(name: "Content-Length", value: String(response.contentLength))
    }
    if !staysOpen {
      headers.add(name: "Connection", value: "close")
    } else if request.version != .http1_1 {
      headers.add(name: "Connection", value: "keep-alive")
    }
    let head = HTTPServerResponsePart.head(
      HTTPResponseHead(version: .http1_1, status: response.status, headers: headers))

    switch response.content {
    case _ where request.method == .HEAD, .none, .dropped:
      try await outbound.write(contentsOf: [head, .end(nil)])
    case .events(let last):
      try await outbound.write(head)
      for number in (last + 1)...(last + Response.eventsAtOnce) {
        if number > last + 1 { try await Task.sleep(for: .milliseconds(50)) }
        let event = "id: \(number)\nretry: 100\ndata: {\"n\": \(number)}\n\n"
        try await outbound.write(.body(.byteBuffer(ByteBuffer(string: event))))
      }
      try await outbound.write(.end(nil))
    case .bytes(let bytes):
      try await outbound.write(contentsOf: [head, .body(.byteBuffer(ByteBuffer(bytes: bytes))), .end(nil)])
    case .file(let file, let size):
      try await outbound.write(head)
      try await copy(file, size: size, outbound)
      try await outbound.write(.end(nil))
    }
  }

  /// Writes exactly `size` bytes of a file, a piece at a time as the client takes them.
  private func copy(_ file: OpenFile, size: Int, _ outbound: Outbound) async throws {
    var left = size
    while left > 0 {
      var piece = ByteBuffer()
      let count = try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 * 1024) { buffer in
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left)))
      }
      guard count > 0 else { throw FileError(operation: "read all of", path: file.path, code: 0) }
      try await outbound.write(.body(.byteBuffer(piece)))
      left -= count
    }
  }
}
