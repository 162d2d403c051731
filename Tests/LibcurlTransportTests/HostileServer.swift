import Foundation
import HTTPTypes
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

/// A way in which a server misbehaves, and how the client sees it. Adding one means adding a line to `all`.
struct HostileCase: CustomTestStringConvertible, Sendable {
  enum Outcome: Hashable, Sendable {
    /// A response with this status, and a body of this many decoded bytes.
    case response(Int, bytes: Int, warnings: [FramingWarning] = [])
    case connectionLost
    case truncated(received: Int, announced: Int?)
    case tooMuch(TransferLimits.Excess)
    case firstByteTimeout
    case idleTimeout
    case malformed
  }

  let name: String
  /// The method: by default GET, with an upload PUT.
  let method: HTTPRequest.Method
  /// In bytes; nil: no body.
  let upload: Int?
  /// The header fields of the request.
  let headers: HTTPFields
  let limits: TransferLimits
  let expected: Outcome
  /// Runs when the head of the request has been read.
  let misbehave: LoopbackServer.Behavior

  init(
    _ name: String, method: HTTPRequest.Method? = nil, upload: Int? = nil, headers: HTTPFields = [:],
    limits: TransferLimits? = nil, _ expected: Outcome, _ misbehave: @escaping LoopbackServer.Behavior
  ) {
    self.name = name
    self.method = method ?? (upload == nil ? .get : .put)
    self.upload = upload
    self.headers = headers
    self.limits = limits ?? Self.limits(for: expected)
    self.expected = expected
    self.misbehave = misbehave
  }

  var testDescription: String { name }

  /// Whether there is a response; without one it is not known whether the request took effect.
  var hasResponse: Bool {
    if case .response = expected { true } else { false }
  }

  /// Whether it may be gone the next time.
  var isPassing: Bool {
    switch expected {
    case .connectionLost, .truncated, .firstByteTimeout, .idleTimeout: true
    case .response, .tooMuch, .malformed: false
    }
  }

  /// Short if patience is what ends it; otherwise long, because a busy machine may be slow.
  private static func limits(for expected: Outcome) -> TransferLimits {
    let patience: Duration =
      expected == .firstByteTimeout || expected == .idleTimeout ? .milliseconds(300) : .seconds(10)
    return TransferLimits(
      firstByte: patience, idle: patience, headBytes: 64 << 10, headLines: 200, bodyBytes: 48 << 20, ratio: 100)
  }

  /// Misbehaves at the first `/hostile`, or at each, and responds normally to everything else.
  func server(everyTime: Bool = true) throws -> LoopbackServer {
    let isFirst = Once()
    return try LoopbackServer { [misbehave] connection in
      while let head = try connection.readHead() {
        if head.contains(" /hostile "), everyTime || isFirst.take() {
          try misbehave(connection)
          return
        }
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        _ = try connection.readBody(length.flatMap { Int($0.dropFirst(16)) } ?? 0)
        try connection.respond(body: "fine")
      }
    }
  }

  static func outcome(of result: Result<TransportResponse, TransportError>) -> Outcome? {
    switch result {
    case .success(let received):
      return .response(
        received.response.status.code, bytes: received.response.body.count, warnings: received.response.warnings)
    case .failure(let error):
      switch error.fact {
      case .connectionLost: return .connectionLost
      case .truncated(let received, let announced): return .truncated(received: received, announced: announced)
      case .tooMuch(let excess): return .tooMuch(excess)
      case .firstByteTimeout: return .firstByteTimeout
      case .idleTimeout: return .idleTimeout
      case .malformedResponse: return .malformed
      case .url, .resolve, .connect, .proxy, .tls, .connectTimeout, .timeout, .file, .cancelled, .other: return nil
      }
    }
  }
}

// MARK: The table

extension HostileCase {
  static let all: [HostileCase] =
    breakingOff + slow + endless + framing + malformed + early

