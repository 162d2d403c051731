public import Requests
public import UploaderCore

/// A journal whose run can be ended.
public protocol OperationJournal: StepJournal {
  /// The run's.
  var id: String { get }

  /// The run has ended, successfully (nil) or not.
  ///
  /// If it succeeded, its operation is no longer in the queue: both happen in one commit.
  func end(failure: String?) throws(StoreError)
}

/// Where operations wait. `RunStore` keeps them in SQLite for the processes of one machine.
///
/// A server database that keeps them for several machines has to provide this:
///
/// - **Commits that are durable** when a call returns, and **transactions that do not overlap** for a lease: choosing
///   the operation, giving it to this owner and creating its run is one step, or two owners get the same operation.
/// - **Leases that end with their owner.** On one machine an owner holds a lock on a file, and the kernel releases it
///   when the process dies: nothing has to be renewed, and the heir takes over immediately. A server cannot see
///   processes die: its leases expire by the server's clock, and are renewed in a fraction of their duration.
/// - **A fence.** An owner that slept through the end of its lease must not write: each lease has an increasing number,
///   and every write of its journal is refused when a higher number was issued. Since an at-most-once step is only sent
///   after its intent was written, the sleeper sends none; and anything it sent before is known to its heir as sent
///   with unknown outcome, which is never repeated unless asked for.
/// - **Numbers in the order of adding**, because that is the order within a key.
public protocol OperationStore: Sendable {
  associatedtype Journal: OperationJournal

  /// Adds an operation; it is stored when this returns.
  ///
  /// - Parameters:
  ///   - key: it is performed after all that were added earlier under the same key; nil: at any time.
  ///   - secrets: none of them is written, wherever it appears in the setup.
  func add(
    _ setup: RunSetup, key: String?, secrets: Set<Secret>, clock: UploadClock
  ) throws(StoreError) -> QueuedOperation

  /// All that are not done, in the order of adding.
  func operations() throws(StoreError) -> [QueuedOperation]

  /// Takes the operation that has been due for longest, of those that have no earlier one with their key. An operation
  /// whose owner died is due. However many wait, it must not take longer.
  func lease(clock: UploadClock) throws(StoreError) -> OperationOffer<Journal>

  /// Returns a leased operation, to be tried again. Its run was ended and records why.
  ///
  /// - Parameters:
  ///   - wait: it is due after this time at the earliest.
  ///   - reason: why; an attempt only counts if it failed.
  /// - Throws: `StoreError.leaseLost` when the operation is no longer this process's.
  func postpone(
    _ operation: QueuedOperation, for wait: Duration, because reason: PostponeReason, clock: UploadClock
  ) throws(StoreError)

  /// Makes a leased operation a dead letter. Its run was ended and records why.
  ///
  /// - Throws: `StoreError.leaseLost` when the operation is no longer this process's.
  func bury(_ operation: QueuedOperation, clock: UploadClock) throws(StoreError)

  /// Makes a dead letter wait again, with all its attempts left.
  func revive(_ number: Int, clock: UploadClock) throws(StoreError)

  /// Makes the operations due now that wait because no server could be reached, and no others: those of a server that
  /// is busy would all come back to it at once.
  func wake(clock: UploadClock) throws(StoreError)

  /// Removes an operation that nobody is working on from the queue. Its run is kept, as abandoned.
  func drop(_ number: Int) throws(StoreError)
}

/// Why an operation is tried again later.
public enum PostponeReason: Hashable, Sendable, CaseIterable {
  /// It failed for a reason that may pass; the attempt counts.
  case failed
  /// No server could be reached.
  case unreachable
  /// The program that was working on it is ending, or could not record what became of it.
  case interrupted
}
