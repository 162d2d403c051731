public import Requests
public import UploaderCore

/// A journal whose run ends.
public protocol OperationJournal: StepJournal {
  /// The run's.
  var id: String { get }

  /// The run is over, well (nil) or not.
  ///
  /// When it ended well its operation is no longer in the queue: both in one commit.
  func end(failure: String?) throws(StoreError)
}

/// Where operations wait. `RunStore` keeps them in SQLite for the processes of one machine.
///
/// A server database that keeps them for several machines has to give this:
///
/// - **Commits that last** when a call returns, and **transactions that do not overlap** for a lease: choosing the
///   operation, making it this owner's and making its run is one step, or two owners get the same.
/// - **Leases that end with their owner.** On one machine an owner holds a lock on a file, and the kernel lets go of it
///   when the process dies: nothing has to be renewed, and the heir takes over at once. A server can not see processes
///   die: its leases have a time, by the server's clock, and are renewed in a fraction of it.
/// - **A fence.** An owner that slept through the end of its lease must not write: each lease bears a number that
///   grows, and every write of its journal is refused when a higher one was given out. Since an at-most-once step is
///   only sent after its intent was written, the sleeper sends none; and what it had sent before is known to its heir as
///   sent with unknown outcome, which is never repeated without being asked for.
/// - **Numbers in the order of adding**, since that is the order of a key.
public protocol OperationStore: Sendable {
  associatedtype Journal: OperationJournal

  /// Adds an operation; it is kept when this returns.
  ///
  /// - Parameters:
  ///   - key: it is performed after all that were added under the same key; nil: any time.
  ///   - secrets: none of them is written, wherever it stands in the setup.
  func add(
    _ setup: RunSetup, key: String?, secrets: Set<Secret>, clock: UploadClock
  ) throws(StoreError) -> QueuedOperation

  /// All that are not done, in the order of adding.
  func operations() throws(StoreError) -> [QueuedOperation]

  /// Takes the first operation that is due and has none of its key before it. That of an owner who died is due.
  func lease(clock: UploadClock) throws(StoreError) -> OperationOffer<Journal>

  /// Gives a leased operation back, to be tried again. Its run was ended and says why.
  ///
  /// - Parameters:
  ///   - wait: after so long at the earliest.
  ///   - isTry: whether this try counts as one.
  func postpone(
    _ operation: QueuedOperation, for wait: Duration, isTry: Bool, clock: UploadClock
  ) throws(StoreError)

  /// Makes a leased operation a dead letter. Its run was ended and says why.
  func bury(_ operation: QueuedOperation, clock: UploadClock) throws(StoreError)

  /// Makes a dead letter wait again, with all its tries ahead.
  func revive(_ number: Int, clock: UploadClock) throws(StoreError)

  /// Makes all that waits due now.
  func wake(clock: UploadClock) throws(StoreError)

  /// Takes an operation out of the queue that nobody is at. Its run stays, given up.
  func drop(_ number: Int) throws(StoreError)
}
