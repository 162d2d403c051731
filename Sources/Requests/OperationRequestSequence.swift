public import JSONValue

/// Requests of which later ones depend on earlier responses. A sequence only describes; it does nothing.
///
/// After *Declarative API Design in Swift* (PlanGrid): an uploader polls for the next request with the
/// previous exchange, performs it, and polls again.
///
/// A sequence in Swift needs only `nextRequest(previous:)`. The rest is for sequences that skip steps, repeat them or
/// contain groups, as scripts do.
public protocol OperationRequestSequence: Sendable {
  /// The next request.
  ///
  /// - Parameter previous: the exchange of the request this sequence returned last; nil at the first poll.
  /// - Returns: nil when the sequence is complete; it stays nil when polled again.
  /// - Throws: when the previous response lacks what the next request needs.
  mutating func nextRequest(previous: Exchange?) throws -> RequestDescription?

  /// The next step: by default the next request, and nothing after one that failed.
  ///
  /// A function of the records and seeds so far and of nothing else, so that a run can be rebuilt from its sequence and
  /// its history: a step back, a resumed run and a reloaded script are all that one operation.
  ///
  /// - Parameters:
  ///   - previous: the outcome of the step this sequence returned last. It is polled after a failure too, for what has
  ///     to be done in any case.
  ///   - moment: all that time and chance may contribute to the result.
  /// - Returns: nil when the sequence is complete; it stays nil when polled again.
  /// - Throws: when the step cannot be made. That is a failed step like any other.
  mutating func nextStep(after previous: StepRecord?, at moment: StepSeed) throws -> SequenceStep<Self>?

  /// The children of the group that this sequence returned last have ended. The next poll follows.
  ///
  /// - Parameter children: in order, those that have not been forgotten.
  mutating func endGroup(_ children: [Self])

  /// Whether it continues after a failed step, so that in its groups the next child begins anyway; by default not.
  var goesOnAfterFailure: Bool { get }

  /// Whether a step that cannot be made is skipped, which a debugger does on its way to a later one; by default not.
  var skipsWhatFails: Bool { get set }

  /// Whether somebody may look back at what happened in the rounds of a loop that are done; by default they may. Without
  /// that, of a loop over many items only what is referred to after it is kept.
  var keepsHistory: Bool { get }

  /// This round of the loop that this sequence returned last is done, and nobody looks back at it: it is given up after
  /// this. Rounds may end in any order. By default nothing of it is needed.
  mutating func forget(_ round: Self)

  /// What was expected of the exchange but not met; by default its status must be 2xx or 3xx, and not a redirect that
  /// was refused.
  ///
  /// It is asked about the exchange of the request this sequence returned last, before the next poll.
  func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation]

  /// Whether this response, which is as expected, was only one round of a step that is sent again; by default not.
  func isRepeated(after exchange: Exchange) -> Bool

  /// Whether enough has come of a response that comes bit by bit; by default it is looked at until it ends.
  ///
  /// - Parameters:
  ///   - exchange: as far as it has come.
  ///   - values: its events or the values of its lines, an array; nil for text.
  func isEnough(_ exchange: Exchange, values: JSON?) -> Bool

  /// Whether something in a response may turn out to be a secret when it is complete, so that nothing of it may be
  /// shown before; by default not.
  var mayFindSecrets: Bool { get }

  /// The secrets that this exchange contains, so that they can be hidden: asked before the exchange is shown or
  /// written.
  func secrets(in exchange: Exchange) -> Set<Secret>

  /// The profiles this sequence declares itself; nil, the default: the uploader's.
  var profiles: SessionProfiles? { get }

  /// The secrets that this sequence knows by now, besides those of its profiles.
  var secrets: Set<Secret> { get }

  /// These came with a credential while a request of this sequence was sent: they are secrets from now on. By default
  /// the sequence does not have to know.
  func note(_ secrets: Set<Secret>)
}

extension OperationRequestSequence {
  public mutating func nextStep(after previous: StepRecord?, at moment: StepSeed) throws -> SequenceStep<Self>? {
    switch previous {
    case .failed: nil
    case .exchange(let exchange)?, .round(let exchange)?: try nextRequest(previous: exchange).map(SequenceStep.request)
    case .skipped?, .group?, nil: try nextRequest(previous: nil).map(SequenceStep.request)
    }
  }

  public mutating func endGroup(_ children: [Self]) {}

  public var goesOnAfterFailure: Bool { false }

  public var skipsWhatFails: Bool {
    get { false }
    set {}
  }

  public var keepsHistory: Bool { true }

  public mutating func forget(_ round: Self) {}

  public func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation] {
    UnmetExpectation.success(of: exchange)
  }

  public func isRepeated(after exchange: Exchange) -> Bool { false }

  public func isEnough(_ exchange: Exchange, values: JSON?) -> Bool { false }

  public var mayFindSecrets: Bool { false }

  public func secrets(in exchange: Exchange) -> Set<Secret> { [] }

  public var profiles: SessionProfiles? { nil }

  public var secrets: Set<Secret> { [] }

  public func note(_ secrets: Set<Secret>) {}
}
