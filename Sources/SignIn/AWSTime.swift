internal import Requests

/// `2026-01-02T03:04:05Z`, or seconds since 1970.
enum AWSTime {
  static func parse(_ text: String) -> Duration? {
    if let seconds = Double(text), seconds.isFinite, seconds > 0, seconds < 1e11 { return .seconds(seconds) }
    return DateText.rfc3339(text)
  }
}
