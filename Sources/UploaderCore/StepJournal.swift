public import Requests

/// Where an uploader records what it does, before and after sending, so that a run that ends in the middle can
/// continue.
///
/// The uploader asks first (`recall`), so continuing means running again with a journal that remembers. This module
/// does not know how anything is stored.
public protocol StepJournal: AnyObject, Sendable {
  /// None of these may be written from now on, wherever they appear. They are known before the step that they were made
  /// for, even if that step cannot be prepared.
  func learn(_ secrets: Set<Secret>)

  /// The rounds of a loop are about to run side by side, so that their steps come in any order.
  func enter(loop position: StepPosition)

  /// The exchange that this step had before; nil: it is to be sent.
  ///
  /// - Throws: `JournalError` when what is remembered does not match the step, or leaves open what to do.
  func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange?

  /// The request is about to be sent. If it must not happen twice, it is stored durably when this returns. It may wait
  /// for others that are stored in the same commit.
  func intend(_ step: JournalledStep) async throws(JournalError)

  /// The first byte is about to leave: called for requests that must happen at most once, from the transport's own
  /// thread.
  func send(_ step: JournalledStep) throws(JournalError)

  /// The outcome. It does not throw, since nothing of it can be undone: a journal that could not store it refuses what
  /// comes next.
  func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) async

  /// The seed with which the sequence is asked for the step at this position: the earlier one, if that step is to be
  /// rebuilt as it was.
  func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed

  /// The sequence skipped a step.
  func skip(_ position: StepPosition, label: String?, reason: String)
}

extension StepJournal {
  /// A journal that writes nothing has nothing to hide.
  public func learn(_ secrets: Set<Secret>) {}

  /// To a journal that recalls nothing, or finds everything by its content, the order does not matter.
  public func enter(loop position: StepPosition) {}
}

/// What a journal remembers of a step that is done.
public struct RecalledExchange: Hashable, Sendable {
  /// As it was recorded.
  public let exchange: Exchange
  /// Somebody accepted it as it is, whatever was expected of it.
  public let isAccepted: Bool

  /// What was recorded, and whether somebody has accepted it.
  public init(_ exchange: Exchange, isAccepted: Bool = false) {
    self.exchange = exchange
    self.isAccepted = isAccepted
  }
}

/// A step on its way through the journal.
public struct JournalledStep: Sendable {
  /// Where it is in its run.
  public let position: StepPosition
  /// What is about to be sent.
  public let prepared: PreparedRequest
  /// Every secret that is known by now.
  public let secrets: Set<Secret>

  public init(position: StepPosition, prepared: PreparedRequest, secrets: Set<Secret>) {
    self.position = position
    self.prepared = prepared
    self.secrets = secrets
  }

  /// Method, target, header fields, as they were asked for.
  public var head: RequestHead { prepared.description.head }

  /// Whether the request must be stored before it is sent: it must not happen twice, or a repetition must be the same.
  public var needsIntent: Bool {
    head.effect == .once || RequestEffect(of: head.method) == .once
  }
}

/// The outcome of a request.
public enum JournalledOutcome: Sendable {
  /// A response came. `secrets` are those that it contained; `unmet` is what was expected of it but not met.
  case received(Exchange, secrets: Set<Secret>, unmet: [UnmetExpectation])
  /// No response came.
  case failed(UploadError)
}

/// Why a journal does not let a step continue.
public enum JournalError: Error, Hashable, Sendable {
  /// It cannot be read or written; nothing was sent.
  case store(reason: String)
  /// The request is not the one that was recorded.
  case changed(StepPosition, differences: [RequestDifference])
  /// The request may or may not have taken effect, or took effect but not as expected; only people know what to do.
  case undecided(StepPosition, UndecidedReason)
  /// What the request is sent to expired that long ago, and its response is no longer of use; the step that allocated
  /// it has to be sent again, if it is known which.
  case expired(StepPosition, allocatedBy: StepPosition?, since: Duration)
  /// Nothing like this request was recorded; the nearest one's differences.
  case notRecorded(nearest: String?, differences: [RequestDifference])
}

/// Why only people can decide how a step continues.
public enum UndecidedReason: Hashable, Sendable {
  /// It was being sent when the run ended, or its response never came.
  case interrupted
  /// It got a successful response, but not the expected one: sent again, it would happen twice.
  case unexpected
  /// Its response came, but there was no space to keep the body.
  case bodyLost
  /// It was sent before and may have taken effect, and the outcome no longer counts: somebody skipped the step,
  /// discarded its response, or tried again in vain.
  case sentBefore
  /// The same request was sent for the step at this position and may have taken effect, and the run has not come to
  /// that step: the script has changed since, and this may be the same step in another place.
  case sentElsewhere(StepPosition)
  /// Its response contained this secret, which is not stored; sending it again would return another.
  case secret(String)
  /// Somebody put this secret into its response, or gave the response; it is not stored, and sending the step would
  /// not bring it.
  case givenSecret(String)
}

/// One difference between two requests.
public struct RequestDifference: Hashable, Sendable {
  /// `method`, `url`, `header accept`, `body`.
  public let subject: String
  /// As it was.
  public let recorded: String
  /// As it is.
  public let now: String

  /// What differs, and how.
  public init(_ subject: String, recorded: String, now: String) {
    self.subject = subject
    self.recorded = recorded
    self.now = now
  }
}

extension JournalError: CustomStringConvertible {
  /// A sentence about the step, without anything that was sent.
  public var description: String {
    switch self {
    case .store(let reason): "the journal of this run cannot be kept: \(reason)"
    case .changed: "the request is not the one that was recorded"
    case .undecided(_, .interrupted): "it was sent, and its response is not known: it may have taken effect"
    case .undecided(_, .unexpected):
      "its response was a success, though not as expected: if it were sent again, it would happen twice"
    case .undecided(_, .bodyLost):
      "it is done, but the disk was full when its response came, and the body was not kept"
    case .undecided(_, .sentBefore):
      "it was sent before and may have taken effect, and the response it had then no longer counts"
    case .undecided(_, .sentElsewhere(let place)):
      "it was sent before at another place in the script (step \(place)), and may have taken effect"
    case .undecided(_, .secret(let secret)):
      "its response contained \(Self.named(secret)): only sending it again brings a new one"
    case .undecided(_, .givenSecret(let secret)):
      "its response was given in the debugger with \(Self.named(secret))"
    case .expired: "its target expired"
    case .notRecorded: "nothing like this request was recorded"
    }
  }

  /// - Parameter names: of one secret, or of several, separated by commas.
  private static func named(_ names: String) -> String {
    let list = names.split(separator: ",").map { "\"\($0.drop { $0 == " " })\"" }
    guard let last = list.last, list.count > 1 else { return "the secret \"\(names)\", which is not kept" }
    return "the secrets \(list.dropLast().joined(separator: ", ")) and \(last), which are not kept"
  }
}
