public import Requests

/// Why a request got no answer.
public struct TransportError: Error, Hashable, Sendable {
  /// What happened.
  public enum Fact: Hashable, Sendable {
    /// The text is no URL that can be spoken to; the reason is the URL parser's.
    case url(String, reason: String)
    /// The name of the host has no address.
    case resolve(host: String)
    /// No connection; the reason is the system's.
    case connect(reason: String)
    /// The proxy is not known, or it did not let us through.
    case proxy(reason: String)
    /// No trust: certificate, name or protocol.
    case tls(TLSFailure)
    /// The connection did not stand in time.
    case connectTimeout(after: Duration)
    /// The request went out, and no whole head of an answer came in time.
    case firstByteTimeout(after: Duration)
    /// In the middle of a body nothing moved for so long.
    case idleTimeout(after: Duration)
    /// The exchange was not over in time.
    case timeout(after: Duration)
    /// The connection broke before the answer was whole.
    case connectionLost(reason: String)
    /// The connection ended in the middle of the answer's body; the numbers are bytes, as far as they are known.
    case truncated(received: Int, announced: Int?)
    /// There is more of the answer than is taken in.
    case tooMuch(TransferLimits.Excess)
    /// What came back is not HTTP.
    case malformedResponse(reason: String)
    /// A file that was to be sent, or a temporary one, failed.
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

  /// What happened, and whether the server may have acted on the request all the same.
  public init(_ fact: Fact, requestWasSent: Bool = false) {
    self.fact = fact
    self.requestWasSent = requestWasSent
  }
}
