public import Requests
internal import UploaderCore

/// A step as it was recorded: what was asked for, and its outcome.
///
/// Secrets in it are markers: `SecretMarkers` fills them in, or shows dots.
public struct RecordedStep: Hashable, Sendable {
  /// How far it came.
  public enum State: Int, Hashable, Sendable {
    /// It was about to be sent.
    case intended = 0
    /// Its first byte was about to leave.
    case sent = 1
    /// It got the expected response.
    case answered = 2
    /// It got a response, but not the expected one.
    case unmet = 3
    /// It got no response, and had no effect, or may be sent again.
    case failed = 4
    /// It got no response, and may have had an effect.
    case unknown = 5
    /// It was skipped.
    case skipped = 6
  }

  public var position: StepPosition
  public var label: String?
  /// The number of the step in its script, from 1.
  public var number: Int?
  /// From 1, if it repeats.
  public var round: Int?
  /// How often it was begun, this time included.
  public var attempt: Int
  public var state: State
  public var effect: RequestEffect
  /// Since 1970.
  public var started: Duration
  /// Since 1970; nil: it never finished.
  public var finished: Duration?
  public var request: RecordedRequest
  public var response: RecordedResponse?
  /// Why it failed, or why it was skipped.
  public var failure: String?
  /// The text in which it is written, and where it begins there, in bytes; nil: it is not known, or nobody wrote it.
  public var source: String?
  public var offset: Int?
  /// The rounds of the loops that it is in, each from 0.
  public var items: [Int] = []
  /// How many expectations are written there; nil: none.
  public var expectations: Int?
  /// The boot of the machine in which it was begun; nil if that is not known.
  var boot: String?

  /// What was sent last, redirects before it aside; without a response, what was asked for.
  package var lastSent: RecordedResponse.Sent {
    response?.sent
      ?? RecordedResponse.Sent(method: request.method, url: request.url, headers: request.headers, bodySize: 0)
  }

  /// The body that went over the wire with the last request, or with one that was redirected.
  package func body(sentWith sent: RecordedResponse.Sent) -> RecordedRequest.Body {
    RedirectHop.keepsBody(asked: request.method, sent: sent.method) ? request.body : .none
  }

  /// Whether its response was given, or changed, in the debugger: why is said where others say why they failed.
  public var isGiven: Bool { state == .answered && failure != nil }

  /// Its display name: `upload`, `upload, round 3`, `step 2`.
  public var name: String {
    let name = label ?? number.map { "step \($0)" } ?? "step \(position)"
    return round.map { "\(name), round \($0)" } ?? name
  }

  /// Where it is in its script, as references have it: `$3`; in a block, its place in the run: `3.1.1`.
  public var place: String { number.map { "$\($0)" } ?? position.description }

  /// Whether it is meant by its label, its number or its place in the run: `upload`, `$2`, `3.1.1`.
  public func isCalled(_ name: String) -> Bool {
    label == name || place == name || position.description == name
  }
}
