/// Requests of which later ones depend on earlier answers. A sequence only describes; it does nothing.
///
/// After *Declarative API Design in Swift* (PlanGrid): an uploader polls for the next request with the
/// previous exchange, performs it, and polls again.
public protocol OperationRequestSequence: Sendable {
  /// The next request.
  ///
  /// - Parameter previous: the exchange of the request this sequence gave last; nil at the first poll.
  /// - Returns: nil when the sequence is complete; it stays nil when polled again.
  /// - Throws: when the previous response lacks what the next request needs.
  mutating func nextRequest(previous: Exchange?) throws -> RequestDescription?

  /// The next step, which may be one that is left out; by default the next request.
  mutating func nextStep(previous: Exchange?) throws -> SequenceStep?

  /// What the exchange was expected to be and is not; by default its status must be 2xx or 3xx.
  ///
  /// It is asked about the exchange of the request this sequence gave last, before the next poll.
  func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation]

  /// The profiles this sequence declares itself; nil, the default: the uploader's.
  var profiles: SessionProfiles? { get }

  /// The secrets that are known by now; by default those of the profiles.
  var secrets: Set<Secret> { get }

  /// What in an answer will be a secret, though no poll has said so yet; by default nothing.
  ///
  /// It is asked about the exchange of the request this sequence gave last, before the next poll.
  func secrets(broughtBy exchange: Exchange) -> Set<Secret>
}

extension OperationRequestSequence {
  public mutating func nextStep(previous: Exchange?) throws -> SequenceStep? {
    try nextRequest(previous: previous).map(SequenceStep.request)
  }

  public func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation] {
    UnmetExpectation.success(of: exchange)
  }

  public var profiles: SessionProfiles? { nil }

  public var secrets: Set<Secret> { Set(profiles?.all.flatMap(\.secrets) ?? []) }

  public func secrets(broughtBy exchange: Exchange) -> Set<Secret> { [] }
}

/// What a sequence says comes next.
public enum SequenceStep: Hashable, Sendable {
  case request(RequestDescription)
  /// The step of this name is left out.
  case skipped(label: String?, reason: String)
}
