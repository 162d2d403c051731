import Foundation

/// Checks a condition repeatedly until it is true.
///
/// - Returns: whether it was true in time.
public func eventually(
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(10),
  _ isSo: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + limit
  while try await !isSo() {
    if ContinuousClock.now >= end { return false }
    try await Task.sleep(for: pause)
  }
  return true
}

/// The same, blocking a thread: one of a server, or one beside the test's own threads.
public func eventuallyBlocking(
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(10), _ isSo: () -> Bool
) -> Bool {
  let end = ContinuousClock.now + limit
  while !isSo() {
    if ContinuousClock.now >= end { return false }
    Thread.sleep(forTimeInterval: pause / .seconds(1))
  }
  return true
}
