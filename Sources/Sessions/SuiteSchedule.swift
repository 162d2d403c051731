/// Does many works, some of them at the same time.
package struct SuiteSchedule: Sendable {
  /// How many at once.
  package var jobs: Int
  /// Whether no work begins after one that failed.
  package var stopsAtFailure: Bool

  package init(jobs: Int, stopsAtFailure: Bool) {
    self.jobs = max(1, jobs)
    self.stopsAtFailure = stopsAtFailure
  }

  /// The works begin in their order. ^C ends those that have begun, and no other begins.
  ///
  /// - Parameter work: does the work of this number, until its interrupts come; returns whether it succeeded.
  /// - Returns: which of them did not begin.
  package func perform(
    _ count: Int, interrupts: Interrupts, _ work: @escaping @Sendable (Int, Interrupts) async -> Bool
  ) async -> Range<Int> {
    await interrupts.withCancellation { [self] in
      await withTaskGroup(of: Bool.self) { group in
        var next = 0
        func begin() {
          let number = next
          next += 1
          group.addTask {
            let own = Interrupts()
            return await withTaskCancellationHandler {
              await work(number, own)
            } onCancel: {
              own.interrupt()
            }
          }
        }
        while next < min(jobs, count), !Task.isCancelled { begin() }
        var hasFailed = false
        while let succeeded = await group.next() {
          hasFailed = hasFailed || !succeeded
          if next < count, !Task.isCancelled, !(hasFailed && stopsAtFailure) { begin() }
        }
        return next..<count
      }
    }
  }
}
