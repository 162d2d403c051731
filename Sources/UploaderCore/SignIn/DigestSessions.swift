internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import Synchronization

/// The challenges that servers have made, so that the next request need not be challenged again.
final class DigestSessions: Sendable {
  private struct Key: Hashable {
    let identity: DigestIdentity
    let origin: Origin
  }

  private let sessions = Mutex<[Key: DigestSession]>([:])

  /// What the request says; nil: the server has not challenged yet.
  func field(
    for identity: DigestIdentity, _ prepared: PreparedRequest
  ) throws(FileError) -> DigestSession.Field? {
    let key = Key(identity: identity, origin: prepared.origin)
    let request = prepared.request
    // A body is read outside of the lock; what counts is taken inside.
    guard
      var session = sessions.withLock({ sessions -> DigestSession? in
        let session = sessions[key]
        sessions[key]?.countOne()
        return session
      })
    else { return nil }
    return try session.field(
      for: identity, method: request.method.rawValue, target: Self.target(of: request.url), body: request.body ?? [])
  }

  /// The server has challenged.
  func take(_ challenge: DigestChallenge, for identity: DigestIdentity, at origin: Origin) {
    let nonce = "\(UInt64.random(in: .min ... .max).hex(16))\(UInt64.random(in: .min ... .max).hex(16))"
    sessions.withLock {
      $0[Key(identity: identity, origin: origin)] = DigestSession(challenge, clientNonce: nonce)
    }
  }

  /// The server did not accept what it was sent.
  func forget(_ identity: DigestIdentity, at origin: Origin) {
    sessions.withLock { $0[Key(identity: identity, origin: origin)] = nil }
  }

  /// What a response says about the next request.
  func take(_ response: Response, for identity: DigestIdentity, at origin: Origin) {
    guard let name = HTTPField.Name("Authentication-Info"), let field = response.headers[name] else { return }
    sessions.withLock { $0[Key(identity: identity, origin: origin)]?.take(authenticationInfo: field) }
  }

  /// Path and query, as they are sent.
  private static func target(of url: String) -> String {
    let address = url.prefix { $0 != "#" }
    let rest = (address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address).drop {
      $0 != "/" && $0 != "?"
    }
    return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }
}
