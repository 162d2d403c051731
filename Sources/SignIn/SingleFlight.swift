internal import Synchronization

/// Does something once for all who want its result at the same time.
final class SingleFlight<Key: Hashable & Sendable, Success: Sendable, Failure: Error>: Sendable {
  private let flights = Mutex<[Key: Task<Result<Success, Failure>, Never>]>([:])

  /// The result of what is in progress for that key, or else of what is begun now.
  func result(
    for key: Key, _ work: @escaping @Sendable () async -> Result<Success, Failure>
  ) async -> Result<Success, Failure> {
    let task = flights.withLock { flights in
      if let task = flights[key] { return task }
      let task = Task<Result<Success, Failure>, Never> {
        let result = await work()
        self.flights.withLock { $0[key] = nil }
        return result
      }
      flights[key] = task
      return task
    }
    // Whoever interrupts one of them means all.
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
