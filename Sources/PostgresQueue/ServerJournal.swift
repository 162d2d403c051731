package import Requests
package import RunStore
internal import Synchronization
package import UploaderCore

/// The journal of an operation that a server keeps. What it remembers and when it refuses is `RunJournal`'s; what that
/// one writes about steps that must not happen twice is on the server before they are sent, in one commit that says
/// that they may have been sent.
package final class ServerJournal: OperationJournal, RenewedJournal {
  private struct State {
    /// What the server has.
    var known: [String: String]
    /// Until when nobody else has the operation.
    var until: ContinuousClock.Instant
    var isLost = false
  }

  private let local: RunJournal
  private let scratch: RunStore
  private let operation: Int
  private let fence: Int
  private let connection: ServerConnection
  private let state: Mutex<State>

  init(
    _ local: RunJournal, in scratch: RunStore, known: [String: String], operation: Int, fence: Int,
    by connection: ServerConnection, until: ContinuousClock.Instant
  ) {
    self.local = local
    self.scratch = scratch
    self.operation = operation
    self.fence = fence
    self.connection = connection
    state = Mutex(State(known: known, until: until))
  }

  deinit { scratch.forget(local) }

  package var id: String { local.id }

  /// It was renewed.
  package func extend(until: ContinuousClock.Instant) { state.withLock { $0.until = until } }

  package func learn(_ secrets: Set<Secret>) { local.learn(secrets) }

  package func enter(loop position: StepPosition) { local.enter(loop: position) }

  package func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? { try local.recall(step) }

  package func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed { local.moment(at: position, now) }

  package func skip(_ position: StepPosition, label: String?, reason: String) {
    local.skip(position, label: label, reason: reason)
  }

  package func intend(_ step: JournalledStep) async throws(JournalError) {
    try local.intend(step)
    guard step.needsIntent else { return }
    try local.send(step)
    do throws(StoreError) {
      let (isLost, until) = state.withLock { ($0.isLost, $0.until) }
      guard !isLost, ContinuousClock.now < until else { throw .leaseLost(operation) }
      try await write()
    } catch {
      throw .store(reason: "\(error)")
    }
  }

  /// The server knows it already.
  package func send(_ step: JournalledStep) throws(JournalError) {}

  package func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) async {
    local.finish(step, outcome)
    guard step.needsIntent else { return }
    while true {
      do throws(StoreError) {
        return try await write()
      } catch {
        // Until the lease ends; then whoever has the operation next knows only that it may have been sent.
        let isOver = state.withLock { ContinuousClock.now >= $0.until }
        guard error.kind == .unreachable, !isOver else { return state.withLock { $0.isLost = true } }
        // Also when the task was cancelled.
        await Task.detached { try? await Task.sleep(for: .milliseconds(200)) }.value
      }
    }
  }

  package func end(failure: String?) async throws(StoreError) {
    try local.end(failure: failure)
    guard let failure else {
      _ = try await connection.ask("SELECT workbench.complete($1, $2)", ["\(operation)", "\(fence)"])
      return
    }
    try await write(failure: local.concealed(failure))
  }

  /// Tells the server what is new.
  private func write(failure: String? = nil) async throws(StoreError) {
    let records = try scratch.records(of: local)
    let known = state.withLock(\.known)
    let new = records.filter { known[$0.key] != $0.value }
    let removed = known.keys.filter { records[$0] == nil }
    for digest in RunStore.largeBodies(in: new) {
      try await ServerBodies(operation, connection).put(digest, of: scratch)
    }
    _ = try await connection.ask(
      "SELECT workbench.record($1, $2, $3, $4, $5, $6)",
      [
        "\(operation)", "\(fence)", Self.array(new.map(\.key)), Self.array(new.map(\.value)), Self.array(removed),
        failure,
      ])
    state.withLock { $0.known = records }
  }

  private static func array(_ texts: [String]) -> String {
    let quoted = texts.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
    return "{\(quoted.joined(separator: ","))}"
  }
}
