internal import HTTPTypes
internal import Requests

/// How often a server has refused the credential of one request, and whether that is a reason to send it again: a 401
/// says that nothing was done, so that this is true of what must not happen twice, too.
struct CredentialRounds {
  /// How many challenges of the scheme Digest were met.
  private(set) var challenges = 0
  /// The token that the server called invalid.
  private(set) var refused: Secret?
  /// The token that was sent last.
  var token: AccessToken?

  /// How many tokens ended on their way, which is no opinion of the server about them.
  private var late = 0
  private var isRefused = false

  private static let mostLate = 3

  /// A server that gives out a nonce that is too old each time is not asked for ever.
  private static let mostChallenges = 3

  /// - Parameter now: since 1970.
  /// - Returns: whether to send the request again.
  mutating func isRepeated(
    after response: Response, _ prepared: PreparedRequest, _ sessions: DigestSessions, now: @autoclosure () -> Duration
  ) -> Bool {
    switch prepared.credential {
    case .digest(let identity):
      guard response.status.code == 401 else {
        sessions.take(response, for: identity, at: prepared.origin)
        return false
      }
      guard let challenge = DigestChallenge(of: response.headers),
        challenges == 0 || challenge.isStale && challenges < Self.mostChallenges
      else {
        sessions.forget(identity, at: prepared.origin)
        return false
      }
      challenges += 1
      sessions.take(challenge, for: identity, at: prepared.origin)
      return true
    case .oauth:
      guard response.status.code == 401, let token, Self.callsInvalid(response) else { return false }
      refused = token.secret
      if let expires = token.expires, expires <= now(), late < Self.mostLate {
        late += 1
        return true
      }
      defer { isRefused = true }
      return !isRefused
    case .bearer, .basic, .header, .query, .signed, nil: return false
    }
  }

  /// RFC 6750 §3.1
  private static func callsInvalid(_ response: Response) -> Bool {
    AuthenticationChallenge.all(.wwwAuthenticate, of: response.headers).contains {
      $0.has(scheme: "bearer") && $0.parameters["error"] == "invalid_token"
    }
  }
}
