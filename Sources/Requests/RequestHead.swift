public import HTTPTypes

/// What every request description has, whatever its body.
public typealias RequestHead = CopyOnWrite<RequestParts>

extension RequestHead {
  /// Unless an effect is set, it has the method's own (RFC 9110 §9.2).
  ///
  /// - Parameter set: sets whatever else differs from the defaults.
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
  /// Its number among the requests written beside it, from 1; nil if they are not numbered.
  public var number: Int?
  /// Which round of a repeated step it is, from 1; nil for one that is not repeated.
  public var round: Int?
  /// The item indices, from 0, of the loops that contain it, outermost first.
  public var items: [Int] = []
  /// Where the step was written, if known.
  public var place: TextPlace?
  /// How many expectations are written there; that the response is a success, unless they say otherwise, is not counted.
  public var expectations: Int = 0
  /// The operation this request is part of, for a queue that pushes operations later.
  public var operationID: String?
  /// The app's record that the operation is about.
  public var affectedModelID: String?
  /// As RFC 9110 §9 defines it, or one of the server's own.
  public var method: HTTPRequest.Method
  /// Where it goes.
  public var target: RequestTarget
  /// Appended to the target's own query, encoded.
  public var query: [QueryItem] = []
  /// These override a profile's headers and the body's own content type.
  public var headers: HTTPFields = [:]
  /// Headers that are not sent, although the program or the profile would add them.
  public var omittedHeaders: [HTTPField.Name] = []
  /// The profile to use for a URL, whatever its origin; its credentials still go to its own origins only.
  public var profile: String?
  /// Who signs this request instead of the profile's credential; nil: nobody.
  public var signer: SigningIdentity?
  /// Whose digests are sent instead of the profile's credential, once the server has asked for them; nil: nobody's.
  public var digest: DigestIdentity?
  /// Whether the profile's credential is sent, if allowed; false for `auth none`.
  public var sendsCredential: Bool = true
  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration?
  /// How much of the response's body is kept, in bytes; nil: the profile's limit.
  public var limit: Int?
  /// Whether it may be sent again.
  public var effect: RequestEffect
  /// How often it is sent at most, if resending is safe; nil: the profile's.
  public var retry: RetryRule?
  /// How many redirects are followed, 0 for none; nil: the profile's.
  public var redirects: Int?
  /// The file that the body is saved to when the response is as expected; nil: none.
  public var savesBodyTo: String?
  /// The directory below which missing ones are made for that file: the script's own; nil: none is made.
  public var savesBelow: String?
  /// How the response is looked at while it comes; nil: it is not, and its body is whatever its type says.
  public var stream: StreamTerms?
  /// How long to wait before sending: the pace of a repeated step.
  public var delay: Duration = .zero
  /// How a server is waited for that does not respond yet; nil: it is not.
  public var patience: Patience?
  /// Secrets whose text is somewhere in this request; it is sent only to their origins.
  public var secrets: Set<Secret> = []
}

/// How a response is looked at while it comes.
public struct StreamTerms: Hashable, Sendable {
  /// How long, from its head on; nil: until it ends.
  public var duration: Duration?
  /// What the condition reads that ends it; nil: none does.
  public var condition: StreamReading?

  public init(duration: Duration? = nil, condition: StreamReading? = nil) {
    self.duration = duration
    self.condition = condition
  }
}

/// What of a response the condition reads that is to end it: no more than that is held while it comes.
public enum StreamReading: Hashable, Sendable {
  /// Nothing of its body.
  case head
  /// So many of its last events or lines.
  case items(Int)
  /// So many of its last bytes.
  case bytes(Int)
  /// All of it.
  case everything
}
