import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A port of 127.0.0.1 that HTTP/1.1 connections are accepted on.
struct Listener: Sendable {
  private let channel: NIOAsyncChannel<Connection.Channel, Never>

  /// `http://127.0.0.1:PORT`
  let origin: String

  /// Takes a port; 0 is a free one.
  init(port: Int) async throws {
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A client may close its side when it has asked, and still wants its answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try Connection.Channel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    origin = "http://127.0.0.1:\(channel.channel.localAddress?.port ?? port)"
  }

  /// Serves connections until the task is cancelled.
  func serve(_ service: any OriginService, log: RequestLog?, now: @escaping @Sendable () -> Date) async throws {
    let connection = Connection(origin: origin, service: service, log: log, now: now)
    try await channel.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { tasks in
        for try await channel in connections {
          // A connection that breaks has nobody left to be told.
          tasks.addTask { try? await connection.serve(channel) }
        }
      }
    }
  }
}
