internal import POSIX
internal import Requests
internal import UploaderCore

/// Waits on 127.0.0.1 for the one request of a browser that comes back, and for nothing else.
struct LoopbackListener: ~Copyable {
  let port: Int
  private let descriptor: Int32

  /// - Parameter port: nil: a free one.
  init(port: Int?) throws(SignInError) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port ?? 0)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var yes: Int32 = 1
    let isBound =
      descriptor >= 0
      && setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
      && withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
    guard isBound, Self.setUp(descriptor) else {
      let reason = SystemError.current
      if descriptor >= 0 { close(descriptor) }
      throw .unusable(
        "127.0.0.1\(port.map { ":\($0)" } ?? "") cannot be listened on: \(reason)",
        advice: port == nil ? nil : "is another sign-in waiting there?")
    }
    self.descriptor = descriptor
    self.port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// How it went, as the browser shows it.
  enum Page {
    case signedIn, failed
  }

  /// What the browser came back with. It waits for a page.
  struct Reply: ~Copyable {
    let query: String
    fileprivate let connection: Int32?

    func finish(_ page: Page) async {
      guard let connection else { return }
      let text =
        switch page {
        case .signedIn: "Signed in. This window can be closed."
        case .failed: "This did not work: the terminal says why. This window can be closed."
        }
      LoopbackListener.write("200 OK", text, to: connection)
    }

    deinit { if let connection { close(connection) } }
  }

  /// - Parameters:
  ///   - path: the only one that counts.
  ///   - typed: an address that was pasted meanwhile, from a browser on another machine; nil: none yet.
  func reply(
    at path: String, within patience: Duration, typed: @Sendable () -> String?, clock: UploadClock
  ) async throws(SignInError) -> Reply {
    let end = clock.now() + patience
    while clock.now() < end {
      // What has no parameters is not the address: somebody typed something else.
      if let line = typed(), let mark = line.firstIndex(of: "?"), line[mark...].contains("=") {
        return Reply(query: String(line[line.index(after: mark)...].prefix { $0 != "#" && $0 != " " }), connection: nil)
      }
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 {
        if let query = try await query(of: connection, path, clock) {
          return Reply(query: query, connection: connection)
        }
        close(connection)
        continue
      }
      do { try await clock.sleep(.milliseconds(20)) } catch { throw .cancelled }
    }
    throw .unusable("nobody signed in within five minutes", advice: "begin again")
  }

  /// The query of a request for that path; nil: it is for something else, and was answered.
  private func query(of connection: Int32, _ path: String, _ clock: UploadClock) async throws(SignInError) -> String? {
    guard Self.setUp(connection) else { return nil }
    let end = clock.now() + .seconds(5)
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !head.contains(UInt8(ascii: "\n")) {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count > 0 { head += buffer[..<count] }
      guard count != 0, head.count <= 16_384, clock.now() < end else { return nil }
      if count < 0 {
        guard errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR else { return nil }
        do { try await clock.sleep(.milliseconds(10)) } catch { throw .cancelled }
      }
    }
    let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "GET" else {
      Self.write("405 Method Not Allowed", "", to: connection)
      return nil
    }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == path else {
      Self.write("404 Not Found", "", to: connection)
      return nil
    }
    return parts.count > 1 ? String(parts[1]) : ""
  }

  private static func write(_ status: String, _ text: String, to connection: Int32) {
    let page = "<!doctype html><meta charset=utf-8><title>workbench</title><p>\(text)</p>\n"
    let response =
      "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\n"
      + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(page)"
    let bytes = Array(response.utf8)
    _ = send(connection, bytes, bytes.count, withoutSignal)
    shutdown(connection, writingEnd)
  }

  /// Nothing waits in a call, and no other program inherits it.
  private static func setUp(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
      && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let writingEnd = Int32(SHUT_WR)
  private let withoutSignal = Int32(MSG_NOSIGNAL)
#else
  private let streamSocket = SOCK_STREAM
  private let writingEnd = SHUT_WR
  private let withoutSignal: Int32 = 0
#endif
