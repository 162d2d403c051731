public import HTTPTypes

/// Proves who is asking. It is part of a session profile and serves that profile's origins only.
public enum Credential: Hashable, Sendable {
  /// `Authorization: Bearer …` (RFC 6750 §2.1).
  case bearer(Secret)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: String, password: Secret)
  /// A key in a header of its own, `X-Api-Key: …`.
  case header(HTTPField.Name, Secret)
  /// A key in the query, `?key=…`.
  case query(name: String, Secret)
  /// A signature of each request (AWS Signature Version 4).
  indirect case sigv4(SigV4Identity)

  /// The secret that is the proof.
  public var secret: Secret {
    switch self {
    case .bearer(let secret), .basic(_, let secret), .header(_, let secret), .query(_, let secret): secret
    case .sigv4(let identity): identity.secretKey
    }
  }

  /// All secrets it contains.
  public var secrets: [Secret] {
    switch self {
    case .bearer, .basic, .header, .query: [secret]
    case .sigv4(let identity): [secret] + (identity.sessionToken.map { [$0] } ?? [])
    }
  }

  /// The part of a request it is sent in.
  public var part: WithheldCredential.Part {
    switch self {
    case .bearer, .basic, .sigv4: .header(.authorization)
    case .header(let name, _): .header(name)
    case .query(let name, _): .query(name)
    }
  }

  /// How to name it without revealing it: `bearer ••••`.
  public var summary: String {
    switch self {
    case .bearer: "bearer ••••"
    case .basic(let user, _): "basic \(user), ••••"
    case .header(let name, _): "\(name): ••••"
    case .query(let name, _): "?\(name)=••••"
    case .sigv4(let identity): "sigv4 \(identity.accessKey), ••••, \(identity.region)/\(identity.service)"
    }
  }
}

/// Who signs, and for what (AWS Signature Version 4).
public struct SigV4Identity: Hashable, Sendable {
  /// It names the key and is not secret: `AKIA…`.
  public var accessKey: String
  /// It signs, and is never sent.
  public var secretKey: Secret
  /// Only with temporary credentials.
  public var sessionToken: Secret?
  /// `us-east-1`.
  public var region: String
  /// `s3`, `execute-api`.
  public var service: String

  public init(accessKey: String, secretKey: Secret, sessionToken: Secret? = nil, region: String, service: String) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.region = region
    self.service = service
  }
}
