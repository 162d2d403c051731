import Crypto
import Essentials
import JSONValue

/// AWS Signature Version 4: how a signing key is derived and what it signs.
///
/// Knows no request and no policy; its callers compose the string to sign.
/// Source: "Authenticating Requests (AWS Signature Version 4)", Amazon S3 API Reference.
enum SigV4 {
  /// The only algorithm name there is, as it appears in `x-amz-algorithm`.
  static let algorithm = "AWS4-HMAC-SHA256"

  /// Who signs.
  struct Credentials: Hashable, Sendable {
    var accessKey: String
    var secretKey: String
  }

  /// The day, region and service a signing key is valid for: `20151229/us-east-1/s3/aws4_request`.
  struct Scope: Hashable, Sendable, CustomStringConvertible {
    /// UTC, `yyyyMMdd`.
    var day: String
    var region: String
    var service: String

    var description: String { "\(day)/\(region)/\(service)/\(Self.terminator)" }

    static let terminator = "aws4_request"
  }

  /// A credential field's value, an access key and the scope it signs in: `AKIA…/20151229/us-east-1/s3/aws4_request`.
  struct Credential: Hashable, Sendable, LosslessStringConvertible {
    var accessKey: String
    var scope: Scope

    init(accessKey: String, scope: Scope) {
      self.accessKey = accessKey
      self.scope = scope
    }

    init?(_ text: String) {
      let pieces = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard pieces.count == 5, pieces.allSatisfy({ !$0.isEmpty }), pieces[4] == Scope.terminator else { return nil }
      self.init(accessKey: pieces[0], scope: Scope(day: pieces[1], region: pieces[2], service: pieces[3]))
    }

    var description: String { "\(accessKey)/\(scope)" }
  }

  /// The key of one scope: HMACs of its parts, each keyed with the previous one.
  struct SigningKey: Sendable {
    private let key: SymmetricKey

    init(secretKey: String, scope: Scope) {
      let start = SymmetricKey(data: Array("AWS4\(secretKey)".utf8))
      key = [scope.day, scope.region, scope.service, Scope.terminator].reduce(start) { key, part in
        SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
      }
    }

    /// The signature of a string to sign, in lowercase hex.
    func signature(of stringToSign: String) -> String {
      HMAC<SHA256>.authenticationCode(for: Array(stringToSign.utf8), using: key).hex
    }
  }
}
