internal import Requests
internal import Synchronization

/// The leases that a process holds. One that was lost, or could not be renewed in time, ends what is done with it:
/// whatever it would still do may be somebody else's by then.
final class HeldLeases: Sendable {
  private struct Entry {
    let lease: HeldLease
    var until: ContinuousClock.Instant
    var end: (@Sendable () -> Void)?
    /// Tells its journal.
    let extend: @Sendable (ContinuousClock.Instant) -> Void
  }

  private let entries = Mutex<[HeldLease: Entry]>([:])

  /// Performs the operation in a task that ends with the lease.
  ///
  /// - Parameter duration: nil: the lease lasts as long as the process.
  func holding<Journal>(
    _ lease: OperationLease<Journal>, for duration: Duration?,
    _ perform: @escaping @Sendable (OperationLease<Journal>) async throws(StoreError) -> OperationOutcome
  ) async throws(StoreError) -> OperationOutcome {
    guard let duration else { return try await perform(lease) }
    let task = Task {
      do throws(StoreError) {
        return Result<OperationOutcome, StoreError>.success(try await perform(lease))
      } catch {
        return .failure(error)
      }
    }
    let journal = lease.journal as? any RenewedJournal
    let entry = Entry(
      lease: lease.held, until: .now + duration, end: { task.cancel() }, extend: { journal?.extend(until: $0) })
    entries.withLock { $0[lease.held] = entry }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    let wasLost = entries.withLock { $0.removeValue(forKey: lease.held) }?.end == nil
    if wasLost { throw .leaseLost(lease.operation.number) }
    return try result.get()
  }

  var all: [HeldLease] { entries.withLock { Array($0.keys) } }

  /// - Parameter until: until when those in `kept` are this process's; of the others that were asked for, none is.
  func renewed(_ asked: [HeldLease], _ kept: Set<Int>, until: ContinuousClock.Instant) {
    let ends = entries.withLock { entries in
      asked.compactMap { lease -> (@Sendable () -> Void)? in
        guard var entry = entries[lease] else { return nil }
        if kept.contains(lease.number) {
          entry.until = until
          entry.extend(until)
          entries[lease] = entry
          return nil
        }
        let end = entry.end
        entry.end = nil
        entries[lease] = entry
        return end
      }
    }
    for end in ends { end() }
  }

  /// Ends what is done with leases that are about to end.
  func endOverdue(_ now: ContinuousClock.Instant, margin: Duration) {
    let ends = entries.withLock { entries in
      entries.values.filter { $0.until - margin <= now }.compactMap { entry -> (@Sendable () -> Void)? in
        entries[entry.lease]?.end = nil
        return entry.end
      }
    }
    for end in ends { end() }
  }
}

/// A journal that refuses to write after its lease has ended.
package protocol RenewedJournal: Sendable {
  /// The lease was renewed.
  func extend(until: ContinuousClock.Instant)
}

extension SyncQueue {
  /// Renews leases in a third of their time while the work is done.
  func withRenewal(
    of held: HeldLeases, _ work: () async throws(StoreError) -> QueueSummary
  ) async throws(StoreError) -> QueueSummary {
    guard let duration = store.leaseDuration else { return try await work() }
    let renewal = Task.detached { [store] in
      while !Task.isCancelled {
        try? await Task.sleep(for: duration / 3)
        // Reckoned from before the question.
        let asked = ContinuousClock.now
        let leases = held.all
        if !leases.isEmpty {
          let watch = Task.detached {
            try? await Task.sleep(for: duration / 3)
            if !Task.isCancelled { held.endOverdue(.now, margin: duration / 6) }
          }
          if let kept = try? await store.renew(leases) { held.renewed(leases, kept, until: asked + duration) }
          watch.cancel()
        }
        held.endOverdue(.now, margin: duration / 6)
      }
    }
    defer { renewal.cancel() }
    return try await work()
  }
}
