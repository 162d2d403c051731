public import UploaderCore

/// Something to be sent later: what it is made from, and how far it has come.
public struct QueuedOperation: Hashable, Sendable {
  /// Its state.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// It waits for its turn, or for its next attempt.
    case waiting = 0
    /// A process is working on it.
    case running = 1
    /// Its attempts failed, and it waits for people: a dead letter. Later operations with its key wait for it.
    case dead = 2
  }

  /// In the order in which operations were added; no number is used twice.
  public let number: Int
  /// Its owner, as in `RunSetup`.
  public let kind: String
  /// Its display name.
  public let name: String
  /// Operations with the same key are performed one after another, in the order in which they were added; nil: at any
  /// time.
  public let key: String?
  public let state: State
  /// The run that performs it; nil: it was never attempted.
  public let run: String?
  /// The number of attempts so far.
  public let attempts: Int
  /// When its next attempt is due, since 1970.
  public let due: Duration
  /// Since 1970.
  public let created: Duration
  /// Why the last attempt failed.
  public let failure: String?

  /// As a store has it.
  public init(
    number: Int, kind: String, name: String, key: String?, state: State, run: String?, attempts: Int, due: Duration,
    created: Duration, failure: String?
  ) {
    self.number = number
    self.kind = kind
    self.name = name
    self.key = key
    self.state = state
    self.run = run
    self.attempts = attempts
    self.due = due
    self.created = created
    self.failure = failure
  }
}

/// An operation that is this process's to perform, and nobody else's.
public struct OperationLease<Journal: OperationJournal>: Sendable {
  public let operation: QueuedOperation
  /// What it is made from, with markers in place of secrets.
  public let setup: RunSetup
  /// Where its steps are recorded. It remembers those of earlier attempts, so that none is sent twice.
  public let journal: Journal
  /// Higher for each lease of the same operation.
  public let fence: Int

  public init(operation: QueuedOperation, setup: RunSetup, journal: Journal, fence: Int) {
    self.operation = operation
    self.setup = setup
    self.journal = journal
    self.fence = fence
  }

  /// As its owner names it.
  public var held: HeldLease { HeldLease(number: operation.number, fence: fence) }
}

/// What the queue offers to a process that asks for work.
public enum OperationOffer<Journal: OperationJournal>: Sendable {
  case operation(OperationLease<Journal>)
  /// There is nothing now; it is worth asking again after this time.
  case wait(Duration)
  /// Nothing waits, and nobody is working on anything.
  case nothing
}

/// The outcome of an operation.
public enum OperationOutcome: Sendable {
  case done
  case failed(UploadError)
  /// It cannot even begin: its script is invalid, or its kind is unknown.
  case broken(reason: String)
  /// It cannot begin here: something is missing that another machine may have. The attempt does not count.
  case unable(reason: String)
}
