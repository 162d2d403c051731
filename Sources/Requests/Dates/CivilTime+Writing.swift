/// The formats in which a time is written, all in UTC.
extension CivilTime {
  /// `2026-01-02`
  var date: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

  /// `03:04:05`
  var clock: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))" }

  /// RFC 3339: `2026-01-02T03:04:05Z`, with milliseconds if there are any.
  package var rfc3339: String { millisecond == 0 ? "\(date)T\(clock)Z" : rfc3339Milliseconds }

  /// RFC 3339, always with milliseconds: `2026-01-02T03:04:05.678Z`.
  package var rfc3339Milliseconds: String { "\(date)T\(clock).\(Self.digits(millisecond, 3))Z" }

  /// ISO 8601's basic format, as AWS writes it: `20260102T030405Z`.
  package var basic: String { "\(date)T\(clock)Z".filter { $0 != "-" && $0 != ":" } }

  /// The format with each `%` word replaced as in `strftime`.
  package func text(format: String) throws(DateFormatError) -> String {
    var text = ""
    var rest = Substring(format)
    while let next = rest.popFirst() {
      guard next == "%" else {
        text.append(next)
        continue
      }
      switch rest.popFirst() {
      case "Y": text += Self.digits(year, 4)
      case "y": text += Self.digits(year % 100, 2)
      case "m": text += Self.digits(month, 2)
      case "d": text += Self.digits(day, 2)
      case "H": text += Self.digits(hour, 2)
      case "M": text += Self.digits(minute, 2)
      case "S": text += Self.digits(second, 2)
      case "f": text += Self.digits(millisecond, 3) + "000"
      case "z": text += "+0000"
      case "L": text += Self.digits(millisecond, 3)
      case "F": text += date
      case "T": text += clock
      case "a": text += ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday]
      case "b": text += DateText.months[month - 1]
      case "s": text += "\(seconds)"
      case "%": text += "%"
      case let unknown: throw DateFormatError(word: "%" + (unknown.map(String.init) ?? ""))
      }
    }
    return text
  }

  /// In decimal digits, padded with leading zeros.
  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// A `%` word that means nothing.
package struct DateFormatError: Error, Hashable {
  var word: String

  /// What `date` and `to-time` accept.
  package var sentence: String {
    "a format of %Y %m %d %H %M %S %L %f %z %F %T %y %a %b %s %%, and \(word) is not one of them"
  }
}
