import NIOCore
import NIOHTTP1

/// A connection that a client made but perhaps nobody serves: it is closed when it is released.
///
/// Connections still waiting when a server ends are dropped, and a `NIOAsyncChannel` that is dropped while it is open
/// ends the process; so it lives as long as its channel.
final class AcceptedConnection: Sendable {
  let channel: Connection.Channel

  /// Reads requests from now on; called on the channel's event loop.
  init(_ channel: any Channel) throws {
    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
    let opened = try Connection.Channel(
      wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    channel.closeFuture.whenComplete { _ in withExtendedLifetime(opened) {} }
    self.channel = opened
  }

  deinit { channel.channel.close(promise: nil) }
}
