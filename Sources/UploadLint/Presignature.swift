internal import Requests

/// The signature in a presigned URL, as far as it states what it allows.
///
/// Sources: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference;
/// "Signing and authenticating REST requests (AWS signature version 2)", Amazon S3 User Guide; "V4 signing process with
/// your own program", Cloud Storage; "Create a service SAS", Azure Storage.
struct Presignature: Hashable, Sendable {
  enum Scheme: Hashable, Sendable {
    /// `X-Amz-…`, or `X-Goog-…`.
    case version4
    /// `AWSAccessKeyId`, or `GoogleAccessId`.
    case version2
    /// A shared access signature of Azure.
    case sharedAccess
  }

  let scheme: Scheme
  let expiration: Duration?
  /// How long it is valid; nil if not stated.
  let lifetime: Duration?
  /// What states that: `X-Amz-Date and X-Amz-Expires`.
  let statement: String
  /// In lowercase; `host` is one of them in version 4, and there are none in others.
  let signedHeaders: [String]
  /// How its own headers begin, in lowercase: `x-amz-`.
  let headerPrefix: String
  /// What a shared access signature permits, a letter each; nil: not stated.
  let permissions: String?
  /// The signature itself.
  let value: String

  /// Nil if the URL is not presigned.
  init?(url: String) {
    var items: [String: String] = [:]
    for item in URLQuery.items(of: url) { items[item.name.lowercased()] = Self.decoded(item.value) }
    value = items["x-amz-signature"] ?? items["x-goog-signature"] ?? items["signature"] ?? items["sig"] ?? ""
    let isGoogle = items["x-goog-signature"] != nil || items["x-goog-algorithm"] != nil
    let name = isGoogle ? "Goog" : "Amz"
    let prefix = "x-\(name.lowercased())-"
    if isGoogle || items["x-amz-signature"] != nil || items["x-amz-algorithm"] != nil {
      scheme = .version4
      let date = items["\(prefix)date"].flatMap { DateText.basic($0) }
      let lifetime = items["\(prefix)expires"].flatMap { Int($0) }.map { Duration.seconds($0) }
      self.lifetime = lifetime
      expiration = date.flatMap { date in lifetime.map { date.adding($0) } }
      statement = "X-\(name)-Date and X-\(name)-Expires"
      signedHeaders = (items["\(prefix)signedheaders"] ?? "").lowercased().split(separator: ";").map(String.init)
      headerPrefix = prefix
      permissions = nil
    } else if items["signature"] != nil, items["awsaccesskeyid"] != nil || items["googleaccessid"] != nil {
      scheme = .version2
      lifetime = nil
      expiration = items["expires"].flatMap { Int($0) }.map { .seconds($0) }
      statement = "Expires"
      signedHeaders = []
      headerPrefix = items["googleaccessid"] == nil ? "x-amz-" : "x-goog-"
      permissions = nil
    } else if items["sig"] != nil, items["sv"] != nil {
      scheme = .sharedAccess
      let start = items["st"].flatMap { DateText.rfc3339($0) }
      let end = items["se"].flatMap { DateText.rfc3339($0) }
      expiration = end
      lifetime = start.flatMap { start in end.map { $0.subtracting(start) } }
      statement = "st and se"
      signedHeaders = []
      headerPrefix = "x-ms-"
      permissions = items["sp"]
    } else {
      return nil
    }
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decode(text), as: UTF8.self)
  }
}
