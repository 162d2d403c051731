internal import Dispatch
internal import Synchronization

/// Runs tasks one after another on the thread that calls ``run()``.
package final class ThreadExecutor: TaskExecutor {
  private struct Inbox {
    var jobs: [UnownedJob] = []
    /// Whether the thread sleeps, or is about to.
    var isWaiting = false
  }

  private let inbox = Mutex(Inbox())
  private let added = DispatchSemaphore(value: 0)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isWaiting = false }
      return inbox.isWaiting
    }
    if mustWake { added.signal() }
  }

  /// Runs what comes, for ever.
  package func run() -> Never {
    var jobs: [UnownedJob] = []
    while true {
      inbox.withLock { inbox in
        swap(&inbox.jobs, &jobs)
        inbox.isWaiting = jobs.isEmpty
      }
      if jobs.isEmpty { added.wait() }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      jobs.removeAll(keepingCapacity: true)
    }
  }
}
