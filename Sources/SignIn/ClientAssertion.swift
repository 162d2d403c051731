internal import Crypto
internal import CryptoExtras
internal import JSONValue
internal import Requests
internal import UploaderCore

/// A statement about the client, signed with its key (RFC 7523 §2.2, RFC 7515).
struct ClientAssertion {
  let clientID: String
  /// Who is to believe it: the token endpoint.
  let audience: String
  let keyID: String?
  let algorithm: OAuthSettings.Algorithm?

  /// How long it is good for, in seconds.
  private static let lifetime = 60

  /// - Parameters:
  ///   - key: in PEM.
  ///   - now: since 1970, by the clock of who is to believe it.
  func text(signedWith key: Secret, now: Duration) throws(SignInError) -> String {
    let signer = try key.withExposedText { pem throws(SignInError) in try AssertionKey(pem, algorithm) }
    var header: JSONObject = ["alg": .string(signer.algorithm.rawValue), "typ": "JWT"]
    header["kid"] = keyID.map { .string($0) }
    let seconds = Int(now.components.seconds)
    let claims: JSONObject = [
      "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience),
      "jti": .string(RandomText.make(bytes: 16)), "iat": .number(JSONNumber(seconds)),
      "exp": .number(JSONNumber(seconds + Self.lifetime)),
    ]
    let parts = [header, claims].map { Base64.encodeForURL(Array("\(JSON.object($0))".utf8)) }.joined(separator: ".")
    return "\(parts).\(Base64.encodeForURL(try signer.signature(of: Array(parts.utf8))))"
  }
}

/// A private key that signs assertions.
private struct AssertionKey {
  enum Key {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
  }

  let key: Key
  let algorithm: OAuthSettings.Algorithm

  /// - Parameter wanted: nil: the usual one for the key.
  init(_ pem: String, _ wanted: OAuthSettings.Algorithm?) throws(SignInError) {
    let usual: OAuthSettings.Algorithm
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
      (self.key, usual) = (.p256(key), .es256)
    } else if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) {
      (self.key, usual) = (.p384(key), .es384)
    } else if let key = try? P521.Signing.PrivateKey(pemRepresentation: pem) {
      (self.key, usual) = (.p521(key), .es512)
    } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) {
      (self.key, usual) = (.rsa(key), .rs256)
    } else {
      throw .unusable(
        "the key is none that assertions can be signed with", advice: "P-256, P-384, P-521 or RSA, in PEM")
    }
    algorithm = wanted ?? usual
    let isRSA = if case .rsa = key { true } else { false }
    guard algorithm == usual || isRSA && algorithm == .ps256 else {
      throw .unusable("a key for \(usual.rawValue) cannot sign \(algorithm.rawValue)", advice: "leave out algorithm")
    }
  }

  func signature(of bytes: [UInt8]) throws(SignInError) -> [UInt8] {
    do {
      switch key {
      case .p256(let key): return Array(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
      case .p384(let key): return Array(try key.signature(for: SHA384.hash(data: bytes)).rawRepresentation)
      case .p521(let key): return Array(try key.signature(for: SHA512.hash(data: bytes)).rawRepresentation)
      case .rsa(let key):
        let padding: _RSA.Signing.Padding = algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5
        return Array(try key.signature(for: SHA256.hash(data: bytes), padding: padding).rawRepresentation)
      }
    } catch {
      throw .unusable("the key could not sign: \(error)")
    }
  }
}
