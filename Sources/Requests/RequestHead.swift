public import HTTPTypes

/// What every request description has, whatever its body.
public struct RequestHead: Hashable, Sendable {
  /// Passed around at every step.
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

  /// Everything except the method and the target may be left out; without an effect it has the method's own (RFC 9110
  /// §9.2).
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

  /// Its number among the requests written beside it, from 1; nil if they are not numbered.
  public var number: Int? {
    get { box.value.number }
    set { box = box.changed { $0.number = newValue } }
  }

  /// Which round of a repeated step it is, from 1; nil for one that is not repeated.
  public var round: Int? {
    get { box.value.round }
    set { box = box.changed { $0.round = newValue } }
  }

  /// The item indices, from 0, of the loops that contain it, outermost first.
  public var items: [Int] {
    get { box.value.items }
    set { box = box.changed { $0.items = newValue } }
  }

  /// Where the step was written, if known.
  public var place: TextPlace? {
    get { box.value.place }
    set { box = box.changed { $0.place = newValue } }
  }

  /// The operation this request is part of, for a queue that pushes operations later.
  public var operationID: String? {
    get { box.value.operationID }
    set { box = box.changed { $0.operationID = newValue } }
  }

  /// The app's record that the operation is about.
  public var affectedModelID: String? {
    get { box.value.affectedModelID }
    set { box = box.changed { $0.affectedModelID = newValue } }
  }

  /// As RFC 9110 §9 defines it, or one of the server's own.
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

  /// These override a profile's headers and the body's own content type.
  public var headers: HTTPFields {
    get { box.value.headers }
    set { box = box.changed { $0.headers = newValue } }
  }

  /// The profile to use for a URL, whatever its origin; its credentials still go to its own origins only.
  public var profile: String? {
    get { box.value.profile }
    set { box = box.changed { $0.profile = newValue } }
  }

  /// Who signs this request instead of the profile's credential; nil: nobody.
  public var signer: SigV4Identity? {
    get { box.value.signer }
    set { box = box.changed { $0.signer = newValue } }
  }

  /// Whether the profile's credential is sent, if allowed; false for `auth none`.
  public var sendsCredential: Bool {
    get { box.value.sendsCredential }
    set { box = box.changed { $0.sendsCredential = newValue } }
  }

  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration? {
    get { box.value.timeout }
    set { box = box.changed { $0.timeout = newValue } }
  }

  /// How much of the response's body is kept, in bytes; nil: the profile's limit.
  public var limit: Int? {
    get { box.value.limit }
    set { box = box.changed { $0.limit = newValue } }
  }

  /// Whether it may be sent again.
  public var effect: RequestEffect {
    get { box.value.effect }
    set { box = box.changed { $0.effect = newValue } }
  }

  /// How often it is sent at most, if resending is safe; nil: the profile's.
  public var retry: RetryRule? {
    get { box.value.retry }
    set { box = box.changed { $0.retry = newValue } }
  }

  /// How many redirects are followed, 0 for none; nil: the profile's.
  public var redirects: Int? {
    get { box.value.redirects }
    set { box = box.changed { $0.redirects = newValue } }
  }

  /// The file that the body is saved to when the response is as expected; nil: none.
  public var savesBodyTo: String? {
    get { box.value.savesBodyTo }
    set { box = box.changed { $0.savesBodyTo = newValue } }
  }

  /// How long to wait before sending: the pace of a repeated step.
  public var delay: Duration {
    get { box.value.delay }
    set { box = box.changed { $0.delay = newValue } }
  }

  /// Secrets whose text is somewhere in this request; it is sent only to their origins.
  public var secrets: Set<Secret> {
    get { box.value.secrets }
    set { box = box.changed { $0.secrets = newValue } }
  }
}
