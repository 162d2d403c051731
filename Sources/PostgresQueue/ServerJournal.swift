package import Requests
package import RunStore
internal import Synchronization
package import UploaderCore

/// The journal of an operation that a server keeps. What it remembers and when it refuses is `RunJournal`'s, which
/// writes to `ServerRecords`; what that one has of steps that must not happen twice is on the server before they are
/// sent, in one commit that says that they may have been sent.
package final class ServerJournal: OperationJournal, RenewedJournal {
  private struct State {
    /// Until when nobody else has the operation.
    var until: ContinuousClock.Instant
    var isLost = false
    /// Whether outcomes will be told without anybody asking.
    var isTimed = false
  }

  private let journal: RunJournal
  private let records: ServerRecords
  private let lease: HeldLease
  private let turns: ServerTurns
  private let bodies: ServerBodies
  private let state: Mutex<State>

  init(
    _ journal: RunJournal, in records: ServerRecords, _ lease: HeldLease, turns: ServerTurns, bodies: ServerBodies,
    until: ContinuousClock.Instant
  ) {
    self.journal = journal
    self.records = records
    self.lease = lease
    self.turns = turns
    self.bodies = bodies
    state = Mutex(State(until: until))
  }

  package var id: String { journal.id }

  /// It was renewed.
  package func extend(until: ContinuousClock.Instant) { state.withLock { $0.until = until } }

  package func learn(_ secrets: Set<Secret>) { journal.learn(secrets) }

  package func enter(loop position: StepPosition) { journal.enter(loop: position) }

  package func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? { try journal.recall(step) }

  package func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed {
    journal.moment(at: position, now)
  }

  package func skip(_ position: StepPosition, label: String?, reason: String) {
    journal.skip(position, label: label, reason: reason)
  }

  package func intend(_ step: JournalledStep) async throws(JournalError) {
    try journal.intend(step)
    guard step.needsIntent else { return }
    try journal.send(step)
    do throws(StoreError) {
      let (isLost, until) = state.withLock { ($0.isLost, $0.until) }
      guard !isLost, ContinuousClock.now < until else { throw .leaseLost(lease.number) }
      try await tell()
      // The reply may have come too late.
      guard state.withLock({ ContinuousClock.now < $0.until }) else { throw .leaseLost(lease.number) }
    } catch {
      throw .store(reason: "\(error)")
    }
  }

  /// The server knows it already.
  package func send(_ step: JournalledStep) throws(JournalError) {}

  /// The server is told with the next step, with the end, or shortly after, whatever comes first.
  package func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) async {
    journal.finish(step, outcome)
    guard step.needsIntent else { return }
    let isFirst = state.withLock { state in
      defer { state.isTimed = true }
      return !state.isTimed
    }
    guard isFirst else { return }
    Task.detached { [self] in
      try? await Task.sleep(for: .milliseconds(20))
      state.withLock { $0.isTimed = false }
      await tellOutcomes()
    }
  }

  /// Tries until the lease ends; then whoever has the operation next knows only that it may have been sent.
  private func tellOutcomes() async {
    while records.hasNews, !state.withLock(\.isLost) {
      do throws(StoreError) {
        return try await tell()
      } catch {
        let isOver = state.withLock { ContinuousClock.now >= $0.until }
        guard error.kind == .unreachable, !isOver else { return state.withLock { $0.isLost = true } }
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  package func end(failure: String?) async throws(StoreError) {
    try journal.end(failure: failure)
    do throws(StoreError) {
      if let failure {
        try await tell(failure: journal.concealed(failure))
      } else {
        try await turns.tell(
          ServerTurns.News(operation: lease.number, fence: lease.fence, records: records, isComplete: true))
      }
      state.withLock { $0.isLost = true }
    } catch {
      // Whoever has it next is to know what came of it.
      if error.kind == .unreachable { Task.detached { [self] in await tellOutcomes() } }
      throw error
    }
  }

  private func tell(failure: String? = nil) async throws(StoreError) {
    for (digest, body) in records.takeBodies() { try await bodies.put(digest, body) }
    try await turns.tell(
      ServerTurns.News(operation: lease.number, fence: lease.fence, records: records, failure: failure))
  }
}
