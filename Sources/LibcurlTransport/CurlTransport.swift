// This module is a transport on libcurl. It decides nothing, and no C type leaves it.

internal import CCurl
public import Requests
internal import Synchronization
public import UploaderCore

/// A transport on libcurl: one thread, with connection pools of their own for each name of `connections`.
public final class CurlTransport: Transport {
  private let loop = TransferLoop()
  /// The latest ones: each is asked for its origin before it is sent to, and many are sent to again.
  private let urls = Mutex<(known: [String: ParsedURL], latest: (text: String, url: ParsedURL)?)>(([:], nil))

  /// A transport with connections of its own, which are closed when nothing references it anymore.
  public init() {
    if OpenedCurl.isAddressed { OpenedCurl.prepare() }
  }

  deinit {
    loop.stop()
  }

  public var executor: (any TaskExecutor)? { loop }

  public func origin(of url: String) throws(TransportError) -> Origin {
    try parse(url).origin
  }

  public func isPublicSuffix(_ domain: String) -> Bool { PublicSuffixes.contains(domain) }

  public func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await perform(request, beforeFirstByte: nil, watcher: nil, progress: progress)
  }

  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await perform(request, beforeFirstByte: beforeFirstByte, watcher: nil, progress: progress)
  }

  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    watcher: any ResponseWatcher, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await perform(request, beforeFirstByte: beforeFirstByte, watcher: watcher, progress: progress)
  }

  private func parse(_ url: String) throws(TransportError) -> ParsedURL {
    let known: ParsedURL? = urls.withLock { urls in
      if let latest = urls.latest, latest.text == url { return latest.url }
      let known = urls.known[url]
      if let known { urls.latest = (url, known) }
      return known
    }
    if let known { return known }
    try OpenedCurl.check()
    let parsed = try ParsedURL(url)
    urls.withLock { urls in
      if urls.known.count == 128 { urls.known.removeAll() }
      urls.known[url] = parsed
      urls.latest = (url, parsed)
    }
    return parsed
  }

  private func perform(
    _ request: TransportRequest, beforeFirstByte: (@Sendable () throws(TransportError) -> Void)?,
    watcher: (any ResponseWatcher)?, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    let url = try parse(request.url)
    let ticket = TransferLoop.Ticket(
      loop, request, to: url, beforeFirstByte: beforeFirstByte, watcher: watcher, progress: progress)
    // SAFETY: a transfer finishes once (`Transfer.finish`), and the loop finishes every one.
    let result: Result<TransportResponse, TransportError>
    if let run = watcher?.cancellation {
      run.begin(ticket)
      defer { run.end() }
      result = await withUnsafeContinuation { loop.submit(ticket, for: $0) }
    } else {
      result = await withTaskCancellationHandler {
        await withUnsafeContinuation { loop.submit(ticket, for: $0) }
      } onCancel: {
        ticket.cancel()
      }
    }
    // Handed on, not copied.
    switch consume result {
    case .success(let response): return response
    case .failure(let error): throw error
    }
  }
}
