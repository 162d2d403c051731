internal import HTTPTypes
package import Requests
internal import Synchronization
package import UploaderCore

/// The journal of the run of one row. Its steps are not recorded, only that something may have been sent that must not
/// happen twice, before it is sent; and what became of that.
package final class RowJournal: StepJournal {
  private struct State {
    var isBegun = false
    var mayHaveHappened = false
    var isUnknown = false
    /// The steps whose first byte has left and that got no response.
    var sent: Set<StepPosition> = []
  }

  private let ledger: RowLedger?
  private let row: Int
  private let digest: [UInt8]
  private let state = Mutex(State())

  /// - Parameter ledger: nil: nothing is recorded.
  package init(_ ledger: RowLedger?, row: Int, digest: [UInt8]) {
    self.ledger = ledger
    self.row = row
    self.digest = digest
  }

  /// What the failure of the row means; nil: nothing of it was sent that must not happen twice, and it counts as not
  /// begun if somebody ended it.
  package func state(afterFailure isInterruption: Bool) -> RowOutcome.State? {
    state.withLock { state in
      if state.isUnknown { return .unknown }
      if state.mayHaveHappened { return .partial }
      return isInterruption ? nil : .failed
    }
  }

  /// Whether it was marked as begun.
  package var isBegun: Bool { state.withLock(\.isBegun) }

  package func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? { nil }

  package func intend(_ step: JournalledStep) async throws(JournalError) {
    guard step.needsIntent, let ledger, !state.withLock(\.isBegun) else { return }
    do throws(StoreError) {
      try await ledger.begin(row, digest: digest)
    } catch {
      throw JournalError(error)
    }
    state.withLock { $0.isBegun = true }
  }

  /// The mark says already that it may have been sent.
  package func send(_ step: JournalledStep) throws(JournalError) {
    state.withLock { state in _ = state.sent.insert(step.position) }
  }

  package func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) {
    guard step.needsIntent else { return }
    switch outcome {
    case .received(let exchange, _, _):
      let statuses = exchange.redirects.map(\.response.status.code) + [exchange.response.status.code]
      state.withLock { state in
        state.sent.remove(step.position)
        if RecordedResponse.mayBeDone(statuses) { state.mayHaveHappened = true }
      }
    case .failed(let error):
      state.withLock { state in
        if state.sent.contains(step.position) || error.outcome == .unknown { state.isUnknown = true }
      }
    }
  }

  package func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed { now() }

  package func skip(_ position: StepPosition, label: String?, reason: String) {}
}
