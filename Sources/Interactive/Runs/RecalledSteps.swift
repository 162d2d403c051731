internal import Requests
internal import Synchronization

/// Which steps of a run were in its journal, so that they were not sent.
final class RecalledSteps: Sendable {
  private let positions = Mutex<Set<StepPosition>>([])

  func insert(_ position: StepPosition) {
    positions.withLock { _ = $0.insert(position) }
  }

  func contain(_ position: StepPosition) -> Bool {
    positions.withLock { $0.contains(position) }
  }
}
