public import HTTPTypes

/// One request and its response: what was asked for, what was actually sent, what came back, how long it took.
public typealias Exchange = CopyOnWrite<ExchangeParts>

extension Exchange {
  /// Anything left out did not happen.
  public init(
    description: RequestDescription, request: SentRequest, response: Response, timings: Timings = Timings(),
    profile: String = SessionProfile.anonymous.name, withheld: [WithheldCredential] = [],
    connection: ConnectionFacts = ConnectionFacts(), started: Duration = .zero,
    redirects: [RedirectHop] = [], refusedRedirect: RedirectRefusal? = nil, failedAttempts: [FailedAttempt] = [],
    token: SentToken? = nil
  ) {
    self.init(
      ExchangeParts(
        description: description, request: request, response: response, timings: timings, profile: profile,
        withheld: withheld, connection: connection, started: started, redirects: redirects,
        refusedRedirect: refusedRedirect, failedAttempts: failedAttempts, token: token))
  }
}

extension Exchange {
  /// What left first, before any redirect.
  package var firstRequest: SentRequest { self.redirects.first?.request ?? self.request }

  /// The same with a part of its body.
  package func keeping(_ part: ResponseBody) -> Exchange {
    var exchange = self
    exchange.response.body = part
    return exchange
  }
}

/// The parts of an exchange.
public struct ExchangeParts: Hashable, Sendable {
  /// What was asked for.
  public let description: RequestDescription
  /// What was actually sent.
  public let request: SentRequest
  /// What came back.
  public fileprivate(set) var response: Response
  /// How long each phase took.
  public let timings: Timings
  /// The name of the profile it was sent with.
  public let profile: String
  /// The credentials that were withheld because they belong to other origins.
  public let withheld: [WithheldCredential]
  /// The connection it went over.
  public let connection: ConnectionFacts
  /// When the request began, since 1970.
  public let started: Duration
  /// The redirects on the way to this response, in order.
  public let redirects: [RedirectHop]
  /// Why the response, a redirect, was not followed; nil if it was not supposed to be.
  public let refusedRedirect: RedirectRefusal?
  /// The earlier attempts that failed.
  public let failedAttempts: [FailedAttempt]
  /// The token of its profile that it was sent with; nil: it was sent with none.
  public let token: SentToken?

  /// The step's name.
  public var label: String? { description.head.label }

  /// Everything that was sent, with what came back: the redirects, and then this response.
  package var hops: [RedirectHop] { redirects + [hop] }

  /// This response without what led to it.
  package var hop: RedirectHop { RedirectHop(request: request, response: response) }
}

extension ExchangeParts {
  /// Whether it is a stream that somebody ended: what came until then is what they wanted of it. Of anything else, a part
  /// is of no use.
  public var isEndedStream: Bool {
    response.cut == .interrupted && (response.streamKind != nil || description.head.stream != nil)
  }
}

/// A request as it was sent.
public struct SentRequest: Hashable, Sendable {
  /// As it was asked for, or as a redirect changed it.
  public let method: HTTPRequest.Method
  /// The absolute URL, byte for byte.
  public let url: String
  /// Where it went.
  public let origin: Origin
  /// All header fields as they were sent, in order, including those the transport added.
  public let headers: HTTPFields
  /// Bytes of the body that were sent.
  public let bodySize: Int

  public init(method: HTTPRequest.Method, url: String, origin: Origin, headers: HTTPFields = [:], bodySize: Int = 0) {
    self.method = method
    self.url = url
    self.origin = origin
    self.headers = headers
    self.bodySize = bodySize
  }
}

extension SentRequest: CustomStringConvertible {
  /// Method and origin: logging an exchange logs neither its credentials nor a presigned URL.
  public var description: String { "\(method) \(origin)" }
}

extension SentRequest {
  /// The body as it went over the wire with this request, be it the last or one that was redirected; nil: it had none.
  ///
  /// - Parameter asked: what was asked for.
  package func body(of asked: RequestDescription) -> [BodySegment]? {
    keepsBody(of: asked.head) ? asked.bodySegments(boundary: boundary) : nil
  }

