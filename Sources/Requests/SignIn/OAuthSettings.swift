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
    /// In the header `Authorization`, with the client's name: `Basic …`.
    case basic
    /// In the form that asks for the token, as `client_secret`.
    case body
  }

  /// What an assertion is signed with (RFC 7518 §3.1).
  public enum Algorithm: String, CaseIterable, Sendable {
    /// ECDSA with the curve P-256 and SHA-256.
    case es256 = "ES256"
    /// ECDSA with the curve P-384 and SHA-384.
    case es384 = "ES384"
    /// ECDSA with the curve P-521 and SHA-512.
    case es512 = "ES512"
    /// RSA with SHA-256 and the padding of PKCS #1 v1.5.
    case rs256 = "RS256"
    /// RSA with SHA-256 and the padding PSS.
    case ps256 = "PS256"
  }

  /// What proves that the client is who it says.
  public enum Proof: Hashable, Sendable {
    /// Nothing, or the certificate that its connection is made with (RFC 8705).
    case none
    /// A secret that the server knows too, and where it is sent.
    case secret(Secret, SecretPlace)
    /// An assertion signed with this private key, in PEM (RFC 7523).
    case key(Secret, id: String?, Algorithm?)
  }

  /// Where the endpoints are that discovery does not have to find.
  public struct Endpoints: Hashable, Sendable {
    /// The URL that gives out tokens; nil: discovered.
    public var token: String?
    /// The URL that the browser is sent to; nil: discovered.
    public var authorization: String?
    /// The URL at which a device asks for its code (RFC 8628); nil: discovered.
    public var device: String?
    /// The URL that revokes tokens (RFC 7009); nil: discovered.
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

  /// How to get a token.
  public var flow: Flow
  /// Whose endpoints are discovered; nil: nobody's.
  public var issuer: String?
  /// What the program is called by the server (`client_id`).
  public var clientID: String
  /// What proves that it is this program.
  public var proof = Proof.none
  /// What the token is for, with spaces between; nil: whatever the server gives without being asked.
  public var scope: String?
  /// Whom the token is for, by name; nil: not said.
  public var audience: String?
  /// Whom the token is for, as a URL (RFC 8707); nil: not said.
  public var resource: String?
  /// Whatever else the issuer wants, in order.
  public var parameters: [QueryItem] = []
  /// Who signs in, if there may be several: tokens are kept for each, and the sign-in page gets it as a hint; nil: not
  /// said.
  public var user: String?
  /// Those that are given; the others are discovered from the issuer.
  public var endpoints = Endpoints()
  /// Of the loopback address that the browser comes back to; nil: a free one.
  public var port: Int?
  /// The path of that address; it begins with a slash.
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
