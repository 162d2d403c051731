public import Requests
public import UploaderCore

/// A journal whose run can be ended.
public protocol OperationJournal: StepJournal {
  /// The run's.
  var id: String { get }

  /// The run has ended, successfully (nil) or not.
  ///
  /// If it succeeded, its operation is no longer in the queue: both happen in one commit.
  func end(failure: String?) async throws(StoreError)
}

/// Where operations wait. `LocalQueue` keeps them in SQLite for the processes of one machine; a server database may keep
/// them for several. Whatever keeps them has to provide this:
///
/// - **Commits that are durable** when a call returns, and **transactions that do not overlap** for a lease: choosing
///   the operation and giving it to this owner is one step, or two owners get the same operation.
/// - **Leases that end with their owner.** On one machine an owner holds a lock on a file, and the kernel releases it
///   when the process dies: nothing has to be renewed. A server cannot see processes die: its leases expire by the
///   server's clock, and are renewed in a third of their duration.
/// - **A fence.** An owner that slept through the end of its lease must not write: each lease has a number that
///   increases, and every write that names an earlier one is refused with `StoreError.leaseLost`. Since an at-most-once
///   step is only sent after its intent was written, the sleeper sends none; and anything it sent before is known to its
///   heir as sent with unknown outcome, which is never repeated unless asked for.
/// - **Numbers in the order of adding**, because that is the order within a key.
///
/// Its calls may take as long as a network does, and none of them blocks a thread that others need.
public protocol OperationStore: Sendable {
  associatedtype Journal: OperationJournal

  /// After this time without `renew`, a lease is somebody else's; nil: it lasts as long as this process.
  var leaseDuration: Duration? { get }

  /// Adds an operation; it is stored when this returns.
  ///
  /// - Parameters:
  ///   - key: it is performed after all that were added earlier under the same key; nil: at any time.
  ///   - secrets: none of them is written, wherever it appears in the setup.
  func add(_ setup: RunSetup, key: String?, secrets: Set<Secret>) async throws(StoreError) -> QueuedOperation

  /// Those that are not done, in the order of adding.
  func operations(_ filter: OperationFilter) async throws(StoreError) -> [QueuedOperation]

  /// How many there are.
  func counts() async throws(StoreError) -> OperationCounts

  /// Takes the operation that has been due for longest, of those that have no earlier one with their key. An operation
  /// whose owner died is due. However many wait, it must not take longer.
  func lease() async throws(StoreError) -> OperationOffer<Journal>

  /// Keeps leases for another `leaseDuration`.
  ///
  /// - Returns: the numbers of the operations that are still this owner's.
  func renew(_ leases: [HeldLease]) async throws(StoreError) -> Set<Int>

  /// Returns a leased operation, to be tried again. Its run was ended and records why.
  ///
  /// - Parameters:
  ///   - wait: it is due after this time at the earliest.
  ///   - reason: why; an attempt only counts if it failed.
  /// - Throws: `StoreError.leaseLost` when the operation is no longer this owner's.
  func postpone(_ lease: HeldLease, for wait: Duration, because reason: PostponeReason) async throws(StoreError)

  /// Makes a leased operation a dead letter. Its run was ended and records why.
  ///
  /// - Throws: `StoreError.leaseLost` when the operation is no longer this owner's.
  func bury(_ lease: HeldLease) async throws(StoreError)

  /// Makes a dead letter wait again, with all its attempts left.
  func revive(_ number: Int) async throws(StoreError)

  /// Makes the operations due now that wait for something outside of the queue (`isUntilWoken`), and no others: those of
  /// a server that is busy would all come back to it at once.
  func wake() async throws(StoreError)

  /// Removes an operation that nobody is working on from the queue. Its run is kept, as abandoned, where runs are kept.
  func drop(_ number: Int) async throws(StoreError)

  /// Waits until there may be something new, but no longer than this, nor after the task is cancelled.
  func wait(atMost: Duration) async
}

extension OperationStore {
  /// All that are not done, in the order of adding.
  public func operations() async throws(StoreError) -> [QueuedOperation] { try await operations(OperationFilter()) }
}

/// A lease as its owner names it.
public struct HeldLease: Hashable, Sendable {
  /// The operation's.
  public let number: Int
  /// Higher for each lease of the same operation.
  public let fence: Int

  public init(number: Int, fence: Int) {
    self.number = number
    self.fence = fence
  }
}

/// Which operations somebody wants to see.
public struct OperationFilter: Hashable, Sendable {
  /// Only this one.
  public var number: Int?
  public var state: QueuedOperation.State?
  public var key: String?
  /// How many at most.
  public var limit: Int?

  public init(number: Int? = nil, state: QueuedOperation.State? = nil, key: String? = nil, limit: Int? = nil) {
    self.number = number
    self.state = state
    self.key = key
    self.limit = limit
  }
}

/// How many operations are in a queue.
public struct OperationCounts: Hashable, Sendable {
  /// Those that can be performed, now or later.
  public var waiting = 0
  public var running = 0
  /// The dead letters.
  public var dead = 0
  /// Those that come after a dead letter with the same key.
  public var held = 0

  public init(waiting: Int = 0, running: Int = 0, dead: Int = 0, held: Int = 0) {
    (self.waiting, self.running, self.dead, self.held) = (waiting, running, dead, held)
  }
}

/// Why an operation is tried again later.
public enum PostponeReason: Hashable, Sendable, CaseIterable {
  /// It failed for a reason that may pass; the attempt counts.
  case failed
  /// No server could be reached.
  case unreachable
  /// Somebody has to sign in first; nothing was sent.
  case signIn
  /// The program that was working on it is ending, or could not record what became of it.
  case interrupted

  /// Whether it is tried as soon as somebody drains the queue again: what was missing may be there.
  public var isUntilWoken: Bool {
    switch self {
    case .unreachable, .signIn: true
    case .failed, .interrupted: false
    }
  }
}
