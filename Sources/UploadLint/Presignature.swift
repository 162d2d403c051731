internal import Requests

/// The signature in a presigned URL, as far as it states what it allows.
///
/// Source: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.
struct Presignature: Hashable, Sendable {
  /// When it was made, since 1970; nil if not stated.
  let date: Duration?
  let lifetime: Duration?
  /// In lowercase.
  let signedHeaders: [String]

  /// Nil if the URL is not presigned.
  init?(url: String) {
    guard let mark = url.firstIndex(of: "?") else { return nil }
    var items: [String: String] = [:]
    for item in url[url.index(after: mark)...].prefix(while: { $0 != "#" }).split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      items[name.lowercased()] = Self.decoded(item.dropFirst(name.count + 1))
    }
    guard items["x-amz-signature"] != nil || items["x-amz-algorithm"] != nil else { return nil }
    date = items["x-amz-date"].flatMap { DateText.basic($0) }
    lifetime = items["x-amz-expires"].flatMap { Int($0) }.map { .seconds($0) }
    signedHeaders = (items["x-amz-signedheaders"] ?? "").lowercased().split(separator: ";").map(String.init)
  }

  var expiration: Duration? {
    guard let date, let lifetime else { return nil }
    return date.adding(lifetime)
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decode(text), as: UTF8.self)
  }
}
