internal import Crypto
internal import JSONValue
internal import Requests

/// Texts that nobody can foresee, in the alphabet of URLs.
enum RandomText {
  /// - Parameter bytes: how much chance is in it.
  static func make(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.base64URL
  }
}

/// A proof key for a code (RFC 7636): only who began can use it.
struct ProofKey: Hashable, Sendable {
  let verifier: String

  init() { verifier = RandomText.make(bytes: 32) }

  /// S256.
  var challenge: String { Array(SHA256.hash(data: Array(verifier.utf8))).base64URL }
}

extension [UInt8] {
  /// RFC 4648 §5, without padding.
  var base64URL: String {
    Base64.encode(self).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
