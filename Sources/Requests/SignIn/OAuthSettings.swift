/// How to get a token from an authorization server (RFC 6749), as a profile says it.
public struct OAuthSettings: Hashable, Sendable {
  /// How to get one.
  public enum Flow: String, CaseIterable, Sendable {
    /// The program is its own user (RFC 6749 §4.4).
    case clientCredentials = "client-credentials"
    /// Somebody signs in with a browser on this machine (RFC 6749 §4.1, RFC 8252).
    case browser
    /// Somebody signs in with a browser elsewhere (RFC 8628).
    case device
  }

  /// Where the client's secret is sent (RFC 6749 §2.3.1).
  public enum SecretPlace: String, CaseIterable, Sendable {
    case basic, body
  }

  /// What an assertion is signed with (RFC 7518 §3.1).
  public enum Algorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case rs256 = "RS256"
    case ps256 = "PS256"
  }

  /// What proves that the client is who it says.
  public enum Proof: Hashable, Sendable {
    /// Nothing, or the certificate that its connection is made with (RFC 8705).
    case none
    case secret(Secret, SecretPlace)
    /// An assertion signed with this private key, in PEM (RFC 7523).
    case key(Secret, id: String?, Algorithm?)
  }

  /// Where the endpoints are that discovery does not have to find.
  public struct Endpoints: Hashable, Sendable {
    public var token: String?
    public var authorization: String?
    public var device: String?
    public var revocation: String?

    public init(
      token: String? = nil, authorization: String? = nil, device: String? = nil, revocation: String? = nil
    ) {
      self.token = token
      self.authorization = authorization
      self.device = device
      self.revocation = revocation
    }

    /// All that are given.
    public var urls: [String] { [token, authorization, device, revocation].compactMap(\.self) }
  }

  public var flow: Flow
  /// Whose endpoints are discovered; nil: nobody's.
  public var issuer: String?
  public var clientID: String
  public var proof = Proof.none
  public var scope: String?
  public var audience: String?
  public var resource: String?
  /// Whatever else the issuer wants, in order.
  public var parameters: [QueryItem] = []
  public var user: String?
  public var endpoints = Endpoints()
  /// Of the loopback address that the browser comes back to; nil: a free one.
  public var port: Int?
  public var redirectPath = "/callback"
  /// Secrets that any of it was made from.
  public var secrets: [Secret] = []

  public init(flow: Flow, issuer: String? = nil, clientID: String) {
    self.flow = flow
    self.issuer = issuer
    self.clientID = clientID
  }

  /// Without revealing anything: `oauth browser https://login.example.com`.
  public var summary: String { "oauth \(flow.rawValue), \(clientID) at \(place)" }

  /// Who gives the tokens out.
  public var place: String { issuer ?? endpoints.token ?? "nobody" }

  /// Every secret in it.
  public var allSecrets: [Secret] {
    switch proof {
    case .none: secrets
    case .secret(let secret, _), .key(let secret, _, _): secrets + [secret]
    }
  }
}
