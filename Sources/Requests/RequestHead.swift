public import HTTPTypes

/// What every request description has, whatever its body.
public typealias RequestHead = CopyOnWrite<RequestParts>

extension RequestHead {
  /// Without an effect it has the method's own (RFC 9110 §9.2).
  ///
  /// - Parameter set: says what else is to be other than nothing.
  public init(_ method: HTTPRequest.Method, _ target: RequestTarget, _ set: (inout RequestParts) -> Void = { _ in }) {
    var parts = RequestParts(method: method, target: target, effect: RequestEffect(of: method))
    set(&parts)
    self.init(consume parts)
  }
}

/// The parts of a request's head.
public struct RequestParts: Hashable, Sendable {
  /// The step's name, for error reports: the request identifier.
  public var label: String?
  /// What it is called by its number among the requests that are written beside it, from 1; nil where they have none.
  public var number: Int?
  /// Which round of a repeated step it is, from 1; nil for one that is not repeated.
  public var round: Int?
  /// The indices of the items, from 0, of the loops that it is inside of, outermost first.
  public var items: [Int] = []
  /// Where the step was written, if it was.
  public var place: TextPlace?
  /// The operation this request is part of, for a queue that pushes operations later.
  public var operationID: String?
  /// The record of the app that the operation is about.
  public var affectedModelID: String?
  /// As RFC 9110 §9 defines it, or a server of its own.
  public var method: HTTPRequest.Method
  /// Where it goes.
  public var target: RequestTarget
  /// Appended to the target's own query, encoded.
  public var query: [QueryItem] = []
  /// These win over a profile's and over the body's own content type.
  public var headers: HTTPFields = [:]
  /// The profile to use for a URL, whichever its origin; it still gives credentials to its own origins only.
  public var profile: String?
  /// Who signs this request in place of the profile's credential; nil: nobody.
  public var signer: SigningIdentity?
  /// Whether the profile's credential goes along, if it may; false for `auth none`.
  public var sendsCredential: Bool = true
  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration?
  /// How much of the response's body is kept, in bytes; nil: what the profile says.
  public var limit: Int?
  /// Whether it may be sent again.
  public var effect: RequestEffect
  /// How often it is sent at most, when that is safe; nil: the profile's.
  public var retry: RetryRule?
  /// How many redirects are followed, 0 for none; nil: the profile's.
  public var redirects: Int?
  /// The file that the body of an answer goes to which is as expected; nil: none.
  public var savesBodyTo: String?
  /// How long to wait before sending: the pace of a repeated step.
  public var delay: Duration = .zero
  /// Secrets whose text stands somewhere in this request; it goes to none but their origins.
  public var secrets: Set<Secret> = []
}
