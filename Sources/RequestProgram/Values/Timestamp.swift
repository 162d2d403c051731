/// Times as RFC 3339 has them, in UTC.
enum Timestamp {
  /// `2026-01-02T03:04:05Z`, with milliseconds where there are any.
  static func text(of time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = civil(fromDays: days)
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(clock)\(milliseconds == 0 ? "" : ".\(padded(milliseconds, 3))")Z"
  }

  /// Year, month and day of a number of days since 1970 in the Gregorian calendar, by eras of 400 years.
  private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Whether the text is a date-time of RFC 3339 §5.6, its fields in range.
  static func isValid(_ text: String) -> Bool {
    guard
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))/)
    else { return false }
    func number(_ text: Substring) -> Int { Int(text) ?? -1 }
    let year = number(match.1)
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(number(match.2)), (1...lengths[number(match.2) - 1]).contains(number(match.3)) else {
      return false
    }
    let offsetIsValid = match.9.map { number($0) < 24 } ?? true && match.10.map { number($0) < 60 } ?? true
    return number(match.4) < 24 && number(match.5) < 60 && number(match.6) <= 60 && offsetIsValid
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
