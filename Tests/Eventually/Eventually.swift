import Foundation

/// Asks again and again until it is so.
///
/// - Returns: whether it was, in time.
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

/// The same where a thread waits: of a server, or beside what the test's own threads do.
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
