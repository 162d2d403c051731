internal import POSIX
internal import Synchronization
internal import UploaderCore

/// A thread of its own on which all transfers run side by side, and tasks that would rather not wait for another
/// thread.
///
/// libcurl's work never runs on a thread of Swift's concurrency pool. A task whose executor this is starts its transfer
/// and takes the response on the same thread: a change of thread costs as much as a small request.
final class TransferLoop: TaskExecutor {
  /// Identifies one transfer, even before it begins, so that it can be cancelled at any time.
  final class Ticket: Sendable {
    /// Cancellation may arrive before the transfer does.
    fileprivate let isCancelled = Atomic(false)
    /// Where the watchdog has it.
    let place = Atomic(-1)

    var wasCancelled: Bool { isCancelled.load(ordering: .acquiring) }
  }

  /// Work for the thread.
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var new: [NewTransfer] = []
    var cancelled: [Ticket] = []
    var isStopping = false
    /// Whether the thread was started: most programs' first seconds, and some programs, send nothing.
    var hasBegun = false
    /// Whether the thread sleeps, or is about to.
    var isWaiting = false
    /// Whether the thread has ended.
    var isOver = false

    var isEmpty: Bool { jobs.isEmpty && new.isEmpty && cancelled.isEmpty && !isStopping }

    /// Its work is done. There are few of each, and removing all at once costs more than one by one.
    mutating func empty() {
      while jobs.popLast() != nil {}
      while new.popLast() != nil {}
      while cancelled.popLast() != nil {}
    }
  }

  private struct NewTransfer {
    let ticket: Ticket
    /// Whose connections it may use.
    let pool: ConnectionPool.Name
    let make: @Sendable (HeaderFieldCache) -> Transfer
  }

  private let inbox = Mutex(Inbox())
  private let waker = Waker()

  /// Starts a transfer; `make` is called on the loop's thread.
  func submit(_ ticket: Ticket, in pool: ConnectionPool.Name, make: @escaping @Sendable (HeaderFieldCache) -> Transfer)
  {
    let isAccepted = tell { inbox in
      guard !inbox.isOver else { return false }
      inbox.new.append(NewTransfer(ticket: ticket, pool: pool, make: make))
      return true
    }
    if !isAccepted {
      make(HeaderFieldCache()).finish(.failure(TransportError(.other(reason: "no thread could be started"))))
    }
  }

  /// Ends a transfer, whether it has begun or not; one that is already over is left alone.
  func cancel(_ ticket: Ticket) {
    ticket.isCancelled.store(true, ordering: .releasing)
    tell(begins: false) { $0.cancelled.append(ticket) }
  }

  /// Ends the thread; transfers in progress end as cancelled.
  func stop() {
    tell(begins: false) { $0.isStopping = true }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAccepted = tell { inbox in
      if !inbox.isOver { inbox.jobs.append(job) }
      return !inbox.isOver
    }
    if !isAccepted { globalConcurrentExecutor.enqueue(job) }
  }

  @discardableResult
  private func tell<Result>(begins: Bool = true, _ change: (inout sending Inbox) -> sending Result) -> Result {
    let (result, mustWake) = inbox.withLock { inbox in
      if begins, !inbox.hasBegun {
        inbox.hasBegun = true
        inbox.isOver = !SystemThread.detach { self.run() }
      }
      let result = change(&inbox)
      defer { inbox.isWaiting = false }
      return (result, inbox.isWaiting)
    }
    if mustWake { waker.wake() }
    return result
  }

  // MARK: On the thread

  private func run() {
    var pools = ConnectionPools()
    var sockets = SocketSet(waker: waker)
    var work = Inbox()
    let watchdog = Watchdog { [weak self] in self?.inbox.withLock { !$0.isEmpty } ?? true }
    defer { watchdog.stop() }
    while !inbox.withLock({ $0.isStopping }) {
      // A job may add the next one; but those waiting for the network get their turn.
      for _ in 0..<16 where !self.work(&work, with: &pools, watchdog) { break }
      let pause = pools.all.lazy.map { $0.pause }.min() ?? .seconds(60)
      let mayWait = inbox.withLock { inbox in
        inbox.isWaiting = inbox.isEmpty
        return inbox.isWaiting
      }
      sockets.wait(for: pools.all, atMost: mayWait ? pause : .zero)
      inbox.withLock { $0.isWaiting = false }
      sockets.act(on: pools.all)
      for pool in pools.all { pool.expire() }
    }
    for pool in pools.all { pool.close() }
    // Tasks whose transfers ended just now are resumed, and may begin other transfers.
    while !end() { _ = self.work(&work, with: &pools, watchdog) }
  }

  /// Does what is in the inbox.
  ///
  /// - Parameter work: empty; it keeps its memory from turn to turn.
  /// - Returns: whether there was anything.
  private func work(
    _ work: inout Inbox, with pools: inout ConnectionPools, _ watchdog: Watchdog
  ) -> Bool {
    defer { work.empty() }
    inbox.withLock { inbox in
      swap(&inbox.jobs, &work.jobs)
      swap(&inbox.new, &work.new)
      swap(&inbox.cancelled, &work.cancelled)
      work.isStopping = inbox.isStopping
    }
    for job in work.jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    for new in work.new {
      let pool = pools.pool(new.pool, watchdog)
      let transfer = new.make(pool.fieldCache)
      guard !work.isStopping, !new.ticket.isCancelled.load(ordering: .acquiring) else {
        transfer.finish(.failure(TransportError(.cancelled)))
        continue
      }
      pool.start(transfer, for: new.ticket)
    }
    for ticket in work.cancelled {
      for pool in pools.all { pool.cancel(ticket) }
    }
    return !work.isEmpty
  }

  /// - Returns: whether nothing was left to do. After that no new work is accepted.
  private func end() -> Bool {
    inbox.withLock { inbox in
      inbox.isOver = inbox.jobs.isEmpty && inbox.new.isEmpty
      return inbox.isOver
    }
  }
}