  private static let breakingOff = [
    HostileCase("dies after reading the request", .connectionLost) { _ in },
    HostileCase("resets after reading the request", .connectionLost) { $0.reset() },
    HostileCase("dies in the status line", .connectionLost) { try $0.send("HTTP/1.") },
    HostileCase("dies in the head", .connectionLost) { try $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
    HostileCase("resets in the head", .connectionLost) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
      usleep(20_000)
      $0.reset()
    },
    HostileCase("body shorter than its length", .truncated(received: 4, announced: 100)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
    },
    HostileCase("half-closes in the body", .truncated(received: 4, announced: 100)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
      $0.finishSending()
      try $0.waitForClose()
    },
    HostileCase("resets in the body", .connectionLost) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
      usleep(20_000)
      $0.reset()
    },
    HostileCase("chunked body without its last chunk", .truncated(received: 4, announced: nil)) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n")
    },
    HostileCase("chunked body that ends inside a chunk", .truncated(received: 4, announced: nil)) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nonly")
    },
    HostileCase("a gzip body that is cut short", .truncated(received: 13, announced: 13)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Bomb.gzipStart.count)\r\n\r\n")
      try $0.send(Bomb.gzipStart)
    },
    HostileCase("a gzip body without a length that is cut short", .truncated(received: 13, announced: nil)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      try $0.send(Bomb.gzipStart)
    },
    HostileCase("resets while reading the body", upload: 8 << 20, .connectionLost) {
      _ = try $0.readBody(100_000)
      $0.reset()
    },
  ]

  private static let slow = [
    HostileCase("never responds", .firstByteTimeout) { try $0.waitForClose() },
    HostileCase("never reads the body", upload: 32 << 20, .idleTimeout) { _ in sleep(2) },
    HostileCase("one byte at a time", .response(200, bytes: 2)) {
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8 {
        try $0.send([byte])
        usleep(500)
      }
    },
    HostileCase("trickles an endless head", .firstByteTimeout) {
      try $0.send("HTTP/1.1 200 OK\r\n")
      for index in 0..<150 {
        try $0.send("X-\(index): 1\r\n")
        usleep(20_000)
      }
    },
    HostileCase("trickles an endless header line", .firstByteTimeout) {
      try $0.send("HTTP/1.1 200 OK\r\nX: ")
      for _ in 0..<150 {
        try $0.send("a")
        usleep(20_000)
      }
    },
    HostileCase("stops in the body", .idleTimeout) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
      try $0.waitForClose()
    },
    HostileCase("another protocol that nobody asked for", .firstByteTimeout) {
      try $0.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: evil\r\nConnection: Upgrade\r\n\r\nevil")
      try $0.waitForClose()
    },
    HostileCase("an interim response now and then, and no other", .firstByteTimeout) {
      for _ in 0..<60 {
        try $0.send("HTTP/1.1 102 Processing\r\n\r\n")
        usleep(50_000)
      }
    },
  ]

  /// Pieces of 64 KiB of a body that does end, so that a client that takes them all is found out soon.
  private static let farPastTheLimit = 2_000

  private static let endless = [
    HostileCase("a storm of interim responses", .tooMuch(.headLines(limit: 200))) {
      while true { try $0.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }
    },
    HostileCase("a few interim responses", .response(200, bytes: 2)) {
      try $0.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
      try $0.respond(body: "ok")
    },
    HostileCase("endless header lines", .tooMuch(.headLines(limit: 200))) {
      try $0.send("HTTP/1.1 200 OK\r\n")
      while true { try $0.send("A: b\r\n") }
    },
    HostileCase("endless long header lines", .tooMuch(.headBytes(limit: 64 << 10))) {
      try $0.send("HTTP/1.1 200 OK\r\n")
      let line = "A: " + String(repeating: "b", count: 8_000) + "\r\n"
      while true { try $0.send(line) }
    },
    HostileCase("one endless header line", .tooMuch(.headBytes(limit: 100 << 10))) {
      try $0.send("HTTP/1.1 200 OK\r\nA: ")
      let piece = String(repeating: "b", count: 8_000)
      while true { try $0.send(piece) }
    },
    HostileCase("endless trailers", .tooMuch(.headLines(limit: 200))) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n")
      while true { try $0.send("A: b\r\n") }
    },
    HostileCase("an endless body", .tooMuch(.bodyBytes(limit: 48 << 20))) {
      try $0.send("HTTP/1.1 200 OK\r\n\r\n")
      let piece = [UInt8](repeating: 65, count: 65_536)
      for _ in 0..<farPastTheLimit { try $0.send(piece) }
    },
    HostileCase("endless chunks", .tooMuch(.bodyBytes(limit: 48 << 20))) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let piece = Array("10000\r\n".utf8) + [UInt8](repeating: 65, count: 65_536) + Array("\r\n".utf8)
      for _ in 0..<farPastTheLimit { try $0.send(piece) }
    },
    HostileCase("a gzip bomb", .tooMuch(.ratio(limit: 100))) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      try $0.send(Bomb.gzipStart)
      while true { try $0.send(Bomb.gzipRest) }
    },
    HostileCase("a zstd bomb", .tooMuch(.ratio(limit: 100))) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n")
      try $0.send(Bomb.zstdStart)
      while true { try $0.send(Bomb.zstdRest) }
    },
    HostileCase("a brotli bomb", .tooMuch(.ratio(limit: 100))) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: \(Bomb.brotli.count)\r\n\r\n")
      try $0.send(Bomb.brotli)
      try $0.waitForClose()
    },
    HostileCase("a dozen nested encodings", .malformed) {
      try $0.respond(headers: ["Content-Encoding: " + Array(repeating: "gzip", count: 12).joined(separator: ", ")])
    },
    HostileCase("a whole gzip body", .response(200, bytes: 5)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Bomb.gzipHello.count)\r\n\r\n")
      for byte in Bomb.gzipHello { try $0.send([byte]) }
    },
    HostileCase("a whole gzip body in one piece with its head", .response(200, bytes: 5)) {
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Bomb.gzipHello.count)\r\n\r\n"
      try $0.send(Array(head.utf8) + Bomb.gzipHello)
    },
    HostileCase("a dense small body is not a bomb", .response(200, bytes: 128 << 10)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n")
      try $0.send(Bomb.zstdStart + [0x03, 0x00, 0x10, 0x41])
    },
  ]

  private static let framing = [
    HostileCase(
      "two lengths that differ", .response(200, bytes: 5, warnings: [.contentLengths(["3", "5"])])
    ) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde")
    },
    HostileCase(
      "two lengths that agree", .response(200, bytes: 3, warnings: [.contentLengths(["3", "3"])])
    ) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc")
    },
    HostileCase(
      "two lengths on one line", .response(200, bytes: 3, warnings: [.contentLengths(["3", "3"])])
    ) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc")
    },
    HostileCase(
      "a length beyond all numbers", .response(200, bytes: 2, warnings: [.contentLengths(["99999999999999999999"])])
    ) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok")
    },
    HostileCase(
      "a length with chunks", .response(200, bytes: 2, warnings: [.lengthWithTransferEncoding])
    ) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
    },
    HostileCase("bare line feeds", .response(200, bytes: 2, warnings: [.bareLineFeed])) {
      try $0.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
    },
    HostileCase("a folded field", .response(200, bytes: 2, warnings: [.foldedField])) {
      try $0.send("HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 2\r\n\r\nok")
    },
    HostileCase("a field name with a space", .response(200, bytes: 2, warnings: [.malformedField])) {
      try $0.send("HTTP/1.1 200 OK\r\nX A: one\r\nContent-Length: 2\r\n\r\nok")
    },
    HostileCase(
      "a range that was not sent", .response(206, bytes: 2, warnings: [.contentRange("bytes 0-99/100")])
    ) {
      try $0.respond("206 Partial Content", headers: ["Content-Range: bytes 0-99/100"], body: "ok")
    },
    HostileCase(
      "a range beyond the whole", .response(206, bytes: 2, warnings: [.contentRange("bytes 7-8/5")])
    ) {
      try $0.respond("206 Partial Content", headers: ["Content-Range: bytes 7-8/5"], body: "ok")
    },
    HostileCase(
      "a range that was not asked for", headers: [.range: "bytes=0-1"],
      .response(206, bytes: 2, warnings: [.contentRange("bytes 5-6/10")])
    ) {
      try $0.respond("206 Partial Content", headers: ["Content-Range: bytes 5-6/10"], body: "ok")
    },
    HostileCase(
      "a range that was asked for", headers: [.range: "bytes=5-99"], .response(206, bytes: 2)
    ) {
      try $0.respond("206 Partial Content", headers: ["Content-Range: bytes 5-6/7"], body: "ok")
    },
    HostileCase(
      "chunks that do not fill the range", .response(206, bytes: 2, warnings: [.contentRange("bytes 0-9/10")])
    ) {
      try $0.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\nTransfer-Encoding: chunked\r\n\r\n")
      try $0.send("2\r\nok\r\n0\r\n\r\n")
    },
    HostileCase("a part without a range", .response(206, bytes: 2, warnings: [.contentRange("")])) {
      try $0.respond("206 Partial Content", body: "ok")
    },
    HostileCase("a body after 204", .response(204, bytes: 0)) {
      try $0.respond("204 No Content", body: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
    },
    HostileCase("a body for HEAD", method: .head, .response(200, bytes: 0)) {
      try $0.respond(body: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
    },
    HostileCase("a second response that nobody asked for", .response(200, bytes: 2)) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
      try $0.waitForClose()
    },
    HostileCase("a status line among the trailers", .malformed) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nHTTP/1.1 201 Evil\r\n\r\n")
    },
  ]

  private static let malformed = [
    HostileCase("not HTTP", .malformed) { try $0.send("SSH-2.0-OpenSSH_9.2\r\n") },
    HostileCase("HTTP/0.9", .malformed) { try $0.send("<html>hello</html>\n") },
    HostileCase("a length that is not a number", .malformed) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok")
    },
    HostileCase("a length below zero", .malformed) {
      try $0.send("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok")
    },
    HostileCase("a chunk size beyond all numbers", .connectionLost) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nok\r\n0\r\n\r\n")
    },
    // libcurl has the same code for this and for a lost connection.
    HostileCase("a chunk size that is not a number", .connectionLost) {
      try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n")
    },
    HostileCase("NUL in a header", .malformed) {
      try $0.send("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nok")
    },
    HostileCase("gzip that is not gzip", .malformed) {
      try $0.respond(headers: ["Content-Encoding: gzip"], body: "this is not gzip")
    },
  ]

  /// A reset that overtakes the response destroys it: here it comes later.
  private static let early = [
    HostileCase("403 in mid-upload, then close", upload: 20 << 20, .response(403, bytes: 2)) {
      _ = try $0.readBody(100_000)
      try $0.respond("403 Forbidden", headers: ["Connection: close"], body: "no")
      usleep(50_000)
    },
    HostileCase("413 immediately, then close", upload: 20 << 20, .response(413, bytes: 2)) {
      try $0.respond("413 Content Too Large", headers: ["Connection: close"], body: "no")
      // Unread data makes it a reset, which also destroys a response that was not read.
      usleep(50_000)
    },
    HostileCase("413 immediately, then half-closed and still reading", upload: 20 << 20, .response(413, bytes: 2)) {
      try $0.respond("413 Content Too Large", headers: ["Connection: close"], body: "no")
      $0.finishSending()
      try $0.waitForClose()
    },
    HostileCase("403 immediately, then nothing more is read", upload: 20 << 20, .response(403, bytes: 2)) {
      try $0.respond("403 Forbidden", headers: ["Connection: close"], body: "no")
      sleep(2)
    },
    HostileCase("413 immediately, then reset", upload: 20 << 20, .response(413, bytes: 2)) {
      try $0.respond("413 Content Too Large", body: "no")
      usleep(50_000)
      $0.reset()
    },
    HostileCase("403 in mid-upload, then reset", upload: 20 << 20, .response(403, bytes: 2)) {
      _ = try $0.readBody(1_000_000)
      try $0.respond("403 Forbidden", body: "no")
      usleep(50_000)
      $0.reset()
    },
  ]
}

