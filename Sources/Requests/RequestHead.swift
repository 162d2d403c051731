public import HTTPTypes

/// What every request description has, whatever its body.
public struct RequestHead: Hashable, Sendable {
  /// The step's name, for error reports: the request identifier.
  public var label: String?
  /// What it is called by its number among the requests that are written beside it, from 1; nil where they have none.
  public var number: Int?
  /// Which round of a repeated step it is, from 1; nil for one that is not repeated.
  public var round: Int?
  /// The indices of the items, from 0, of the loops that it is inside of, outermost first.
  public var items: [Int]
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
  public var query: [QueryItem]
  /// These win over a profile's and over the body's own content type.
  public var headers: HTTPFields
  /// The profile to use for a URL, whichever its origin; it still gives credentials to its own origins only.
  public var profile: String?
  /// Who signs this request in place of the profile's credential; nil: nobody.
  public var signer: SigV4Identity?
  /// Whether the profile's credential goes along, if it may; false for `auth none`.
  public var sendsCredential: Bool
  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration?
  /// Whether it may be sent again.
  public var effect: RequestEffect
  /// How often it is sent at most, when that is safe; nil: the profile's.
  public var retry: RetryRule?
  /// How many redirects are followed, 0 for none; nil: the profile's.
  public var redirects: Int?
  /// The file that the body of an answer goes to which is as expected; nil: none.
  public var savesBodyTo: String?
  /// How long to wait before sending: the pace of a repeated step.
  public var delay: Duration
  /// Secrets whose text stands somewhere in this request; it goes to none but their origins.
  public var secrets: Set<Secret>

  /// All but the method and the target may be left out; without an effect it has the method's own (RFC 9110 §9.2).
  public init(
    _ method: HTTPRequest.Method, _ target: RequestTarget, label: String? = nil, place: TextPlace? = nil,
    query: [QueryItem] = [],
    headers: HTTPFields = [:], profile: String? = nil, sendsCredential: Bool = true, timeout: Duration? = nil,
    effect: RequestEffect? = nil, retry: RetryRule? = nil, redirects: Int? = nil, delay: Duration = .zero,
    secrets: Set<Secret> = [], operationID: String? = nil,
    affectedModelID: String? = nil, number: Int? = nil, round: Int? = nil,
    items: [Int] = []
  ) {
    self.method = method
    self.target = target
    self.label = label
    self.place = place
    self.query = query
    self.headers = headers
    self.profile = profile
    self.sendsCredential = sendsCredential
    self.timeout = timeout
    self.effect = effect ?? RequestEffect(of: method)
    self.retry = retry
    self.redirects = redirects
    self.delay = delay
    self.secrets = secrets
    self.operationID = operationID
    self.affectedModelID = affectedModelID
    self.number = number
    self.round = round
    self.items = items
  }
}
