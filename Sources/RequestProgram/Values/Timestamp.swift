internal import Requests

/// Times in RFC 3339 format, in UTC.
enum Timestamp {
  /// `2026-01-02T03:04:05Z`, with milliseconds if there are any.
  static func text(of time: Duration) -> String {
    let time = CivilTime(time)
    return "\(date(time))T\(clock(time))\(time.millisecond == 0 ? "" : ".\(padded(time.millisecond, 3))")Z"
  }

  private static func date(_ time: CivilTime) -> String {
    "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
  }

  private static func clock(_ time: CivilTime) -> String {
    "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
  }

  /// The time with each `%` word replaced as in `strftime`, in UTC.
  static func text(of time: Duration, format: String) throws(TimestampFormatError) -> String {
    let time = CivilTime(time)
    var text = ""
    var rest = Substring(format)
    while let next = rest.popFirst() {
      guard next == "%" else {
        text.append(next)
        continue
      }
      switch rest.popFirst() {
      case "Y": text += padded(time.year, 4)
      case "y": text += padded(time.year % 100, 2)
      case "m": text += padded(time.month, 2)
      case "d": text += padded(time.day, 2)
      case "H": text += padded(time.hour, 2)
      case "M": text += padded(time.minute, 2)
      case "S": text += padded(time.second, 2)
      case "L": text += padded(time.millisecond, 3)
      case "F": text += date(time)
      case "T": text += clock(time)
      case "a": text += ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][time.weekday]
      case "b":
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        text += months[time.month - 1]
      case "s": text += "\(time.seconds)"
      case "%": text += "%"
      case let unknown: throw TimestampFormatError(word: "%" + (unknown.map(String.init) ?? ""))
      }
    }
    return text
  }

  /// The time of a date-time of RFC 3339 §5.6; nil if it is not one.
  static func time(_ text: String) -> Duration? {
    guard isValid(text) else { return nil }
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int {
      bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    let days = CivilTime.days(year: number(0, 4), month: number(5, 2), day: number(8, 2))
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

  /// Whether the text is a date-time of RFC 3339 §5.6, its fields in range.
  static func isValid(_ text: String) -> Bool {
    // Other scripts have their own digits.
    guard text.utf8.allSatisfy({ $0 < 0x80 }),
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

  private static func padded(_ number: Int, _ width: Int) -> String { CivilTime.digits(number, width) }
}

/// A `%` word that means nothing.
struct TimestampFormatError: Error, Hashable {
  var word: String

  /// What `date` accepts.
  var sentence: String {
    "a format of %Y %m %d %H %M %S %L %F %T %y %a %b %s %%, and \(word) is not one of them"
  }
}
