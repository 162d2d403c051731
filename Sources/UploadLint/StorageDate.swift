internal import Requests
internal import UploaderCore

/// The ways storage writes a point in time, read as time since 1970.
enum StorageDate {
  /// `20151229T000000Z`.
  static func basic(_ text: String) -> Duration? {
    let digits = text.utf8.map { $0 }
    guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else { return nil }
    func piece(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
    return moment(
      year: piece(0..<4), month: piece(4..<6), day: piece(6..<8),
      clock: [piece(9..<11), piece(11..<13), piece(13..<15)].joined(separator: ":"))
  }

  /// `2015-12-30T12:00:00.000Z`, with or without the fraction.
  static func extended(_ text: String) -> Duration? {
    guard text.hasSuffix("Z"), let separator = text.firstIndex(of: "T") else { return nil }
    let day = text[..<separator].split(separator: "-").map(String.init)
    let clock = text[text.index(after: separator)...].dropLast().prefix { $0 != "." }
    guard day.count == 3 else { return nil }
    return moment(year: day[0], month: day[1], day: day[2], clock: String(clock))
  }

  /// The date of a header field.
  static func http(_ text: String) -> Duration? { HTTPDate(text)?.sinceEpoch }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func moment(year: String, month: String, day: String, clock: String) -> Duration? {
    guard let month = Int(month), (1...12).contains(month) else { return nil }
    return http("Day, \(day) \(months[month - 1]) \(year) \(clock) GMT")
  }

  /// A span as people write it: `4 s`, `12 min`, `3 h 20 min`, `2 days`.
  static func span(_ span: Duration) -> String {
    let seconds = Int(min(abs(span.inSeconds).rounded(), 1e15))
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7200: return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s")
    case ..<172_800: return "\(seconds / 3600) h" + (seconds % 3600 < 60 ? "" : " \(seconds % 3600 / 60) min")
    default: return "\(seconds / 86_400) days"
    }
  }
}
