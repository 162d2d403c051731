/// Times as RFC 3339 has them, in UTC.
enum Timestamp {
  /// `2026-01-02T03:04:05Z`, with milliseconds where there are any.
  static func text(of time: Duration) -> String {
    let (seconds, milliseconds) = parts(of: time)
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = civil(fromDays: days)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(clock)\(milliseconds == 0 ? "" : ".\(padded(milliseconds, 3))")Z"
  }

  /// Whole seconds, downwards before 1970 too, and what is left.
  private static func parts(of time: Duration) -> (seconds: Int64, milliseconds: Int64) {
    let (seconds, attoseconds) = time.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return milliseconds < 0 ? (seconds - 1, milliseconds + 1_000) : (seconds, milliseconds)
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

  /// The time with each `%` word replaced, as `strftime` has them, in UTC.
  static func text(of time: Duration, format: String) throws(TimestampFormatError) -> String {
    let (seconds, milliseconds) = parts(of: time)
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = civil(fromDays: days)
    let weekday = Int(((days + 4) % 7 + 7) % 7)
    var text = ""
    var rest = Substring(format)
    while let next = rest.popFirst() {
      guard next == "%" else {
        text.append(next)
        continue
      }
      switch rest.popFirst() {
      case "Y": text += padded(year, 4)
      case "y": text += padded(year % 100, 2)
      case "m": text += padded(month, 2)
      case "d": text += padded(day, 2)
      case "H": text += padded(second / 3_600, 2)
      case "M": text += padded(second / 60 % 60, 2)
      case "S": text += padded(second % 60, 2)
      case "L": text += padded(milliseconds, 3)
      case "F": text += "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      case "T": text += "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
      case "a": text += ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday]
      case "b":
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        text += months[Int(month) - 1]
      case "s": text += "\(seconds)"
      case "%": text += "%"
      case let unknown: throw TimestampFormatError(word: "%" + (unknown.map(String.init) ?? ""))
      }
    }
    return text
  }

  /// The time of a date-time of RFC 3339 §5.6; nil if it is none.
  static func time(_ text: String) -> Duration? {
    guard isValid(text) else { return nil }
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int64 {
      bytes[start..<start + count].reduce(0) { $0 * 10 + Int64($1) - 48 }
    }
    let days = daysFromCivil(number(0, 4), number(5, 2), number(8, 2))
    var seconds = days * 86_400 + number(11, 2) * 3_600 + number(14, 2) * 60 + number(17, 2)
    var position = 19
    var fraction = Duration.zero
    if bytes[position] == UInt8(ascii: ".") {
      let digits = bytes[(position + 1)...].prefix { (48...57).contains($0) }
      let nanoseconds = (digits.prefix(9) + Array(repeating: 48, count: max(0, 9 - digits.count))).reduce(Int64(0)) {
        $0 * 10 + Int64($1) - 48
      }
      fraction = .nanoseconds(nanoseconds)
      position += 1 + digits.count
    }
    if bytes.count - position == 6 {
      let offset = number(position + 1, 2) * 3_600 + number(position + 4, 2) * 60
      seconds += bytes[position] == UInt8(ascii: "-") ? offset : -offset
    }
    return .seconds(seconds) + fraction
  }

  /// The inverse of `civil(fromDays:)`.
  private static func daysFromCivil(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
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

/// A `%` word that means nothing.
struct TimestampFormatError: Error, Hashable {
  var word: String

  /// What `date` takes.
  var sentence: String {
    "a format of %Y %m %d %H %M %S %L %F %T %y %a %b %s %%, and \(word) is none of them"
  }
}
