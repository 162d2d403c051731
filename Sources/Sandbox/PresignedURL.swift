import Crypto
import Essentials
import JSONValue

/// A signature in the query of a URL: who may send which request until when.
///
/// Source: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.
struct PresignedURL: Hashable, Sendable {
  /// A week, the longest validity that S3 allows, in seconds.
  static let longestLifetime = 604_800

  var credential: SigV4.Credential
  var date: Date
  /// How long it is valid, in seconds.
  var lifetime: Int
  /// In lowercase.
  var signedHeaders: [String]
  /// The signature in the URL; empty while it is made.
  var signature = ""

  var expiration: Date { date.addingTimeInterval(TimeInterval(lifetime)) }

  /// Reads the query of a request; nil if it contains no signature.
  init?(_ query: QueryText) throws(S3Error) {
    guard query.items.contains(where: { $0.name.hasPrefix("X-Amz-") }) else { return nil }
    func required(_ name: String) throws(S3Error) -> String {
      guard let value = query["X-Amz-\(name)"] else {
        throw .queryAuthentication(
          "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, "
            + "X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.")
      }
      return value
    }
    guard try required("Algorithm") == SigV4.algorithm else {
      throw .queryAuthentication("X-Amz-Algorithm only supports \"\(SigV4.algorithm)\"")
    }
    guard let credential = SigV4.Credential(try required("Credential")) else {
      throw .queryAuthentication(
        "Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "
          + "\"<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request\".")
    }
    guard let date = DateText.parseBasic(try required("Date")) else {
      throw .queryAuthentication("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"")
    }
    guard let lifetime = Int(try required("Expires")) else {
      throw .queryAuthentication("X-Amz-Expires should be a number")
    }
    guard (1...Self.longestLifetime).contains(lifetime) else {
      throw .queryAuthentication(
        "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than "
          + "\(Self.longestLifetime) seconds")
    }
    self.credential = credential
    self.date = date
    self.lifetime = lifetime
    signedHeaders = try required("SignedHeaders").split(separator: ";").map(String.init)
    signature = try required("Signature")
  }

  init(credential: SigV4.Credential, date: Date, lifetime: Int, signedHeaders: [String]) {
    self.credential = credential
    self.date = date
    self.lifetime = lifetime
    self.signedHeaders = signedHeaders
  }

  /// The query items that are signed.
  var items: [QueryText.Item] {
    [
      .init(name: "X-Amz-Algorithm", value: SigV4.algorithm),
      .init(name: "X-Amz-Credential", value: credential.description),
      .init(name: "X-Amz-Date", value: DateText.basic(date)), .init(name: "X-Amz-Expires", value: String(lifetime)),
      .init(name: "X-Amz-SignedHeaders", value: signedHeaders.joined(separator: ";")),
    ]
  }
}

/// What a request's signature covers ("Create a canonical request").
struct CanonicalRequest: Sendable {
  var method: String
  /// Decoded.
  var path: String
  /// Without the signature.
  var query: QueryText
  /// Names in lowercase, in the order of their signing.
  var headers: [(name: String, value: String)]

  var text: String {
    let path = path.split(separator: "/", omittingEmptySubsequences: false).map {
      PercentEncoding.canonical(String($0))
    }
    return [
      method, path.joined(separator: "/"), query.canonical, headers.map { "\($0.name):\($0.value)\n" }.joined(),
      headers.map(\.name).joined(separator: ";"), "UNSIGNED-PAYLOAD",
    ].joined(separator: "\n")
  }

  func stringToSign(_ url: PresignedURL) -> String {
    [
      SigV4.algorithm, DateText.basic(url.date), url.credential.scope.description,
      SHA256.hash(data: Array(text.utf8)).hex,
    ].joined(separator: "\n")
  }
}
