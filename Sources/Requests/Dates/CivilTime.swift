/// A time in UTC as a calendar date (Gregorian). Times before the year 0 or after 9999, which no notation of HTTP or
/// RFC 3339 can express, are clamped to the first or last instant of those years.
package struct CivilTime: Hashable, Sendable {
  package let year: Int
  /// From 1.
  package let month: Int
  /// From 1.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let millisecond: Int
  /// From 0, Sunday.
  package let weekday: Int
  /// Whole seconds since 1970, rounded down, before 1970 too.
  package let seconds: Int

  /// - Parameter sinceEpoch: since 1970.
  package init(_ sinceEpoch: Duration) {
    let moment = min(max(sinceEpoch, Self.first), Self.last)
    let whole = moment.wholeSeconds
    let isDownwards = moment < .seconds(whole)
    seconds = isDownwards ? whole - 1 : whole
    millisecond = (moment - .seconds(seconds)).wholeMilliseconds
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let clock = seconds - days * 86_400
    (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60)
    weekday = ((days + 4) % 7 + 7) % 7
    // In eras of 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; years begin in March, so that the leap day comes last.
  ///
  /// - Parameters:
  /// - year: as four digits express it.
  /// - month: from 1; any two digits.
  /// - day: from 1; any two digits.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `0000-01-01T00:00:00Z`.
  package static let first = Duration.seconds(days(year: 0, month: 1, day: 1) * 86_400)
  /// `9999-12-31T23:59:59.999Z`.
  package static let last = Duration.milliseconds((days(year: 10_000, month: 1, day: 1) * 86_400) * 1_000 - 1)

  /// Since 1970; nil if a number is out of range for a calendar or a clock. A day up to the 31st is accepted,
  /// even beyond the end of its month.
  static func moment(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) -> Duration? {
    guard (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return .seconds(days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second)
  }
}
