internal import Requests
internal import RunStore
internal import UploaderCore

/// What a recorded run did.
struct RecordedSteps {
  /// Gives its answers.
  let journal: ReplayJournal
  /// Where a request may have taken effect and no answer came.
  let unknown: Set<StepPosition>

  init(_ run: RecordedRun, in store: RunStore) throws(StoreError) {
    let steps = try store.steps(of: run)
    journal = ReplayJournal(steps, moments: try store.moments(of: run))
    unknown = Set(steps.filter { $0.state == .sent || $0.state == .unknown }.map(\.position))
  }
}
