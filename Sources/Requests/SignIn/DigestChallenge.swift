package import HTTPTypes

/// A challenge of the scheme Digest that can be met (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
  /// What a digest is made of besides the password.
  package enum Protection: String, Sendable {
    /// As before RFC 2617: without a count and a nonce of ours.
    case legacy = ""
    case request = "auth"
    /// The body, too.
    case requestAndBody = "auth-int"
  }

  package let realm: String
  package internal(set) var nonce: String
  package let opaque: String?
  package let algorithm: DigestAlgorithm
  /// Whether the digest of the password is made once for a session (`-sess`).
  package let isSession: Bool
  package let protection: Protection
  /// Whether the user is sent as a digest, too.
  package let hashesUser: Bool
  /// Whether only the nonce was too old.
  package let isStale: Bool
  /// As the server wrote it, to be repeated; nil: it did not.
  let algorithmText: String?

  /// nil for another scheme, or if something in it is not known here.
  package init?(_ challenge: AuthenticationChallenge) {
    let parameters = challenge.parameters
    guard challenge.has(scheme: "digest"), let realm = parameters["realm"], let nonce = parameters["nonce"] else {
      return nil
    }
    let text = parameters["algorithm"]
    let name = (text ?? "md5").lowercased()
    isSession = name.hasSuffix("-sess")
    guard let algorithm = DigestAlgorithm(rawValue: isSession ? String(name.dropLast(5)) : name) else { return nil }
    if let offered = parameters["qop"] {
      let words = offered.split { $0 == "," || $0 == " " }.compactMap { Protection(rawValue: $0.lowercased()) }
      guard let first = words.contains(.request) ? .request : words.first else { return nil }
      protection = first
    } else {
      protection = .legacy
    }
    (self.realm, self.nonce, self.algorithm, algorithmText) = (realm, nonce, algorithm, text)
    opaque = parameters["opaque"]
    hashesUser = parameters["userhash"]?.lowercased() == "true"
    isStale = parameters["stale"]?.lowercased() == "true"
  }

  /// The strongest one of a response; nil: it asks for nothing that can be met.
  package init?(of headers: HTTPFields) {
    let all = AuthenticationChallenge.all(.wwwAuthenticate, of: headers).compactMap(DigestChallenge.init)
    guard let strongest = all.map(\.algorithm).max(), let first = all.first(where: { $0.algorithm == strongest }) else {
      return nil
    }
    self = first
  }
}
