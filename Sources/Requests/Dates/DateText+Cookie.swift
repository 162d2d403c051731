extension DateText {
  /// As cookies write it: day, month, year and time in any order, with anything in between (RFC 6265 §5.1.1).
  package static func cookie(_ text: some StringProtocol) -> Duration? {
    var time: [Int]?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.utf8.split(whereSeparator: Self.isDelimiter) {
      if time == nil, let found = Self.time(token) {
        time = found
      } else if day == nil, let found = Self.number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = Self.month(token) {
        month = found
      } else if year == nil, let found = Self.number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 }
    if (0...69).contains(year) { year += 2000 }
    guard year >= 1601, time[2] <= 59 else { return nil }
    return CivilTime.moment(year, month, day, time[0], time[1], time[2])
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Leading digits, then perhaps something else.
  private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix { (0x30...0x39).contains($0) }
    guard digits.contains(number.count) else { return nil }
    return Int(String(decoding: number, as: UTF8.self))
  }

  private static func time(_ token: some Collection<UInt8>) -> [Int]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[..<2].allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
    let numbers = parts.compactMap { number($0, digits: 1...2) }
    return numbers.count == 3 ? numbers : nil
  }

  private static func month(_ token: some Collection<UInt8>) -> Int? {
    let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
    return months.firstIndex { $0.lowercased() == name }.map { $0 + 1 }
  }
}
