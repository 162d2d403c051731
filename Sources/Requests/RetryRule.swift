/// How often a request that may be sent again is sent, and after which responses.
public struct RetryRule: Hashable, Sendable {
  /// All attempts together, at least 1.
  public var attempts: Int
  /// The status codes that are worth another attempt.
  public var statuses: Set<Int>

  /// That many attempts in total, but at least one.
  public init(attempts: Int, on statuses: Set<Int> = RetryRule.transientStatuses) {
    self.attempts = max(1, attempts)
    self.statuses = statuses
  }

  /// Three attempts in total (the AWS SDKs' "standard" mode).
  public static let standard = RetryRule(attempts: 3)

  /// One attempt.
  public static let none = RetryRule(attempts: 1)

  /// Responses that mean: perhaps later.
  public static let transientStatuses: Set<Int> = [429, 500, 502, 503, 504]
}
