public import HTTPTypes

/// What every request description has, whatever its body.
public struct RequestHead: Hashable, Sendable {
  /// It goes from hand to hand at every step.
  private struct Parts: Hashable, Sendable {
    var label: String?
    var number: Int?
    var round: Int?
    var items: [Int]
    var place: TextPlace?
    var operationID: String?
    var affectedModelID: String?
    var method: HTTPRequest.Method
    var target: RequestTarget
    var query: [QueryItem]
    var headers: HTTPFields
    var profile: String?
    var signer: SigV4Identity?
    var sendsCredential: Bool
    var timeout: Duration?
    var limit: Int?
    var effect: RequestEffect
    var retry: RetryRule?
    var redirects: Int?
    var savesBodyTo: String?
    var delay: Duration
    var secrets: Set<Secret>
  }

  private var box: Box<Parts>

  /// All but the method and the target may be left out; without an effect it has the method's own (RFC 9110 §9.2).
  public init(
    _ method: HTTPRequest.Method, _ target: RequestTarget, label: String? = nil, place: TextPlace? = nil,
    query: [QueryItem] = [],
    headers: HTTPFields = [:], profile: String? = nil, sendsCredential: Bool = true, timeout: Duration? = nil,
    limit: Int? = nil,
    effect: RequestEffect? = nil, retry: RetryRule? = nil, redirects: Int? = nil, delay: Duration = .zero,
    secrets: Set<Secret> = [], operationID: String? = nil,
    affectedModelID: String? = nil, number: Int? = nil, round: Int? = nil,
    items: [Int] = []
  ) {
    box = Box(
      Parts(
        label: label, number: number, round: round, items: items, place: place, operationID: operationID,
        affectedModelID: affectedModelID, method: method, target: target, query: query, headers: headers,
        profile: profile, signer: nil, sendsCredential: sendsCredential, timeout: timeout, limit: limit,
        effect: effect ?? RequestEffect(of: method), retry: retry, redirects: redirects, savesBodyTo: nil, delay: delay,
        secrets: secrets))
  }

  /// The step's name, for error reports: the request identifier.
  public var label: String? {
    get { box.value.label }
    set { box = box.changed { $0.label = newValue } }
  }

  /// What it is called by its number among the requests that are written beside it, from 1; nil where they have none.
  public var number: Int? {
    get { box.value.number }
    set { box = box.changed { $0.number = newValue } }
  }

  /// Which round of a repeated step it is, from 1; nil for one that is not repeated.
  public var round: Int? {
    get { box.value.round }
    set { box = box.changed { $0.round = newValue } }
  }

  /// The indices of the items, from 0, of the loops that it is inside of, outermost first.
  public var items: [Int] {
    get { box.value.items }
    set { box = box.changed { $0.items = newValue } }
  }

  /// Where the step was written, if it was.
  public var place: TextPlace? {
    get { box.value.place }
    set { box = box.changed { $0.place = newValue } }
  }

  /// The operation this request is part of, for a queue that pushes operations later.
  public var operationID: String? {
    get { box.value.operationID }
    set { box = box.changed { $0.operationID = newValue } }
  }

  /// The record of the app that the operation is about.
  public var affectedModelID: String? {
    get { box.value.affectedModelID }
    set { box = box.changed { $0.affectedModelID = newValue } }
  }

  /// As RFC 9110 §9 defines it, or a server of its own.
  public var method: HTTPRequest.Method {
    get { box.value.method }
    set { box = box.changed { $0.method = newValue } }
  }

  /// Where it goes.
  public var target: RequestTarget {
    get { box.value.target }
    set { box = box.changed { $0.target = newValue } }
  }

  /// Appended to the target's own query, encoded.
  public var query: [QueryItem] {
    get { box.value.query }
    set { box = box.changed { $0.query = newValue } }
  }

  /// These win over a profile's and over the body's own content type.
  public var headers: HTTPFields {
    get { box.value.headers }
    set { box = box.changed { $0.headers = newValue } }
  }

  /// The profile to use for a URL, whichever its origin; it still gives credentials to its own origins only.
  public var profile: String? {
    get { box.value.profile }
    set { box = box.changed { $0.profile = newValue } }
  }

  /// Who signs this request in place of the profile's credential; nil: nobody.
  public var signer: SigV4Identity? {
    get { box.value.signer }
    set { box = box.changed { $0.signer = newValue } }
  }

  /// Whether the profile's credential goes along, if it may; false for `auth none`.
  public var sendsCredential: Bool {
    get { box.value.sendsCredential }
    set { box = box.changed { $0.sendsCredential = newValue } }
  }

  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration? {
    get { box.value.timeout }
    set { box = box.changed { $0.timeout = newValue } }
  }

  /// How much of the response's body is kept, in bytes; nil: what the profile says.
  public var limit: Int? {
    get { box.value.limit }
    set { box = box.changed { $0.limit = newValue } }
  }

  /// Whether it may be sent again.
  public var effect: RequestEffect {
    get { box.value.effect }
    set { box = box.changed { $0.effect = newValue } }
  }

  /// How often it is sent at most, when that is safe; nil: the profile's.
  public var retry: RetryRule? {
    get { box.value.retry }
    set { box = box.changed { $0.retry = newValue } }
  }

  /// How many redirects are followed, 0 for none; nil: the profile's.
  public var redirects: Int? {
    get { box.value.redirects }
    set { box = box.changed { $0.redirects = newValue } }
  }

  /// The file that the body of an answer goes to which is as expected; nil: none.
  public var savesBodyTo: String? {
    get { box.value.savesBodyTo }
    set { box = box.changed { $0.savesBodyTo = newValue } }
  }

  /// How long to wait before sending: the pace of a repeated step.
  public var delay: Duration {
    get { box.value.delay }
    set { box = box.changed { $0.delay = newValue } }
  }

  /// Secrets whose text stands somewhere in this request; it goes to none but their origins.
  public var secrets: Set<Secret> {
    get { box.value.secrets }
    set { box = box.changed { $0.secrets = newValue } }
  }
}
