public import Requests
public import UploaderCore

/// The queue in a store, for the processes of one machine. A lease lasts as long as its process.
public struct LocalQueue: OperationStore {
  public let store: RunStore
  private let clock: UploadClock

  public init(_ store: RunStore, clock: UploadClock = .system) {
    self.store = store
    self.clock = clock
  }

  public var leaseDuration: Duration? { nil }

  public func add(
    _ setup: RunSetup, key: String?, secrets: Set<Secret>
  ) async throws(StoreError) -> QueuedOperation {
    try store.add(setup, key: key, secrets: secrets, clock: clock)
  }

  public func operations(_ filter: OperationFilter) async throws(StoreError) -> [QueuedOperation] {
    try store.operations(filter)
  }

  public func counts() async throws(StoreError) -> OperationCounts { try store.counts() }

  public func lease() async throws(StoreError) -> OperationOffer<RunJournal> { try store.lease(clock: clock) }

  public func renew(_ leases: [HeldLease]) async throws(StoreError) -> Set<Int> { Set(leases.map(\.number)) }

  public func postpone(
    _ lease: HeldLease, for wait: Duration, because reason: PostponeReason
  ) async throws(StoreError) {
    try store.postpone(lease.number, for: wait, because: reason, clock: clock)
  }

  public func bury(_ lease: HeldLease) async throws(StoreError) { try store.bury(lease.number, clock: clock) }

  public func revive(_ number: Int) async throws(StoreError) { try store.revive(number, clock: clock) }

  public func wake() async throws(StoreError) { try store.wake(clock: clock) }

  public func drop(_ number: Int) async throws(StoreError) { try store.drop(number) }

  public func wait(atMost: Duration) async { try? await clock.sleep(atMost) }
}

extension SyncQueue where Store == LocalQueue {
  /// A queue for the processes of this machine.
  ///
  /// - Parameter observe: notified of what happens; every error once, so it is the place to report them.
  public init(
    _ store: RunStore, clock: UploadClock = .system, observe: @escaping @Sendable (QueueEvent) -> Void = { _ in }
  ) {
    self.init(LocalQueue(store, clock: clock), clock: clock, observe: observe)
  }
}
