internal import Synchronization

/// Ends what a run is waiting for when its task is cancelled.
///
/// To watch a task costs as much as to begin a transfer, so a run does it once, and each of its transfers is here while it
/// lasts.
public final class RunCancellation: Sendable {
  /// What can be ended from any thread, whether it has begun or not.
  public protocol Work: AnyObject, Sendable {
    /// Ends it; what has ended is left alone.
    func cancel()
  }

  private struct State {
    var isCancelled = false
    var work: (any Work)?
  }

  private let state = Mutex(State())

  /// One of a run that is not cancelled.
  public init() {}

  /// Whether the task of the run was cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The run waits for this until ``end()``. It is cancelled at once if the run was.
  public func begin(_ work: any Work) {
    let isCancelled = state.withLock { state in
      state.work = work
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// The run waits for it no longer.
  public func end() {
    state.withLock { $0.work = nil }
  }

  /// The task of the run was cancelled.
  public func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    work?.cancel()
  }
}
