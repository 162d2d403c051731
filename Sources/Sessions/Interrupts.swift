internal import Synchronization

/// Receives ^C. An interrupt ends the innermost work only: the request, not the prompt.
package final class Interrupts: Sendable {
  private struct State {
    /// What ends each work in progress, the innermost last; nil for one that was already interrupted.
    var levels: [(@Sendable () -> Void)?] = []
    /// Whether an interrupt between two works is kept for the next one.
    var isHeld = false
    var isPending = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the innermost work.
  ///
  /// - Returns: whether there was any, or will be.
  @discardableResult
  package func interrupt() -> Bool {
    let end: (@Sendable () -> Void)? = state.withLock { state in
      if state.levels.isEmpty, state.isHeld, !state.isPending {
        state.isPending = true
        return {}
      }
      guard let index = state.levels.lastIndex(where: { $0 != nil }) else { return nil }
      defer { state.levels[index] = nil }
      return state.levels[index]
    }
    end?()
    return end != nil
  }

  /// Does several works one after another: an interrupt that comes between two of them ends the next.
  package func holding<Result>(_ works: () async -> Result) async -> Result {
    state.withLock { $0.isHeld = true }
    defer {
      state.withLock { state in
        state.isHeld = false
        state.isPending = false
      }
    }
    return await works()
  }

  /// Does the work in a task that an interrupt cancels.
  ///
  /// - Parameter executor: where the task runs best; nil: anywhere.
  package func withCancellation<Result: Sendable>(
    on executor: (any TaskExecutor)? = nil, _ work: sending @escaping () async -> Result
  ) async -> Result {
    let task = Task(executorPreference: executor, operation: work)
    let depth = state.withLock { state in
      state.levels.append { task.cancel() }
      if state.isPending {
        state.isPending = false
        task.cancel()
      }
      return state.levels.count
    }
    defer { state.withLock { state in state.levels.removeLast(max(0, state.levels.count - depth + 1)) } }
    return await task.value
  }
}
