public import HTTPTypes

/// Proves who is asking. It is part of a session profile and serves that profile's origins only.
//
// Each request copies it several times: all that has more than one part is kept elsewhere (`indirect`).
public enum Credential: Hashable, Sendable {
  /// `Authorization: Bearer …` (RFC 6750 §2.1).
  case bearer(Secret)
  /// `Authorization: Basic …` (RFC 7617).
  indirect case basic(user: String, password: Secret)
  /// A key in a header of its own, `X-Api-Key: …`.
  indirect case header(HTTPField.Name, Secret)
  /// A key in the query, `?key=…`.
  indirect case query(name: String, Secret)
  /// A signature of each request.
  indirect case signed(SigningIdentity)
  /// `Authorization: Digest …`, when the server has asked for it (RFC 7616).
  indirect case digest(DigestIdentity)
  /// A token that an authorization server gives out (RFC 6749), as `Authorization: Bearer …`.
  indirect case oauth(OAuthSettings)

  /// All secrets it contains.
  public var secrets: [Secret] {
    switch self {
    case .bearer(let secret), .basic(_, let secret), .header(_, let secret), .query(_, let secret): [secret]
    case .signed(let identity): identity.signer.members.compactMap { identity.secrets[$0.name] }
    case .digest(let identity): [identity.password]
    case .oauth(let settings): settings.allSecrets
    }
  }

  /// The part of a request it is sent in.
  public var part: WithheldCredential.Part {
    switch self {
    case .bearer, .basic, .signed, .digest, .oauth: .header(.authorization)
    case .header(let name, _): .header(name)
    case .query(let name, _): .query(name)
    }
  }

  /// The header field it is sent in as it is; nil: another part, or it depends on the request or a response.
  package var field: HTTPField? {
    switch self {
    case .bearer(let secret):
      secret.withExposedText { HTTPField(name: .authorization, value: "Bearer " + $0) }
    case .basic(let user, let secret):
      secret.withExposedText {
        HTTPField(name: .authorization, value: BasicCredential(user: user, password: $0).field)
      }
    case .header(let name, let secret):
      secret.withExposedText { HTTPField(name: name, value: $0) }
    case .query, .signed, .digest, .oauth: nil
    }
  }

  /// How to name it without revealing it: `bearer ••••`.
  public var summary: String {
    switch self {
    case .bearer: "bearer ••••"
    case .basic(let user, _): "basic \(user), ••••"
    case .header(let name, _): "\(name): ••••"
    case .query(let name, _): "?\(name)=••••"
    case .signed(let identity): identity.summary
    case .digest(let identity): "digest \(identity.user), ••••"
    case .oauth(let settings): settings.summary
    }
  }
}
