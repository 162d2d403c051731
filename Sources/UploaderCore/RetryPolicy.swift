internal import HTTPTypes
internal import Requests

/// Whether and when a request is sent again. Pure: chance and time are passed in as values.
enum RetryPolicy {
  /// The longest that a server's `Retry-After` is obeyed.
  static let longestWait: Duration = .seconds(120)

  /// Why another attempt is worthwhile, if it is allowed.
  enum Cause: Hashable {
    /// The server asked for fewer requests.
    case throttled
    /// Something temporary.
    case transient
  }

  /// Whether sending again cannot do harm (RFC 9110 §9.2.2).
  static func mayRepeat(_ head: RequestHead) -> Bool {
    switch head.effect {
    case .safe, .idempotent: true
    // draft-ietf-httpapi-idempotency-key-header; a key that came out empty is none.
    case .once: head.headers.contains { $0.name.canonicalName == "idempotency-key" && !$0.value.isEmpty }
    }
  }

  /// What a response means for another attempt.
  static func cause(of response: Response, rule: RetryRule) -> Cause? {
    guard rule.statuses.contains(response.status.code) else { return nil }
    return response.status.code == 429 || response.status.code == 503 ? .throttled : .transient
  }

  /// What a failed transfer means for another attempt.
  static func cause(of error: TransportError) -> Cause? {
    switch error.fact {
    case .connect, .connectTimeout, .firstByteTimeout, .idleTimeout, .timeout, .connectionLost, .truncated, .resolve:
      .transient
    case .url, .tls, .proxy, .tooMuch, .malformedResponse, .file, .cancelled, .other: nil
    }
  }

  /// How long to wait: as long as the server asked for, otherwise a random part of 1 s, 2 s, 4 s … 20 s.
  ///
  /// - Parameters:
  ///   - attempt: the one that failed, from 0.
  ///   - chance: from 0 to 1.
  ///   - now: since 1970.
  static func wait(after attempt: Int, response: Response?, chance: Double, now: Duration) -> Duration {
    if let asked = response?.headers[.retryAfter].flatMap({ retryAfter($0, now: now) }) {
      return min(max(asked, .zero), longestWait)
    }
    let longest = min(Double(1 << min(attempt, 10)), 20)
    return .milliseconds(Int(longest * 1000 * chance))
  }

  /// Seconds, or a date (RFC 9110 §10.2.3).
  static func retryAfter(_ text: String, now: Duration) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return .seconds(Int(text) ?? Int(Int32.max))
    }
    return DateText.http(text).map { $0.subtracting(now) }
  }
}
