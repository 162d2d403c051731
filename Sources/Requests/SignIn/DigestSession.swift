internal import HTTPTypes

/// What a user sends to a server that has challenged it: each request gets the next count (RFC 7616 §3.4).
package struct DigestSession: Hashable, Sendable {
  package private(set) var challenge: DigestChallenge
  private let clientNonce: String
  /// How many requests it was used for since the server gave the nonce.
  private var count = 0

  /// - Parameter clientNonce: a text that nobody can foresee.
  package init(_ challenge: DigestChallenge, clientNonce: String) {
    self.challenge = challenge
    self.clientNonce = clientNonce
  }

  /// The server gave the nonce for the next request (RFC 7616 §3.5).
  package mutating func take(authenticationInfo field: String) {
    let parameters = AuthenticationChallenge.parameters(in: field)
    guard let next = parameters["nextnonce"], !next.isEmpty, next != challenge.nonce else { return }
    challenge.nonce = next
    count = 0
  }

  /// A request takes the next count: what it says is made from a copy.
  package mutating func countOne() { count += 1 }

  /// What the header `Authorization` says, and the digest in it.
  package struct Field: Hashable, Sendable {
    package let value: String
    /// It was made from the password.
    package let response: String
  }

  /// - Parameter target: path and query, as they are sent.
  package mutating func field(
    for identity: DigestIdentity, method: String, target: String, body: [BodySegment]
  ) throws(FileError) -> Field {
    count += 1
    let algorithm = challenge.algorithm
    let hash: (String) -> String = { algorithm.hash($0) }
    var secret = identity.password.withExposedText { hash("\(identity.user):\(challenge.realm):\($0)") }
    if challenge.isSession { secret = hash("\(secret):\(challenge.nonce):\(clientNonce)") }
    var request = "\(method):\(target)"
    if challenge.protection == .requestAndBody { request += ":" + (try algorithm.hash(body)) }
    let digits = String(count, radix: 16)
    let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let quality = challenge.protection.rawValue
    let response: String
    switch challenge.protection {
    case .legacy: response = hash("\(secret):\(challenge.nonce):\(hash(request))")
    case .request, .requestAndBody:
      response = hash("\(secret):\(challenge.nonce):\(number):\(clientNonce):\(quality):\(hash(request))")
    }

    var items = [user(identity.user), "realm=\(Self.quote(challenge.realm))", "uri=\(Self.quote(target))"]
    if let text = challenge.algorithmText { items.append("algorithm=\(text)") }
    items.append("nonce=\(Self.quote(challenge.nonce))")
    switch challenge.protection {
    case .legacy: if challenge.isSession { items.append("cnonce=\(Self.quote(clientNonce))") }
    case .request, .requestAndBody:
      items += ["nc=\(number)", "cnonce=\(Self.quote(clientNonce))", "qop=\(quality)"]
    }
    items.append("response=\"\(response)\"")
    if let opaque = challenge.opaque { items.append("opaque=\(Self.quote(opaque))") }
    if challenge.hashesUser { items.append("userhash=true") }
    return Field(value: "Digest " + items.joined(separator: ", "), response: response)
  }

  private func user(_ name: String) -> String {
    if challenge.hashesUser { return "username=\"\(challenge.algorithm.hash("\(name):\(challenge.realm)"))\"" }
    let isPlain = name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isPlain ? "username=\(Self.quote(name))" : "username*=UTF-8''\(PercentEncoding.component.encode(name))"
  }

  private static func quote(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
