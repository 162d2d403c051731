import Essentials
import NIOCore
import NIOPosix
import POSIX

/// A port is not available.
struct PortError: Error, Hashable, CustomStringConvertible {
  var port: Int
  /// `errno` of the call.
  var code: Int32

  var description: String {
    "cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(code))); choose another port, or 0 for a free one"
  }
}

/// A port of 127.0.0.1 that HTTP/1.1 connections are accepted on.
struct Listener: Sendable {
  private let channel: NIOAsyncChannel<AcceptedConnection, Never>

  /// `http://127.0.0.1:PORT`
  let origin: String

  /// Takes a port; 0 means a free one. Throws `PortError` if it is not available.
  init(port: Int) async throws {
    do {
      channel = try await Self.bind(port)
    } catch let error as IOError {
      throw PortError(port: port, code: error.errnoCode)
    }
    origin = "http://127.0.0.1:\(channel.channel.localAddress?.port ?? port)"
  }

  private static func bind(_ port: Int) async throws -> NIOAsyncChannel<AcceptedConnection, Never> {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A client may close its side when it has sent its request, and still wants its response.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture { try AcceptedConnection(channel) }
      }
  }

  /// Serves connections until the task is cancelled.
  func serve(
    _ service: any OriginService, log: RequestLog?, faults: Faults, now: @escaping @Sendable () -> Date
  ) async throws {
    let connection = Connection(origin: origin, service: service, log: log, faults: faults, now: now)
    try await channel.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { tasks in
        for try await accepted in connections {
          // When a connection breaks, there is nobody left to notify.
          tasks.addTask { try? await connection.serve(accepted) }
        }
      }
    }
  }
}
