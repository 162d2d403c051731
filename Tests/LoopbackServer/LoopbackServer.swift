import Eventually
import POSIX
import Synchronization

/// A server of raw bytes on a loopback address: each connection runs a behavior on a thread of its own.
///
/// It knows as little HTTP as possible, so that it can misbehave in every way.
public final class LoopbackServer: Sendable {
  public typealias Behavior = @Sendable (Connection) throws -> Void

  public let host: String
  public let port: Int
  private let listener: Int32
  private let log = Log()

  /// - Parameters:
  ///   - host: a dotted address: `127.0.0.2`.
  ///   - port: 0: a free one.
  public init(host: String = "127.0.0.1", port: Int = 0, _ behavior: @escaping Behavior) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError.current("socket") }
    listener = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    guard inet_aton(host, &address.sin_addr) == 1 else { throw SocketError(call: "inet_aton", number: EINVAL) }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard bound else {
      let error = SocketError.current("bind")
      close(descriptor)
      throw error
    }
    self.host = host
    self.port = Int(UInt16(bigEndian: address.sin_port))
    Self.onThread { [log] in
      // Closed by the accepting side, because its number could be another server's by then.
      defer { close(descriptor) }
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return }
        log.seen.withLock { $0.connections += 1 }
        Self.onThread {
          let connection = Connection(
            descriptor: accepted, record: { head in log.seen.withLock { $0.requests.append(head) } },
            receive: { bytes in log.seen.withLock { $0.bytes += bytes } })
          try? behavior(connection)
          connection.close()
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// `http://127.0.0.1:port`.
  public var url: String { "http://\(host):\(port)" }

  /// The head of each request that was read, as received.
  public var requests: [String] { log.seen.withLock { $0.requests } }

  /// Blocks the thread until that many requests were read.
  ///
  /// - Returns: whether they were read within a minute.
  public func waitForRequests(_ count: Int = 1) -> Bool {
    eventuallyBlocking { requests.count >= count }
  }

  /// Every byte that was read, on all connections.
  public var received: [UInt8] { log.seen.withLock { $0.bytes } }

  /// How many connections were accepted.
  public var connections: Int { log.seen.withLock { $0.connections } }

  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    guard
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
          return nil
        }, box.toOpaque()) == 0
    else {
      box.release()
      return
    }
    pthread_detach(thread)
  }

  private final class Log: Sendable {
    let seen = Mutex<(connections: Int, requests: [String], bytes: [UInt8])>((0, [], []))
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// An error returned by a socket call.
public struct SocketError: Error {
  public let call: String
  public let number: Int32

  static func current(_ call: String) -> SocketError { SocketError(call: call, number: errno) }
}
