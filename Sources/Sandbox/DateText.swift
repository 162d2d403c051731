import Essentials

/// The ways S3 and HTTP write a time, all in UTC.
enum DateText {
  /// ISO 8601 basic, as in `x-amz-date`: `20151229T000000Z`.
  static func basic(_ date: Date) -> String { date.formatted(basicStyle) }

  /// ISO 8601 extended with milliseconds, as in a policy's `expiration`: `2015-12-30T12:00:00.000Z`.
  static func extended(_ date: Date) -> String { date.formatted(extendedStyles[0]) }

  /// The date of an HTTP header field (RFC 9110 §5.6.7): `Wed, 30 Dec 2015 12:00:00 GMT`.
  static func http(_ date: Date) -> String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let daysSince1970 = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    let weekday = weekdays[(daysSince1970 % 7 + 7) % 7]
    let pieces = date.formatted(extendedStyles[1]).split { "-T:Z".contains($0) }
    let month = Int(pieces[1]).map { months[$0 - 1] } ?? ""
    return "\(weekday), \(pieces[2]) \(month) \(pieces[0]) \(pieces[3]):\(pieces[4]):\(pieces[5]) GMT"
  }

  /// The time of an `x-amz-date`; nil if it is not in exactly this format.
  static func parseBasic(_ text: String) -> Date? {
    guard let date = try? Date(text, strategy: basicStyle), basic(date) == text else { return nil }
    return date
  }

  /// The time of a policy's `expiration`, with or without milliseconds; nil if it is neither.
  static func parseExtended(_ text: String) -> Date? {
    guard text.hasSuffix("Z") else { return nil }
    return extendedStyles.lazy.compactMap { try? Date(text, strategy: $0) }.first
  }

  private static let basicStyle = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
  private static let extendedStyles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
}
