import Synchronization

/// A SOCKS5 proxy (RFC 1928, RFC 1929) that requires a login, and itself responds in place of what it was asked to
/// connect to.
public final class SOCKS5Server: Sendable {
  public enum Address: Hashable, Sendable {
    case name(String, Int)
    case four([UInt8], Int)
  }

  public enum Event: Hashable, Sendable {
    case login(user: String, password: String)
    case connect(Address)
  }

  private final class Log: Sendable {
    let events = Mutex<[Event]>([])
  }

  private let server: LoopbackServer
  private let log = Log()

  public var port: Int { server.port }
  /// What clients sent, in order.
  public var seen: [Event] { log.events.withLock { $0 } }

  public init() throws {
    server = try LoopbackServer { [log] connection in
      let greeting = try connection.readBody(2)
      guard greeting.first == 5, try connection.readBody(Int(greeting[1])).contains(2) else { return }
      try connection.send([5, 2])
      let user = try Self.text(try Int(connection.readBody(2)[1]), connection)
      let password = try Self.text(try Int(connection.readBody(1)[0]), connection)
      log.events.withLock { $0.append(.login(user: user, password: password)) }
      try connection.send([1, 0])

      let request = try connection.readBody(4)
      let host: [UInt8]
      if request[3] == 3 {
        host = try connection.readBody(Int(connection.readBody(1)[0]))
      } else {
        host = try connection.readBody(request[3] == 1 ? 4 : 16)
      }
      let port = try connection.readBody(2).reduce(0) { $0 << 8 | Int($1) }
      let isName = request[3] == 3
      log.events.withLock {
        $0.append(.connect(isName ? .name(String(decoding: host, as: UTF8.self), port) : .four(host, port)))
      }
      try connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      while try connection.readRequest() != nil { try connection.respond(body: "through") }
    }
  }

  private static func text(_ count: Int, _ connection: Connection) throws -> String {
    String(decoding: try connection.readBody(count), as: UTF8.self)
  }
}
