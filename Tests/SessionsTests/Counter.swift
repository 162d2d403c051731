import Synchronization

/// Counts up.
final class Counter: Sendable {
  private let count = Atomic(0)

  /// - Returns: what it was.
  func add(_ number: Int) -> Int { count.add(number, ordering: .relaxed).oldValue }
}
