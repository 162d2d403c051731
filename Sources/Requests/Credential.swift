public import HTTPTypes

/// What proves who is asking. It is part of a session profile and serves that profile's origins only.
public enum Credential: Hashable, Sendable {
  /// `Authorization: Bearer …` (RFC 6750 §2.1).
  case bearer(Secret)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: String, password: Secret)
  /// A key in a header of its own, `X-Api-Key: …`.
  case header(HTTPField.Name, Secret)

  /// The secret in it.
  public var secret: Secret {
    switch self {
    case .bearer(let secret), .basic(_, let secret), .header(_, let secret): secret
    }
  }

  /// The header field it is sent in.
  public var fieldName: HTTPField.Name {
    switch self {
    case .bearer, .basic: .authorization
    case .header(let name, _): name
    }
  }

  /// How to call it without telling it: `bearer ••••`.
  public var summary: String {
    switch self {
    case .bearer: "bearer ••••"
    case .basic(let user, _): "basic \(user), ••••"
    case .header(let name, _): "\(name): ••••"
    }
  }
}
