internal import Requests

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, its preferred form).
public struct HTTPDate: Hashable, Sendable {
  /// Since 1970.
  public let sinceEpoch: Duration

  /// nil if it is written in any other way.
  public init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
      let month = Self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]) else {
      return nil
    }
    let days = CivilTime.days(year: year, month: month + 1, day: day)
    sinceEpoch = .seconds(days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2])
  }

  /// The same time as AWS writes it: `20260102T030405Z`.
  static func basic(_ sinceEpoch: Duration) -> String {
    let time = CivilTime(sinceEpoch)
    let date = CivilTime.digits(time.year, 4) + CivilTime.digits(time.month, 2) + CivilTime.digits(time.day, 2)
    return date + "T" + CivilTime.digits(time.hour, 2) + CivilTime.digits(time.minute, 2)
      + CivilTime.digits(time.second, 2) + "Z"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
