public import Requests
public import UploaderCore

/// Operations that are recorded now and sent when there is a network: each is a sequence of requests, performed as
/// often as its steps allow, in order where order matters.
///
/// ```swift
/// let queue = SyncQueue(try RunStore(at: path))
/// try await queue.add(RunSetup(kind: "snapshot", name: "A-101", parameters: ["sheet": "A-101"]), key: "A-101")
/// // and when there is a network:
/// try await queue.drain(jobs: 4, by: uploader) { setup in SnapshotUpload(setup.parameters) }
/// ```
///
/// Several processes may drain one queue. If one dies, the others take over its operations.
public struct SyncQueue<Store: OperationStore>: Sendable {
  public let store: Store
  public var policy = QueuePolicy()
  let clock: UploadClock
  private let observe: @Sendable (QueueEvent) -> Void

  /// - Parameter observe: notified of what happens; every error once, so it is the place to report them.
  public init(
    _ store: Store, clock: UploadClock = .system, observe: @escaping @Sendable (QueueEvent) -> Void = { _ in }
  ) {
    self.store = store
    self.clock = clock
    self.observe = observe
  }

  /// Records an operation; it is stored when this returns.
  ///
  /// - Parameters:
  ///   - key: it is performed after all that were added earlier under the same key; nil: at any time.
  ///   - secrets: none of them is written, wherever it appears in the setup.
  @discardableResult
  public func add(
    _ setup: RunSetup, key: String? = nil, secrets: Set<Secret> = []
  ) async throws(StoreError) -> QueuedOperation {
    try await store.add(setup, key: key, secrets: secrets)
  }

  /// Performs what is waiting until nothing is left that can be done now.
  ///
  /// - Parameters:
  ///   - jobs: how many in parallel.
  ///   - uploader: its journal is replaced by the operation's.
  ///   - sequence: the requests of an operation.
  @discardableResult
  public func drain(
    jobs: Int = 1, by uploader: Uploader,
    _ sequence: @escaping @Sendable (RunSetup) throws -> any OperationRequestSequence
  ) async throws(StoreError) -> QueueSummary {
    try await drain(jobs: jobs) { lease throws(StoreError) in
      var uploader = uploader
      uploader.journal = lease.journal
      let outcome: OperationOutcome
      do {
        outcome = await Self.perform(try sequence(lease.setup), by: uploader)
      } catch {
        outcome = .broken(reason: "\(error)")
      }
      switch outcome {
      case .done: try await lease.journal.end(failure: nil)
      case .failed(let error): try await lease.journal.end(failure: "\(error)")
      case .broken(let reason), .unable(let reason): try await lease.journal.end(failure: reason)
      }
      return outcome
    }
  }

  /// Performs what is waiting until nothing is left that can be done now.
  ///
  /// An error of the store is the operation's that it happened to: it is tried again, and the others are performed. Only
  /// a store that cannot even be told that ends the draining.
  ///
  /// - Parameter perform: performs an operation with the lease's journal, and ends that.
  /// - Throws: the first error of the store that no other worker could make good.
  @discardableResult
  public func drain(
    jobs: Int = 1,
    performing perform: @escaping @Sendable (OperationLease<Store.Journal>) async throws(StoreError) -> OperationOutcome
  ) async throws(StoreError) -> QueueSummary {
    try await store.wake()
    let held = HeldLeases()
    return try await withRenewal(of: held) { () async throws(StoreError) in
      try await workers(jobs, held, perform)
    }
  }

  private func workers(
    _ jobs: Int, _ held: HeldLeases,
    _ perform: @escaping @Sendable (OperationLease<Store.Journal>) async throws(StoreError) -> OperationOutcome
  ) async throws(StoreError) -> QueueSummary {
    let result: Result<QueueSummary, StoreError> = await withTaskGroup(of: Result<QueueSummary, StoreError>.self) {
      workers in
      for _ in 0..<max(1, jobs) { workers.addTask { await work(held, perform) } }
      var total = QueueSummary()
      var failure: StoreError?
      for await result in workers {
        switch result {
        case .success(let summary): total.add(summary)
        case .failure(let error):
          failure = failure ?? error
          workers.cancelAll()
        }
      }
      return failure.map { .failure($0) } ?? .success(total)
    }
    return try result.get()
  }

