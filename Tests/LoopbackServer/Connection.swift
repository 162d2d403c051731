import POSIX

/// One accepted connection, handed to a behavior.
public final class Connection {
  private var descriptor: Int32
  private let record: (String) -> Void
  private let receive: (ArraySlice<UInt8>) -> Void
  private var pending: [UInt8] = []

  init(
    descriptor: Int32, record: @escaping (String) -> Void, receive: @escaping (ArraySlice<UInt8>) -> Void
  ) {
    self.descriptor = descriptor
    self.record = record
    self.receive = receive
  }

  deinit { close() }

  /// Reads one request's head, with its empty line; nil when the client closed instead, or begins TLS.
  public func readHead() throws -> String? {
    while true {
      if let end = Self.endOfHead(pending) {
        let head = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end)
        record(head)
        return head
      }
      guard try fill(), pending.first != Self.handshake else { return nil }
    }
  }

  /// The first byte of a TLS connection (RFC 8446 §5.1).
  private static let handshake: UInt8 = 22

  /// Reads a request's head and all of its body according to its length; nil when the client closed instead.
  public func readRequest() throws -> (head: String, body: [UInt8])? {
    guard let head = try readHead() else { return nil }
    let length = head.lowercased().split(separator: "\r\n").compactMap { line -> Int? in
      line.hasPrefix("content-length:") ? Int(line.dropFirst(15).drop { $0 == " " }) : nil
    }
    return (head, try readBody(length.first ?? 0))
  }

  /// Reads up to `count` bytes; fewer when the client closed.
  public func readBody(_ count: Int) throws -> [UInt8] {
    while pending.count < count {
      guard try fill() else { break }
    }
    let body = Array(pending.prefix(count))
    pending.removeFirst(body.count)
    return body
  }

  public func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard written > 0 else { throw SocketError.current("send") }
      rest = rest.dropFirst(written)
    }
  }

  /// An ordinary response.
  public func respond(_ status: String = "200 OK", headers: [String] = [], body: String = "") throws {
    let fields = headers.map { "\($0)\r\n" }.joined()
    try send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Waits until the client closes.
  public func waitForClose() throws {
    while try fill() {}
  }

  public func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Announces the end of the data, but still reads.
  public func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes with RST instead of FIN: what the client has not read yet is lost.
  public func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  private func fill() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let got = recv(descriptor, &buffer, buffer.count, 0)
    guard got >= 0 else { throw SocketError.current("recv") }
    pending += buffer[..<got]
    receive(buffer[..<got])
    return got > 0
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count else { return nil }
    return (0...bytes.count - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }.map { $0 + end.count }
  }
}
