internal import JSONValue
internal import Requests
internal import UploaderCore

/// When a request is past its time: a presigned URL, or the policy of a form, says so itself.
enum Expiry {
  /// Since 1970; nil: nothing in the request expires, or it does not say when.
  static func moment(of request: RecordedRequest) -> Duration? {
    var moments = [ofURL(request.url)]
    if case .parts(let parts) = request.body {
      for part in parts where part.name.lowercased() == "policy" {
        if case .bytes(let bytes) = part.content { moments.append(ofPolicy(bytes)) }
      }
    }
    return moments.compactMap(\.self).min()
  }

  /// `X-Amz-Date` with `X-Amz-Expires` (Signature Version 4), or `Expires` in seconds since 1970 (Version 2).
  private static func ofURL(_ url: String) -> Duration? {
    guard let mark = url.firstIndex(of: "?") else { return nil }
    var items: [String: Substring] = [:]
    for item in url[url.index(after: mark)...].split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { items[pair[0].lowercased()] = pair[1] }
    }
    for family in ["x-amz", "x-goog"] {
      if let date = items["\(family)-date"].flatMap(basicDate),
        let seconds = items["\(family)-expires"].flatMap({ Int($0) })
      {
        return date + .seconds(seconds)
      }
    }
    guard items["signature"] != nil else { return nil }
    return items["expires"].flatMap { Int($0) }.map { .seconds($0) }
  }

  /// `expiration` of a POST policy: JSON in base64.
  private static func ofPolicy(_ bytes: [UInt8]) -> Duration? {
    guard let decoded = Base64.decode(String(decoding: bytes, as: UTF8.self)), let json = try? JSON(parsing: decoded),
      let text = json["expiration"]?.string
    else { return nil }
    return basicDate(Substring(text.filter { $0.isLetter || $0.isNumber || $0 == "." }).prefix { $0 != "." })
  }

  /// `20260102T030405Z`.
  private static func basicDate(_ text: Substring) -> Duration? {
    let digits = text.filter(\.isNumber)
    guard digits.count == 14, text.contains("T") else { return nil }
    func number(_ from: Int, _ count: Int) -> Int { Int(digits.dropFirst(from).prefix(count)) ?? 0 }
    let days = GregorianDay.number(year: number(0, 4), month: number(4, 2), day: number(6, 2))
    return .seconds(days * 86_400 + number(8, 2) * 3_600 + number(10, 2) * 60 + number(12, 2))
  }
}

/// Days of the Gregorian calendar, counted from 1970-01-01.
enum GregorianDay {
  static func number(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that the leap day comes last.
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let (era, yearOfEra) = (year / 400, year % 400)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let (era, day) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
