/// How a server is waited for that does not respond yet: between attempts, how often, and until when.
public struct Patience: Sendable, Hashable {
  /// The pause before each further attempt.
  public var interval: Duration
  /// How many attempts there may be in all; nil: as many as the time allows.
  public var attempts: Int?
  /// How long it is waited for in all; nil: as long as the attempts take.
  public var limit: Duration?

  public init(interval: Duration, attempts: Int?, limit: Duration?) {
    self.interval = interval
    self.attempts = attempts
    self.limit = limit
  }

  /// Whether another attempt may be made.
  ///
  /// - Parameters:
  ///   - count: how many there were.
  ///   - passed: how long ago the first began.
  public func allows(after count: Int, passed: Duration) -> Bool {
    if let attempts, count >= attempts { return false }
    if let limit { return passed + interval <= limit }
    return attempts != nil || count < Self.mostAttempts
  }

  /// As often as a step without any limit is repeated.
  static let mostAttempts = 1_000
}
