internal import Requests
internal import Synchronization

/// Retries cost tokens, per origin, so that many failing requests do not become three times as many.
///
/// The figures are those of the AWS SDKs' "standard" mode: 500 tokens, 14 for a transient failure, 5 for a throttled
/// request; the cost of a successful retry is refunded, and a plain success adds one token.
final class RetryBudget: Sendable {
  private static let capacity = 500
  private let tokens = Mutex<[Origin: Int]>([:])

  /// Takes the price of a retry; false if there are not enough tokens left.
  func take(_ cause: RetryPolicy.Cause, at origin: Origin) -> Bool {
    tokens.withLock { tokens in
      let left = tokens[origin, default: Self.capacity] - Self.price(of: cause)
      guard left >= 0 else { return false }
      tokens[origin] = left
      return true
    }
  }

  /// A request succeeded, after a retry for that cause if there was one.
  func succeeded(after cause: RetryPolicy.Cause?, at origin: Origin) {
    tokens.withLock { tokens in
      guard let left = tokens[origin] else { return }
      tokens[origin] = min(Self.capacity, left + (cause.map(Self.price) ?? 1))
    }
  }

  private static func price(of cause: RetryPolicy.Cause) -> Int {
    switch cause {
    case .throttled: 5
    case .transient: 14
    }
  }
}
