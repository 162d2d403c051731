public import UploaderCore

/// Something that is to be sent some day: what it is made from, and how far it came.
public struct QueuedOperation: Hashable, Sendable {
  /// How it stands.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// It waits for its turn, or for its next try.
    case waiting = 0
    /// Somebody is at it.
    case running = 1
    /// It was tried in vain, and waits for people: a dead letter. What came later under its key waits behind it.
    case dead = 2
  }

  /// In the order in which operations were added; no number is used twice.
  public let number: Int
  /// Whose it is, as in `RunSetup`.
  public let kind: String
  /// How people know it.
  public let name: String
  /// Operations of the same key are performed one after another, in the order in which they were added; nil: any time.
  public let key: String?
  public let state: State
  /// The run that performs it; nil: it was never tried.
  public let run: String?
  /// How often it was tried.
  public let attempts: Int
  /// When its next try is due, since 1970.
  public let due: Duration
  /// Since 1970.
  public let created: Duration
  /// Why the last try failed.
  public let failure: String?
}

/// An operation that is this process's to perform, and nobody else's.
public struct OperationLease<Journal: OperationJournal>: Sendable {
  public let operation: QueuedOperation
  /// What it is made from, with markers where secrets stood.
  public let setup: RunSetup
  /// Where its steps are recorded. It remembers those of earlier tries, so that none is sent twice.
  public let journal: Journal
}

/// What the queue has for whoever asks for work.
public enum OperationOffer<Journal: OperationJournal>: Sendable {
  case operation(OperationLease<Journal>)
  /// There is nothing now; it is worth asking again after so long.
  case wait(Duration)
  /// Nothing waits, and nobody is at anything.
  case nothing
}

/// What became of an operation.
public enum OperationOutcome: Sendable {
  case done
  case failed(UploadError)
  /// It can not even begin: its script does not hold, its kind is not known.
  case broken(reason: String)
}
