internal import JSONValue
public import Requests

/// A response as it was recorded, with the request as it was actually sent.
public struct RecordedResponse: Hashable, Sendable {
  public var sent: Sent
  public var status: Int
  public var reason: String
  /// `HTTP/1.1`, `HTTP/2`.
  public var version: String
  public var headers: [RecordedRequest.Field]
  /// With markers in it; a large one is in the spool.
  public var body: ResponseBody
  /// In bytes, if the body could not be stored because the disk was full; nil: it was stored.
  public var lostBody: Int?
  public var timings: Timings
  /// Since 1970.
  public var started: Duration
  public var redirects: [Hop]
  public var failedAttempts: [FailedAttempt]
  public var unmet: [UnmetExpectation]
  /// The token that it was sent with; nil: none.
  public var token: SentToken?
  /// The size of the body as it came, if that is not the size of what is stored: there were secrets in it.
  public var bodySize: Int?

  /// The size of the body as it came, in bytes.
  public var receivedSize: Int { lostBody ?? bodySize ?? body.count }

  /// A request as it was sent.
  public struct Sent: Hashable, Sendable {
    public var method: String
    public var url: String
    public var headers: [RecordedRequest.Field]
    /// In bytes.
    public var bodySize: Int
  }

  /// A redirect that was followed.
  public struct Hop: Hashable, Sendable {
    public var sent: Sent
    public var status: Int
    public var headers: [RecordedRequest.Field]
  }
}
