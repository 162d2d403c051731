public import Requests

/// Why a request got no response.
public struct TransportError: Error, Hashable, Sendable {
  /// What happened.
  public enum Fact: Hashable, Sendable {
    /// The text is not a URL that can be requested; the reason is the URL parser's.
    case url(String, reason: String)
    /// The host name has no address.
    case resolve(host: String)
    /// No connection; the reason is the system's.
    case connect(reason: String)
    /// The proxy is unknown, or it did not let us through.
    case proxy(reason: String)
    /// TLS verification failed: certificate, name or protocol.
    case tls(TLSFailure)
    /// The connection was not open in time.
    case connectTimeout(after: Duration)
    /// The request was sent, and no complete response head came in time.
    case firstByteTimeout(after: Duration)
    /// In the middle of a body nothing moved for that long.
    case idleTimeout(after: Duration)
    /// The exchange did not finish in time.
    case timeout(after: Duration)
    /// The connection broke before the response was complete.
    case connectionLost(reason: String)
    /// The connection ended in the middle of the response's body; the numbers are bytes, as far as known.
    case truncated(received: Int, announced: Int?)
    /// There is more of the response than is accepted.
    case tooMuch(TransferLimits.Excess)
    /// What came back is not HTTP.
    case malformedResponse(reason: String)
    /// A file to be sent, or a temporary one, failed.
    case file(FileError)
    /// The task was cancelled.
    case cancelled
    /// Anything else, in the transport's words.
    case other(reason: String)
  }

  /// What happened.
  public let fact: Fact
  /// Whether any byte of the request may have left, so that the server may have acted on it.
  public let requestWasSent: Bool

  /// What happened, and whether the server may nevertheless have acted on the request.
  public init(_ fact: Fact, requestWasSent: Bool = false) {
    self.fact = fact
    self.requestWasSent = requestWasSent
  }
}
