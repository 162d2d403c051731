internal import GRDB
internal import POSIX
internal import Requests
internal import Synchronization
internal import UploaderCore

/// Records what becomes of the rows of a file, many in one commit.
///
/// A row whose request must not happen twice waits until its mark is on the disk; all rows that wait at the same time
/// are marked by one commit. What became of rows is written with the next marks, or within 50 milliseconds.
package final class RowLedger: Sendable {
  private enum Change {
    case outcome(RowOutcome)
    /// Nothing was sent, so that it is as if it had never begun.
    case withdrawn
  }

  private typealias Waiter = (row: Int, digest: [UInt8], reply: CheckedContinuation<StoreError?, Never>)

  private struct State {
    var waiters: [Waiter] = []
    var changes: [(row: Int, change: Change)] = []
    /// When the oldest change came.
    var since: ContinuousClock.Instant?
    /// Until when nothing is tried again that failed.
    var pause: ContinuousClock.Instant?
    var flushers: [CheckedContinuation<StoreError?, Never>] = []
    var isAsleep = false
    /// How many outcomes this run has.
    var count: Int
    var failure: StoreError?

    /// Whether somebody continues only after it has written.
    var hasWaiting: Bool { !waiters.isEmpty || !flushers.isEmpty }
  }

  private static let interval = Duration.milliseconds(50)
  private static let most = 500

  private let store: RunStore
  private let run: Int64
  package let id: String
  private let clock: UploadClock
  private let bell: Bell
  private let state: Mutex<State>

  /// - Parameter count: how many outcomes the run has by now.
  init(store: RunStore, run: Int64, id: String, count: Int, clock: UploadClock) throws(StoreError) {
    self.store = store
    self.run = run
    self.id = id
    self.clock = clock
    guard let bell = Bell() else { throw .unusable(path: store.directory.path, reason: .current) }
    self.bell = bell
    state = Mutex(State(count: count))
    let work: @Sendable () -> Void = { [weak self, bell] in
      while Self.turn(of: { self }, bell) {}
    }
    guard SystemThread.detach(work) else {
      throw .unusable(path: store.directory.path, reason: .current)
    }
  }

  deinit { bell.close() }

  /// Why something could not be written; nothing should be sent any more.
  package var failure: StoreError? { state.withLock(\.failure) }

  /// Marks a row of which something is about to be sent that must not happen twice. It is on the disk when this returns.
  func begin(_ row: Int, digest: [UInt8]) async throws(StoreError) {
    let failure = await withCheckedContinuation { reply in
      wakeIfNeeded { $0.waiters.append((row, digest, reply)) }
    }
    if let failure { throw failure }
  }

  /// Notes what became of a row.
  package func record(_ outcome: RowOutcome, of row: Int) { note(.outcome(outcome), of: row) }

  /// Forgets that a row was begun, since nothing of it was sent.
  package func withdraw(_ row: Int) { note(.withdrawn, of: row) }

  private func note(_ change: Change, of row: Int) {
    wakeIfNeeded { state in
      state.changes.append((row, change))
      if state.since == nil { state.since = .now }
    }
  }

  private func wakeIfNeeded(_ change: (inout State) -> Void) {
    let mustWake = state.withLock { state in
      let wasEmpty = state.since == nil
      change(&state)
      // It looks by itself when the oldest change is due.
      let isEarlier = wasEmpty || state.hasWaiting || state.changes.count == Self.most
      guard state.isAsleep, isEarlier else { return false }
      state.isAsleep = false
      return true
    }
    if mustWake { bell.ring() }
  }

  /// Writes what is not written yet.
  package func flush() async throws(StoreError) {
    let failure = await withCheckedContinuation { reply in wakeIfNeeded { $0.flushers.append(reply) } }
    if let failure { throw failure }
  }

  /// The run is over: all rows have an outcome (nil), or why not.
  package func end(failure: String?) async throws(StoreError) {
    try await flush()
    let count = state.withLock(\.count)
    let state: RecordedRun.State = failure == nil ? .done : .failed
    try store.write(.durable) { database in
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, failure = ?, steps = ? WHERE run = ?",
        arguments: [state.rawValue, clock.now().wholeMicroseconds, failure, count, run])
    }
  }

  // MARK: On its own thread

  /// - Returns: whether another one follows.
  private static func turn(of ledger: () -> RowLedger?, _ bell: Bell) -> Bool {
    guard let wait = ledger()?.writeIfDue() else {
      return false
    }
    return wait == .zero || bell.wait(wait)
  }

  /// - Returns: when to look again; zero: at once.
  private func writeIfDue() -> Duration {
    let now = ContinuousClock.now
    enum Next {
      case wait(Duration)
      case write([Waiter], [(row: Int, change: Change)], [CheckedContinuation<StoreError?, Never>])
    }
    let next: Next = state.withLock { state in
      if !state.hasWaiting {
        let age = state.since.map { now - $0 } ?? .zero
        let left = max(Self.interval - age, state.pause.map { $0 - now } ?? .zero)
        let isDue = state.changes.count >= Self.most ? state.pause == nil : left <= .zero
        if state.changes.isEmpty || !isDue {
          state.isAsleep = true
          return .wait(state.changes.isEmpty ? .seconds(3_600) : max(left, .milliseconds(1)))
        }
      }
      state.isAsleep = false
      defer { (state.waiters, state.changes, state.flushers, state.since) = ([], [], [], nil) }
      return .write(state.waiters, state.changes, state.flushers)
    }
    switch next {
    case .wait(let wait): return wait
    case .write(let waiters, let changes, let flushers):
      let failure = write(waiters, changes)
      for waiter in waiters { waiter.reply.resume(returning: failure) }
      for flusher in flushers { flusher.resume(returning: failure) }
      return .zero
    }
  }

  private func write(_ waiters: [Waiter], _ changes: [(row: Int, change: Change)]) -> StoreError? {
    if waiters.isEmpty, changes.isEmpty { return state.withLock(\.failure) }
    let outcomes = changes.count { if case .outcome = $0.change { true } else { false } }
    let count = state.withLock { $0.count + outcomes }
    do throws(StoreError) {
      try store.write(waiters.isEmpty ? .relaxed : .durable) { database in
        for waiter in waiters {
          try RunStore.put(RowOutcome(.begun, digest: waiter.digest), of: waiter.row, run: run, in: database)
        }
        for (row, change) in changes {
          switch change {
          case .outcome(let outcome): try RunStore.put(outcome, of: row, run: run, in: database)
          case .withdrawn:
            try database.cachedStatement(sql: "DELETE FROM bulk_rows WHERE run = ? AND row = ? AND state = 0")
              .execute(arguments: [run, row])
          }
        }
        if outcomes > 0 { try RunStore.put(count, at: clock.now(), run: run, in: database) }
        // What becomes of these rows can be written even if the disk is full by then.
        if !waiters.isEmpty { try store.reserveOutcome(waiters.count * 1_024) }
      }
      state.withLock { state in
        state.count = count
        state.pause = nil
      }
      return nil
    } catch {
      store.releaseReserve()
      state.withLock { state in
        state.failure = state.failure ?? error
        // These are tried again; marks are not, since nothing is sent for them.
        state.changes = changes + state.changes
        state.since = state.changes.isEmpty ? nil : .now
        state.pause = .now + Self.interval
      }
      return error
    }
  }
}