/// Compressed bodies that unpack to far more than their size, for as long as wanted.
enum Bomb {
  /// The gzip header (RFC 1952 §2.3), and a deflate block that has written one zero byte; 77 bits later it is at a byte
  /// boundary again, ready for `gzipRest`.
  static let gzipStart = gzip.start
  /// A match of 258 bytes at distance 1, over and over (RFC 1951 §3.2.6).
  static let gzipRest = gzip.rest

  private static let gzip: (start: [UInt8], rest: [UInt8]) = {
    var bits: [UInt8] = [0, 1, 0]
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    let match: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    while !bits.count.isMultiple(of: 8) { bits += match }
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let eight = packed((0..<8).flatMap { _ in match })
    return (header + packed(bits), (0..<500).flatMap { _ in eight })
  }()

  private static func packed(_ bits: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
    }
  }

  /// `hello`, which is not a bomb.
  static let gzipHello: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
  ]

  /// 64 MiB of zero bytes.
  static let brotli = [UInt8](
    Data(
      base64Encoded:
        "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//"
        + "+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/Nw=="
    ) ?? Data())

  /// A frame with a window of 128 KiB (RFC 8878 §3.1.1).
  static let zstdStart: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
  /// Blocks that each represent 128 KiB of one byte.
  static let zstdRest: [UInt8] = (0..<1000).flatMap { _ in [0x02, 0x00, 0x10, 0x41] as [UInt8] }
}

/// True once.
private final class Once: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