  private func work(
    _ held: HeldLeases,
    _ perform: @escaping @Sendable (OperationLease<Store.Journal>) async throws(StoreError) -> OperationOutcome
  ) async -> Result<QueueSummary, StoreError> {
    var summary = QueueSummary()
    var pause = Duration.milliseconds(200)
    while !Task.isCancelled {
      do throws(StoreError) {
        switch try await store.lease() {
        case .nothing:
          guard policy.waitsForMore else { return .success(summary) }
          await store.wait(atMost: policy.patience)
        case .wait(let duration):
          guard policy.waitsForMore || duration <= policy.patience else { return .success(summary) }
          await store.wait(atMost: duration)
        case .operation(let lease):
          observe(.began(lease.operation))
          let event: QueueEvent
          do throws(StoreError) {
            event = try await settle(lease, try await held.holding(lease, for: store.leaseDuration, perform))
          } catch {
            event = try await giveBack(lease, after: error)
          }
          summary.count(event)
          observe(event)
        }
        pause = .milliseconds(200)
      } catch {
        // A server that is away for a while comes back, and other workers may reach it.
        switch error.kind {
        case .unreachable where store.leaseDuration != nil: observe(.storeUnreachable(error, again: pause))
        case .leaseLost: break
        case .unreachable, .fatal: return .failure(error)
        }
        try? await clock.sleep(pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
    return .success(summary)
  }

  /// What to do about an operation that was not completed is decided here and nowhere else.
  private func settle(
    _ lease: OperationLease<Store.Journal>, _ outcome: OperationOutcome
  ) async throws(StoreError) -> QueueEvent {
    let operation = lease.operation
    switch outcome {
    case .done: return .done(operation)
    case .broken(let reason):
      try await store.bury(lease.held)
      return .buried(operation, reason: reason, nil)
    case .unable(let reason):
      guard store.leaseDuration != nil else {
        try await store.bury(lease.held)
        return .buried(operation, reason: reason, nil)
      }
      try await store.postpone(lease.held, for: policy.waitForNetwork, because: .interrupted)
      return .handedBack(operation, reason: reason)
    case .failed(let error):
      let (wait, reason): (Duration, PostponeReason)
      if case .cancelled = error.fact {
        (wait, reason) = (.zero, .interrupted)
      } else if error.isUnreachable {
        (wait, reason) = (policy.waitForNetwork, .unreachable)
      } else if error.needsSignIn {
        (wait, reason) = (policy.waitForSignIn, .signIn)
      } else if store.leaseDuration != nil, case .journal(.store)? = error.refusal?.fact {
        // Nothing was sent, because the server of the queue could not be told.
        (wait, reason) = (policy.firstWait, .interrupted)
      } else if error.outcome == .transient, operation.attempts < policy.attempts {
        (wait, reason) = (policy.wait(after: operation.attempts), .failed)
      } else {
        try await store.bury(lease.held)
        return .buried(operation, reason: "\(error)", error)
      }
      try await store.postpone(lease.held, for: wait, because: reason)
      return .postponed(operation, for: wait, error)
    }
  }

  /// An operation whose outcome could not be recorded is tried again: its journal knows what was sent.
  private func giveBack(
    _ lease: OperationLease<Store.Journal>, after error: StoreError
  ) async throws(StoreError) -> QueueEvent {
    let operation = lease.operation
    if case .leaseLost = error { return .unrecorded(operation, error) }
    do throws(StoreError) {
      if operation.attempts < policy.attempts {
        try await store.postpone(lease.held, for: policy.wait(after: operation.attempts), because: .failed)
      } else {
        try await store.bury(lease.held)
      }
    } catch {
      switch error.kind {
      case .leaseLost: break
      // Its lease ends, and somebody takes it over.
      case .unreachable where store.leaseDuration != nil: break
      case .unreachable, .fatal: throw error
      }
    }
    return .unrecorded(operation, error)
  }

  private static func perform(
    _ sequence: some OperationRequestSequence, by uploader: Uploader
  ) async -> OperationOutcome {
    var run = SequenceRun(sequence)
    do {
      try await uploader.run(&run)
      return .done
    } catch {
      return .failed(error)
    }
  }
}

/// When an operation is tried again.
public struct QueuePolicy: Hashable, Sendable {
  /// How often an operation is attempted that fails for a reason that may pass. Each attempt includes the retries of
  /// its steps.
  public var attempts = 5
  /// The wait after the first attempt; it doubles with each.
  public var firstWait: Duration = .seconds(1)
  public var longestWait: Duration = .seconds(60)
  /// The wait when no server could be reached, which does not count as an attempt.
  public var waitForNetwork: Duration = .seconds(60)
  /// The wait when somebody has to sign in first, which does not count as an attempt either.
  public var waitForSignIn: Duration = .seconds(60)
  /// Draining ends when it would have to wait longer than this.
  public var patience: Duration = .seconds(30)
  /// Whether draining goes on, though nothing is left, until its task is cancelled.
  public var waitsForMore = false

  public init() {}

  func wait(after attempts: Int) -> Duration {
    min(longestWait, firstWait * (1 << min(attempts - 1, 20)))
  }
}

/// Something that happened to an operation.
public enum QueueEvent: Sendable {
  case began(QueuedOperation)
  case done(QueuedOperation)
  /// It is tried again after this time.
  case postponed(QueuedOperation, for: Duration, UploadError)
  /// It is a dead letter; without an error it could not begin.
  case buried(QueuedOperation, reason: String, UploadError?)
  /// The store could not record what became of it, or it has become another process's. If it is still this one's, it is
  /// tried again, or is a dead letter after the last attempt.
  case unrecorded(QueuedOperation, StoreError)
  /// It cannot begin here, but perhaps on another machine.
  case handedBack(QueuedOperation, reason: String)
  /// The server of the queue cannot be reached; it is asked again after this time.
  case storeUnreachable(StoreError, again: Duration)
}

/// The result of draining.
public struct QueueSummary: Hashable, Sendable {
  public var done = 0
  /// The number of postponed attempts, each one counted, even if several were of the same operation.
  public var postponed = 0
  public var buried = 0
  /// The number of attempts whose outcome the store could not record.
  public var unrecorded = 0

  public init(done: Int = 0, postponed: Int = 0, buried: Int = 0, unrecorded: Int = 0) {
    (self.done, self.postponed, self.buried, self.unrecorded) = (done, postponed, buried, unrecorded)
  }

  mutating func add(_ other: QueueSummary) {
    done += other.done
    postponed += other.postponed
    buried += other.buried
    unrecorded += other.unrecorded
  }

  mutating func count(_ event: QueueEvent) {
    switch event {
    case .began, .storeUnreachable: break
    case .done: done += 1
    case .postponed, .handedBack: postponed += 1
    case .buried: buried += 1
    case .unrecorded: unrecorded += 1
    }
  }
}

extension UploadError {
  /// Whether no server could be reached.
  fileprivate var isUnreachable: Bool {
    guard outcome != .unknown, case .transport(let error, _) = fact, !error.requestWasSent else { return false }
    switch error.fact {
    case .resolve, .connect, .proxy, .connectTimeout: return true
    case .url, .tls, .firstByteTimeout, .idleTimeout, .timeout, .connectionLost, .truncated, .tooMuch,
      .malformedResponse, .file, .cancelled, .other:
      return false
    }
  }
}
