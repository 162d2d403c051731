internal import JSONValue
internal import Requests
internal import UploaderCore

/// When a request expires: a presigned URL, or the policy of a form, contains its own expiry.
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
      if let date = items["\(family)-date"].flatMap({ DateText.basic($0) }),
        let seconds = items["\(family)-expires"].flatMap({ Int($0) })
      {
        return date.adding(.seconds(seconds))
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
    return DateText.rfc3339(text)
  }
}