  /// Whether a body that was asked for went with it.
  package func keepsBody(of asked: RequestHead) -> Bool {
    RedirectHop.keepsBody(asked: asked.method.rawValue, sent: method.rawValue)
  }

  /// The boundary of its form, if it is one with parts.
  private var boundary: String {
    let type = headers[.contentType] ?? ""
    return type.firstRange(of: "boundary=").map { String(type[$0.upperBound...]) } ?? "-"
  }
}

extension ExchangeParts {
  /// The values of `Set-Cookie`, those of the redirects on the way first.
  public var cookieLines: [String] {
    (redirects.map(\.response) + [response]).flatMap { $0.headers[values: .setCookie] }
  }

  /// The names of the cookies that were set, also on the way, each once.
  public var cookieNames: [String] {
    var names: [String] = []
    for line in cookieLines {
      let name = String(line.prefix { $0 != "=" && $0 != ";" })
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }
}

/// One redirect that was followed: what was sent, and the redirect response.
public struct RedirectHop: Hashable, Sendable {
  /// What was sent.
  public let request: SentRequest
  /// The redirect response.
  public let response: Response

  public init(request: SentRequest, response: Response) {
    self.request = request
    self.response = response
  }

  /// Whether a server says with this status that it did nothing, only where the same request should go
  /// (RFC 9110 §15.4.8).
  package static func saysNothingWasDone(_ status: Int) -> Bool { status == 307 || status == 308 }

  /// Whether a request still has the body that was asked for: a redirect that changes the method drops it, and none
  /// brings it back.
  ///
  /// - Parameters:
  ///   - asked: the method that was asked for.
  ///   - sent: that of the request, perhaps after redirects.
  package static func keepsBody(asked: String, sent: String) -> Bool { asked == sent }
}

/// Why a redirect was not followed and is therefore the step's response.
public enum RedirectRefusal: Hashable, Sendable {
  /// The limit of redirects was reached.
  case limit(Int)
  /// It leads from https to http.
  case insecure(Origin)
  /// It asks to send the body to another origin.
  case bodyElsewhere(Origin)
  /// Its `Location` is not a URL that can be requested.
  case unusable(location: String)
}

/// An attempt that failed and was followed by another.
public struct FailedAttempt: Hashable, Sendable {
  /// What happened, in a few words: `503`, `Connection refused`.
  public let reason: String
  /// How long the wait before the next attempt was.
  public let wait: Duration

  public init(reason: String, wait: Duration) {
    self.reason = reason
    self.wait = wait
  }
}

/// Something secret that was not sent.
public struct WithheldCredential: Hashable, Sendable {
  /// The part of a request that it would have been in.
  public enum Part: Hashable, Sendable {
    /// The header field of this name.
    case header(HTTPField.Name)
    /// The query item of this name.
    case query(String)
    /// The body, which a redirect would have sent to another origin.
    case body
  }

  /// The part that was sent without it.
  public let part: Part
  /// The origins it belongs to.
  public let origins: [OriginPattern]

  /// What was withheld, and where it belongs.
  public init(_ part: Part, origins: [OriginPattern]) {
    self.part = part
    self.origins = origins
  }

  /// Its display name: `authorization`, `query "key"`, `body`.
  public var label: String {
    switch part {
    case .header(let name): name.rawName.lowercased()
    case .query(let name): "query \"\(name)\""
    case .body: "body"
    }
  }
}

/// How long each phase took, from the beginning of the exchange to the end of that phase.
public struct Timings: Hashable, Sendable {
  /// The name was resolved.
  public var dns: Duration
  /// The connection was open; zero if it already was.
  public var connect: Duration
  /// TLS was negotiated; zero without TLS.
  public var tls: Duration
  /// The last piece of the request was handed to the network.
  public var sent: Duration
  /// The first byte of the response arrived.
  public var firstByte: Duration
  /// Everything was done.
  public var total: Duration

  public init(
    dns: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero, sent: Duration = .zero,
    firstByte: Duration = .zero, total: Duration = .zero
  ) {
    self.dns = dns
    self.connect = connect
    self.tls = tls
    self.sent = sent
    self.firstByte = firstByte
    self.total = total
  }
}
