internal import Crypto
internal import JSONValue
internal import Requests

/// Texts that nobody can foresee, in the alphabet of URLs.
enum RandomText {
  /// - Parameter bytes: how much chance is in it.
  static func make(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.encodeForURL((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}

/// A proof key for a code (RFC 7636): only who began can use it.
struct ProofKey: Hashable, Sendable {
  let verifier: String

  init() { verifier = RandomText.make(bytes: 32) }

  /// S256.
  var challenge: String { Base64.encodeForURL(Array(SHA256.hash(data: Array(verifier.utf8)))) }
}
