internal import Synchronization

/// Where ^C arrives. An interrupt ends the innermost work only: the request, not the prompt.
public final class Interrupts: Sendable {
  private let levels = Mutex<[@Sendable () -> Void]>([])

  public init() {}

  /// Ends the innermost work.
  ///
  /// - Returns: whether there was any.
  @discardableResult
  public func interrupt() -> Bool {
    let innermost = levels.withLock { $0.popLast() }
    innermost?()
    return innermost != nil
  }

  /// Does the work in a task that an interrupt cancels.
  public func withCancellation<Result: Sendable>(
    _ work: sending @escaping @isolated(any) () async -> Result
  ) async -> Result {
    let task = Task(operation: work)
    let depth = levels.withLock { levels in
      levels.append { task.cancel() }
      return levels.count
    }
    defer { levels.withLock { levels in levels.removeLast(max(0, levels.count - depth + 1)) } }
    return await task.value
  }
}
