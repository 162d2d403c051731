// This module runs sequences: it chooses the session profile of each origin, sends, classifies and reports errors in
// one place. It knows no script text and no C library.

public import HTTPTypes
public import Requests

/// Sends one request over the network and returns the response. It decides nothing: it follows no redirect, adds no
/// credential and retries nothing on its own.
public protocol Transport: Sendable {
  /// Where tasks that send with it run best: there a request waits for no other thread. nil: anywhere.
  var executor: (any TaskExecutor)? { get }

  /// The origin that a request to this URL would reach, determined by the same parser that will connect.
  ///
  /// Clients disagree about the host in some URLs; asking the one that connects leaves no gap between the origin that
  /// was checked and the origin that was reached.
  func origin(of url: String) throws(TransportError) -> Origin

  /// Whether anyone may register a name below this one: `com`, `co.uk` (publicsuffix.org). No cookie may be set for
  /// such a name.
  func isPublicSuffix(_ domain: String) -> Bool

  /// Sends one request.
  ///
  /// Cancelling the task stops the transfer and frees everything it held.
  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse

  /// Sends one request, and asks before its first byte leaves, when everything is ready: an error then ends it unsent.
  ///
  /// By default it asks before it begins.
  func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse

  /// Sends one request whose response may be looked at while it comes. What the watcher looks at is returned even if
  /// it broke off, or the task was cancelled (`TransportResponse.ending`).
  ///
  /// By default nothing is looked at before it is complete.
  func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    watcher: any ResponseWatcher, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse
}

extension Transport {
  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    watcher: any ResponseWatcher, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try await send(request, beforeFirstByte: beforeFirstByte, progress: progress)
  }

  public var executor: (any TaskExecutor)? { nil }

  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    try beforeFirstByte()
    return try await send(request, progress: progress)
  }
}

extension Transport {
  /// Without the list every name counts as one: then cookies go only to the exact host that set them.
  public func isPublicSuffix(_ domain: String) -> Bool { true }
}

/// A request with nothing left to decide.
public typealias TransportRequest = CopyOnWrite<TransportRequestParts>

extension TransportRequest {
  /// A request of that method to that URL; what is left out is the default, or absent.
  public init(
    method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], omittedHeaders: [HTTPField.Name] = [],
    body: [BodySegment]? = nil,
    connections: String = SessionProfile.anonymous.name, needsFreshConnection: Bool = false,
    timeout: Duration? = nil, limits: TransferLimits = TransferLimits(),
    network: NetworkSettings = NetworkSettings(), stream: StreamTerms? = nil
  ) {
    self.init(
      TransportRequestParts(
        method: method, url: url, headers: headers, omittedHeaders: omittedHeaders, body: body,
        connections: connections, needsFreshConnection: needsFreshConnection, timeout: timeout, limits: limits,
        network: network, stream: stream))
  }
}

/// The parts of a request with nothing left to decide.
public struct TransportRequestParts: Hashable, Sendable {
  /// Sent as is.
  public var method: HTTPRequest.Method
  /// Absolute, sent byte for byte.
  public var url: String
  /// All that are known by now, credentials included; the transport adds its own.
  public var headers: HTTPFields
  /// Headers that the transport must not add on its own.
  public var omittedHeaders: [HTTPField.Name]
  /// nil: no body at all.
  public var body: [BodySegment]?
  /// Requests share connections only with those of the same name: the profile's.
  public var connections: String
  /// Whether it must have a connection of its own: one that a server may be closing right now could make the transport
  /// send a request twice.
  public var needsFreshConnection: Bool
  /// The limit for the whole exchange; nil: none.
  public var timeout: Duration?
  /// The limits of its parts.
  public var limits: TransferLimits
  /// How its connection is made.
  public var network: NetworkSettings
  /// How its response is looked at: then `timeout` is the limit for its head, and for each silence after that; nil: it
  /// is not.
  public var stream: StreamTerms?
}

extension TransportRequestParts: CustomStringConvertible {
  /// Method and host: logging a request logs neither its credentials nor a presigned URL.
  public var description: String {
    let host = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst().first ?? ""
    return "\(method) \(host.split(separator: "@").last ?? "")"
  }
}

/// A response, and what the transport knows of the request as it was actually sent.
public struct TransportResponse: Hashable, Sendable {
  /// What came back.
  public var response: Response
  /// The header fields that were sent, including the transport's own.
  public var sentHeaders: HTTPFields
  /// Bytes of the body that were sent; fewer than it has if the response came early.
  public var sentBodySize: Int
  /// How long each phase took.
  public var timings: Timings
  /// The connection it came over.
  public var connection: ConnectionFacts
  /// How its body ended.
  public var ending: ResponseEnding

  public init(
    response: Response, sentHeaders: HTTPFields = [:], sentBodySize: Int = 0, timings: Timings = Timings(),
    connection: ConnectionFacts = ConnectionFacts(), ending: ResponseEnding = .complete
  ) {
    self.response = response
    self.sentHeaders = sentHeaders
    self.sentBodySize = sentBodySize
    self.timings = timings
    self.connection = connection
    self.ending = ending
  }
}

/// How far a transfer has come, in bytes.
public struct TransferProgress: Hashable, Sendable {
  /// Of the body.
  public var sent: Int
  /// nil: there is no body to send.
  public var toSend: Int?
  /// Of the response's body.
  public var received: Int
  /// nil: the server did not announce it.
  public var toReceive: Int?

  public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
    self.sent = sent
    self.toSend = toSend
    self.received = received
    self.toReceive = toReceive
  }
}
