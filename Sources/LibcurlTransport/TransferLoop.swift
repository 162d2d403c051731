internal import POSIX
internal import Synchronization
internal import UploaderCore

/// A thread of its own on which all transfers run side by side, and tasks that would rather not wait for another
/// thread.
///
/// libcurl's work never runs on a thread of Swift's concurrency pool. A task whose executor this is starts its transfer
/// and takes the response on the same thread: a change of thread costs as much as a small request.
final class TransferLoop: TaskExecutor {
  /// What one transfer is to do. It identifies the transfer, even before it begins, so that it can be cancelled at any
  /// time.
  final class Ticket: RunCancellation.Work {
    private let loop: TransferLoop
    let request: TransportRequest
    let url: ParsedURL
    let progress: @Sendable (TransferProgress) -> Void
    /// Asked when the connection is open, before anything of the request is sent.
    let beforeFirstByte: (@Sendable () throws(TransportError) -> Void)?
    /// Looks at the response while it comes; nil: nobody does.
    let watcher: (any ResponseWatcher)?
    /// Cancellation may arrive before the transfer does.
    private let isCancelled = Atomic(false)
    /// Where the watchdog has it.
    let place = Atomic(-1)

    init(
      _ loop: TransferLoop, _ request: TransportRequest, to url: ParsedURL,
      beforeFirstByte: (@Sendable () throws(TransportError) -> Void)?, watcher: (any ResponseWatcher)?,
      progress: @escaping @Sendable (TransferProgress) -> Void
    ) {
      self.loop = loop
      self.request = request
      self.url = url
      self.beforeFirstByte = beforeFirstByte
      self.watcher = watcher
      self.progress = progress
    }

    var wasCancelled: Bool { isCancelled.load(ordering: .acquiring) }

    /// Ends the transfer, whether it has begun or not; one that is already over is left alone.
    func cancel() {
      isCancelled.store(true, ordering: .releasing)
      // After its end, the thread would keep this, and this the thread.
      loop.tell(begins: false) { if !$0.isOver { $0.cancelled.append(self) } }
    }
  }

  /// Who waits for the end of a transfer.
  typealias Waiter = UnsafeContinuation<Result<TransportResponse, TransportError>, Never>

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
    let waiter: Waiter
  }

  private let inbox = Mutex(Inbox())
  private let waker = Waker()

  /// Starts a transfer.
  func submit(_ ticket: Ticket, for waiter: Waiter) {
    let isAccepted = tell { inbox in
      guard !inbox.isOver else { return false }
      inbox.new.append(NewTransfer(ticket: ticket, waiter: waiter))
      return true
    }
    if !isAccepted {
      waiter.resume(returning: .failure(TransportError(.other(reason: "no thread could be started"))))
    }
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
      guard !work.isStopping, !new.ticket.wasCancelled else {
        new.waiter.resume(returning: .failure(TransportError(.cancelled)))
        continue
      }
      pools.pool(for: new.ticket, watchdog).add(new.ticket, for: new.waiter)
    }
    if !work.new.isEmpty { for pool in pools.all { pool.begin() } }
    for ticket in work.cancelled {
      for pool in pools.all { pool.cancel(ticket) }
    }
    return !work.isEmpty
  }

  /// - Returns: whether nothing was left to do. After that no new work is accepted.
  private func end() -> Bool {
    inbox.withLock { inbox in
      inbox.isOver = inbox.jobs.isEmpty && inbox.new.isEmpty
      if inbox.isOver { inbox.cancelled = [] }
      return inbox.isOver
    }
  }
}
