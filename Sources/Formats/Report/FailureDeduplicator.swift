internal import Presentation
internal import Requests
internal import Synchronization
package import UploaderCore

/// Why steps failed, so that a loop in which many fail for one reason reports it once.
package final class FailureDeduplicator: Sendable {
  private struct Cause: Hashable {
    let message: String
    let place: TextPlace?
  }

  private struct State {
    /// How often each occurred again.
    var repetitions: [Cause: Int] = [:]
    /// In the order in which they were reported.
    var order: [Cause] = []
  }

  private let state = Mutex(State())

  /// - Returns: whether it has not been reported yet.
  package func insert(_ error: UploadError, _ message: String) -> Bool {
    let cause = Cause(message: message, place: error.place)
    return state.withLock { state in
      guard let count = state.repetitions[cause] else {
        state.repetitions[cause] = 0
        state.order.append(cause)
        return true
      }
      state.repetitions[cause] = count + 1
      return false
    }
  }

  /// What to report of those that occurred again.
  package var repetitions: [String] {
    let told = state.withLock { state in state.order.map { ($0.message, state.repetitions[$0] ?? 0) } }
    return told.filter { $0.1 > 0 }.map { message, count in
      "and \(NumberFormat.grouped(count)) more \(count == 1 ? "time" : "times"): \(message)"
    }
  }
}
