/// How often a request that may be sent again is sent, and after which answers.
public struct RetryRule: Hashable, Sendable {
  /// All attempts together, at least 1.
  public var attempts: Int
  /// The status codes after which it is worth trying again.
  public var statuses: Set<Int>

  /// So many attempts in all, of which at least one is made.
  public init(attempts: Int, on statuses: Set<Int> = RetryRule.transientStatuses) {
    self.attempts = max(1, attempts)
    self.statuses = statuses
  }

  /// Three attempts in all (the AWS SDKs' "standard" mode).
  public static let standard = RetryRule(attempts: 3)

  /// One attempt.
  public static let none = RetryRule(attempts: 1)

  /// Answers that say: later, perhaps.
  public static let transientStatuses: Set<Int> = [429, 500, 502, 503, 504]
}
