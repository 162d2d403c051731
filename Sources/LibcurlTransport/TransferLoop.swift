internal import CCurl
internal import Requests
internal import Synchronization
internal import UploaderCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A thread of its own with a connection pool of its own, in which transfers run side by side.
///
/// libcurl blocks, so it never runs on a thread that Swift's concurrency needs.
final class TransferLoop: Sendable {
  /// Names one transfer, from before it begins, so that it can be cancelled at any moment.
  final class Ticket: Hashable, Sendable {
    /// Cancelling may come before the transfer does.
    fileprivate let isCancelled = Atomic(false)

    static func == (left: Ticket, right: Ticket) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// What other threads want of this one.
  private struct Inbox {
    var new: [(Ticket, @Sendable () -> Transfer)] = []
    var cancelled: Set<Ticket> = []
    var isStopping = false
  }

  /// SAFETY: `curl_multi_wakeup` is the one call other threads make on it, and libcurl allows that;
  /// all others are made by the loop's thread. It is freed by that thread as its last act, after `isStopping`
  /// was set, and `wake` is not called after that.
  private nonisolated(unsafe) let multi: OpaquePointer?
  private let inbox = Mutex(Inbox())

  init() {
    let multi = curl_multi_init().map { OpaquePointer($0) }
    self.multi = multi
    let worker = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, worker.toOpaque())
    if failure == 0 {
      pthread_detach(thread)
    } else {
      worker.release()
      inbox.withLock { $0.isStopping = true }
    }
  }

  /// Starts a transfer; `make` is called on the loop's thread.
  func submit(_ ticket: Ticket, make: @escaping @Sendable () -> Transfer) {
    inbox.withLock { inbox in
      inbox.new.append((ticket, make))
      wake()
    }
  }

  /// Ends a transfer, whether it has begun or not; one that is over already is left alone.
  func cancel(_ ticket: Ticket) {
    ticket.isCancelled.store(true, ordering: .releasing)
    inbox.withLock { inbox in
      inbox.cancelled.insert(ticket)
      wake()
    }
  }

  /// Ends the thread; transfers under way end as cancelled.
  func stop() {
    inbox.withLock { inbox in
      inbox.isStopping = true
      wake()
    }
  }

  private func wake() {
    if let multi { curl_multi_wakeup(UnsafeMutableRawPointer(multi)) }
  }

  private func run() {
    let multi = multi.map { UnsafeMutableRawPointer($0) }
    var active: [Ticket: Transfer] = [:]
    var certificates: [String: Certificate] = [:]
    while true {
      let work = inbox.withLock { inbox in
        defer {
          inbox.new = []
          inbox.cancelled = []
        }
        return inbox
      }
      for (ticket, make) in work.new {
        let transfer = make()
        guard !ticket.isCancelled.load(ordering: .acquiring), !work.isStopping else {
          transfer.finish(.failure(TransportError(.cancelled)))
          continue
        }
        if transfer.start(in: multi) { active[ticket] = transfer }
      }
      for ticket in work.isStopping ? Set(active.keys) : work.cancelled {
        active.removeValue(forKey: ticket)?.cancel(in: multi)
      }
      if work.isStopping { break }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      reap(&active, from: multi, certificates: &certificates)
      curl_multi_poll(multi, nil, 0, expire(&active, from: multi), nil)
    }
    curl_multi_cleanup(multi)
  }

  /// Ends the transfers that have waited too long.
  ///
  /// - Returns: how long there is time until the next, in milliseconds.
  private func expire(_ active: inout [Ticket: Transfer], from multi: UnsafeMutableRawPointer?) -> Int32 {
    let now = ContinuousClock.now
    var pause: Duration = .seconds(60)
    for (ticket, transfer) in active {
      guard let deadline = transfer.deadline else { continue }
      if deadline.instant <= now {
        active.removeValue(forKey: ticket)?.expire(deadline.fact, in: multi)
      } else {
        pause = min(pause, deadline.instant - now)
      }
    }
    return Int32(pause / .milliseconds(1)) + 1
  }

  private func reap(
    _ active: inout [Ticket: Transfer], from multi: UnsafeMutableRawPointer?,
    certificates: inout [String: Certificate]
  ) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      let handle = curl_message_handle(message)
      let result = curl_message_result(message)
      guard let entry = active.first(where: { $0.value.isUsing(handle) }) else { continue }
      active[entry.key] = nil
      entry.value.complete(result, in: multi, certificates: &certificates)
    }
  }
}
