/// Reads the formats of a time, as time since 1970; each is nil for a text that is not in that format.
package enum DateText {
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// As HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, its preferred form).
  package static func http(_ text: String) -> Duration? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: String(parts[2])), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int($0) }
    return clock.count == 3 ? CivilTime.moment(year, month + 1, day, clock[0], clock[1], clock[2]) : nil
  }

  /// As AWS writes it, in ISO 8601's basic format: `20260102T030405Z`.
  package static func basic(_ text: some StringProtocol) -> Duration? {
    var reader = Reader(text)
    guard let year = reader.number(4), let month = reader.number(2), let day = reader.number(2), reader.take("T"),
      let hour = reader.number(2), let minute = reader.number(2), let second = reader.number(2), reader.take("Z"),
      reader.isAtEnd
    else { return nil }
    return CivilTime.moment(year, month, day, hour, minute, second)
  }

  /// A date-time of RFC 3339 §5.6: `2026-01-02T03:04:05.678+01:00`.
  package static func rfc3339(_ text: some StringProtocol) -> Duration? {
    var reader = Reader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), let moment = CivilTime.moment(year, month, day, hour, minute, second),
      // A day beyond the end of the month is one of the next.
      CivilTime(.seconds(CivilTime.days(year: year, month: month, day: day) * 86_400)).day == day
    else { return nil }
    var fraction = Duration.zero
    if reader.take(".") {
      guard let nanoseconds = reader.nanoseconds() else { return nil }
      fraction = .nanoseconds(nanoseconds)
    }
    if reader.take("Z") || reader.take("z") { return reader.isAtEnd ? moment + fraction : nil }
    let isBehind = reader.take("-")
    guard isBehind || reader.take("+"), let hours = reader.number(2), hours < 24, reader.take(":"),
      let minutes = reader.number(2), minutes < 60, reader.isAtEnd
    else { return nil }
    let offset = Duration.seconds(hours * 3_600 + minutes * 60)
    return (isBehind ? moment + offset : moment - offset) + fraction
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) {
      rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// Of exactly that many digits.
    mutating func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// From the digits of a fraction of a second, at least one.
    mutating func nanoseconds() -> Int? {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      let nine = digits.prefix(9) + Array(repeating: 0x30, count: max(0, 9 - digits.count))
      return digits.isEmpty ? nil : nine.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
  }
}
