/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, its preferred form).
public struct HTTPDate: Hashable, Sendable {
  /// Since 1970.
  public let sinceEpoch: Duration

  /// Nil if it is written in any other way.
  public init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
      let month = Self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]) else {
      return nil
    }
    let days = Self.days(year: year, month: month + 1, day: day)
    sinceEpoch = .seconds(days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2])
  }

  /// Days since 1970-01-01 in the Gregorian calendar; years begin in March, so that the leap day comes last.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The same moment as AWS writes it: `20260102T030405Z`.
  static func basic(_ sinceEpoch: Duration) -> String {
    let seconds = Int(sinceEpoch.components.seconds)
    let (year, month, day) = date(onDay: seconds / 86_400)
    let digits = { (value: Int, width: Int) in
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return digits(year, 4) + digits(month, 2) + digits(day, 2) + "T" + digits(seconds / 3_600 % 24, 2)
      + digits(seconds / 60 % 60, 2) + digits(seconds % 60, 2) + "Z"
  }

  /// The inverse of `days`.
  private static func date(onDay days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
