// This module is a transport on libcurl. It decides nothing, and no C type leaves it.

internal import CCurl
public import Requests
internal import Synchronization
public import UploaderCore

/// A transport on libcurl: one connection pool and one thread for each name of `connections`.
public final class CurlTransport: Transport {
  private let loops = Mutex<[String: TransferLoop]>([:])

  /// A transport with connections of its own, which are closed when nobody holds it any more.
  public init() {
    _ = Self.isInitialised
  }

  deinit {
    for loop in loops.withLock({ $0.values }) { loop.stop() }
  }

  public func origin(of url: String) throws(TransportError) -> Origin {
    try ParsedURL(url).origin
  }

  public func isPublicSuffix(_ domain: String) -> Bool { PublicSuffixes.contains(domain) }

  public func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await perform(request, beforeFirstByte: nil, progress: progress)
  }

  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await perform(request, beforeFirstByte: beforeFirstByte, progress: progress)
  }

  private func perform(
    _ request: TransportRequest, beforeFirstByte: (@Sendable () throws(TransportError) -> Void)?,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    let loop = loops.withLock { loops in
      if let loop = loops[request.connections] { return loop }
      let loop = TransferLoop()
      loops[request.connections] = loop
      return loop
    }
    let ticket = TransferLoop.Ticket()
    let result: Result<TransportResponse, TransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.submit(ticket) {
          let transfer = Transfer(request, progress: progress) { continuation.resume(returning: $0) }
          transfer.beforeFirstByte = beforeFirstByte
          return transfer
        }
      }
    } onCancel: {
      loop.cancel(ticket)
    }
    return try result.get()
  }

  /// libcurl's own one-time set-up, which is not safe to do twice at once.
  private static let isInitialised: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
