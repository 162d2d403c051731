internal import Synchronization

/// Multipart boundaries, each for one request that is sent. Until then every request that is looked at has the next one:
/// what is shown before it is sent is what is sent.
final class Boundaries: Sendable {
  private let make: @Sendable () -> String
  private let unsent = Mutex<String?>(nil)

  init(_ make: @escaping @Sendable () -> String) { self.make = make }

  func next(isSent: Bool) -> String {
    unsent.withLock { unsent in
      let boundary = unsent ?? make()
      unsent = isSent ? nil : boundary
      return boundary
    }
  }
}
