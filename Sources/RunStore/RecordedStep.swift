public import Requests
internal import UploaderCore

/// A step as it was recorded: what was asked, and what came of it.
///
/// Secrets in it are markers: `SecretMarkers` fills them, or shows dots.
public struct RecordedStep: Hashable, Sendable {
  /// How far it came.
  public enum State: Int, Hashable, Sendable {
    /// It was about to be sent.
    case intended = 0
    /// Its first byte was about to leave.
    case sent = 1
    /// It was answered as expected.
    case answered = 2
    /// It was answered, and not as expected.
    case unmet = 3
    /// It got no answer, and had no effect, or may be sent again.
    case failed = 4
    /// It got no answer, and may have had an effect.
    case unknown = 5
    /// It was left out.
    case skipped = 6
  }

  public var position: StepPosition
  public var label: String?
  /// Of the step in its script, from 1.
  public var number: Int?
  /// From 1, if it repeats.
  public var round: Int?
  /// How often it was begun anew, this time included.
  public var attempt: Int
  public var state: State
  public var effect: RequestEffect
  /// Since 1970.
  public var started: Duration
  /// Since 1970; nil: it never was.
  public var finished: Duration?
  public var request: RecordedRequest
  public var answer: RecordedAnswer?
  /// Why it failed, or why it was left out.
  public var failure: String?
  /// Which start of the machine it was begun in; nil where that can not be told.
  var boot: String?

  /// How people know it: `upload`, `upload, round 3`, `step 2`.
  public var name: String {
    let name = label ?? number.map { "step \($0)" } ?? "step \(position)"
    return round.map { "\(name), round \($0)" } ?? name
  }
}
