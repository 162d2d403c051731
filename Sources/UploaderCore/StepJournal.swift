public import Requests

/// Where an uploader keeps what it does, before and after the wire, so that a run that ends in the middle can go on.
///
/// The uploader asks first (`recall`), so going on is running again with a journal that remembers. This module does
/// not know how anything is kept.
public protocol StepJournal: Sendable {
  /// None of these is written from now on, wherever it stands. They are known before the step that they were made for,
  /// and also where that step can not be prepared.
  func learn(_ secrets: Set<Secret>)

  /// The exchange that this step had before; nil: it is to be sent.
  ///
  /// - Throws: `JournalError` when what is remembered does not fit the step, or leaves open what to do.
  func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange?

  /// The request is about to be sent. What must not happen twice is kept for good when this returns.
  func intend(_ step: JournalledStep) throws(JournalError)

  /// The first byte is about to leave: it is called for requests that must happen at most once, from the
  /// transport's own thread.
  func send(_ step: JournalledStep) throws(JournalError)

  /// What came of it. It does not throw, since nothing of it can be undone: a journal that could not keep it refuses
  /// what comes next.
  func finish(_ step: JournalledStep, _ outcome: JournalledOutcome)

  /// The moment at which the sequence is asked for the step at this position: the one that it was asked at before,
  /// where that step is to be made again as it was.
  func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed

  /// The sequence left a step out.
  func skip(_ position: StepPosition, label: String?, reason: String)
}

extension StepJournal {
  /// A journal that writes nothing has nothing to hide.
  public func learn(_ secrets: Set<Secret>) {}
}

/// What a journal remembers of a step that is done.
public struct RecalledExchange: Hashable, Sendable {
  /// As it was recorded.
  public let exchange: Exchange
  /// Somebody decided that it is good as it is, whatever was expected of it.
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

  /// Whether the request must be kept before it is sent: it must not happen twice, or a repetition must be the same.
  public var needsIntent: Bool {
    head.effect == .once || RequestEffect(of: head.method) == .once
  }
}

/// What came of a request.
public enum JournalledOutcome: Sendable {
  /// An answer came. Secrets are those that it brought; unmet is what was expected of it and is not so.
  case answered(Exchange, secrets: Set<Secret>, unmet: [UnmetExpectation])
  /// No answer came.
  case failed(UploadError)
}

/// Why a journal does not let a step go on.
public enum JournalError: Error, Hashable, Sendable {
  /// It can not be read or written; nothing was sent.
  case store(reason: String)
  /// The request is not the one that was recorded.
  case changed(StepPosition, differences: [RequestDifference])
  /// The request may or may not have taken effect, or took effect and is not what was expected; only people know
  /// what to do.
  case undecided(StepPosition, UndecidedReason)
  /// What the request is sent to expired that long ago, and so did its answer's use; the step that allocated it has to
  /// be sent again, if it is known which.
  case expired(StepPosition, allocatedBy: StepPosition?, since: Duration)
  /// Nothing like this request was recorded; the nearest one's differences.
  case notRecorded(nearest: String?, differences: [RequestDifference])
}

/// Why nobody but people can say how a step goes on.
public enum UndecidedReason: Hashable, Sendable {
  /// It was being sent when the run ended, or its answer never came.
  case interrupted
  /// It was answered with success, and not as expected: sent again it would happen twice.
  case unexpected
  /// Its answer came, and there was no space to keep the body.
  case bodyLost
  /// It was sent before and may have taken effect, and what became of that no longer counts: somebody left the step out,
  /// took its answer back, or tried again in vain.
  case sentBefore
  /// Its answer held this secret, which is not kept; sending it again would bring another.
  case secret(String)
}

/// One thing that is not the same in two requests.
public struct RequestDifference: Hashable, Sendable {
  /// `method`, `url`, `header accept`, `body`.
  public let subject: String
  /// As it was.
  public let recorded: String
  /// As it is.
  public let now: String

  /// What of it differs, and how.
  public init(_ subject: String, recorded: String, now: String) {
    self.subject = subject
    self.recorded = recorded
    self.now = now
  }
}
