public import HTTPTypes

/// How to talk to certain origins: base URL, credentials, default headers, timeouts.
///
/// Credentials, default headers and connections serve the profile's own origins and no others,
/// however the profile was chosen.
public typealias SessionProfile = CopyOnWrite<SessionProfileParts>

extension SessionProfile {
  /// A profile of that name; what is left out, it does not have.
  public init(
    name: String, base: BaseURL? = nil, otherOrigins: [OriginPattern] = [], credential: Credential? = nil,
    headers: HTTPFields = [:], query: [QueryItem] = [], timeout: Duration? = nil, retry: RetryRule? = nil,
    redirects: Int = 5, otherSecrets: [Secret] = [], limits: TransferLimits = TransferLimits(),
    network: NetworkSettings = NetworkSettings()
  ) {
    self.init(
      SessionProfileParts(
        name: name, base: base, otherOrigins: otherOrigins, credential: credential, headers: headers, query: query,
        timeout: timeout, limits: limits, retry: retry, redirects: redirects, network: network,
        otherSecrets: otherSecrets))
  }

  /// The profile of one API: its base URL, and the bearer token that goes to the base's origin and nowhere else.
  ///
  /// - Parameters:
  ///   - base: `https://api.example.com/v1`.
  ///   - token: proves who is asking; nil: nothing does.
  /// - Throws: `OriginError` if the base is not a URL, or has more than an origin and a path.
  public static func api(
    _ base: String, token: String? = nil, name: String = "api", headers: HTTPFields = [:]
  ) throws(OriginError) -> SessionProfile {
    let base = try BaseURL(base)
    let secret = token.map { Secret($0, name: "\(name) token", for: [OriginPattern(base.origin)]) }
    return SessionProfile(name: name, base: base, credential: secret.map(Credential.bearer), headers: headers)
  }

  /// The profile of one API whose token is where the source says.
  ///
  /// - Throws: `SecretSourceError` if it is not there, `OriginError` if the base is not a URL.
  public static func api(
    _ base: String, token: SecretSource, name: String = "api", headers: HTTPFields = [:]
  ) throws -> SessionProfile {
    var profile = try api(base, name: name, headers: headers)
    profile.credential = .bearer(try Secret(from: token, for: profile.origins))
    return profile
  }

  /// The profile of every URL that no profile claims: it is empty.
  public static var anonymous: SessionProfile { SessionProfileParts.anonymous }

  /// All origins this profile is for.
  public var origins: [OriginPattern] {
    (self.base.map { [OriginPattern($0.origin)] } ?? []) + self.otherOrigins
  }

  /// Whether this profile's credentials may go to the origin.
  public func serves(_ origin: Origin) -> Bool {
    specificity(for: origin) != nil
  }

  /// How closely its origins match this one: the largest `specificity`; nil: none matches.
  func specificity(for origin: Origin) -> Int? {
    // Asked of every profile for each request: `whole` is not copied.
    var best: Int? = whole.base?.origin == origin ? 0 : nil
    for pattern in whole.otherOrigins where pattern.matches(origin) { best = max(best ?? .min, pattern.specificity) }
    return best
  }

  /// Every secret in this profile.
  public var secrets: [Secret] {
    var secrets = self.credential?.secrets ?? []
    if let password = self.network.proxy?.password { secrets.append(password) }
    if let passphrase = self.network.tls.passphrase { secrets.append(passphrase) }
    if !self.otherSecrets.isEmpty { secrets += self.otherSecrets }
    if !self.localSecrets.isEmpty { secrets += self.localSecrets }
    return secrets
  }
}

/// The parts of a session profile.
public struct SessionProfileParts: Hashable, Sendable {
  /// Its display name; connections and cookies are kept separately per name.
  public var name: String
  /// What a path is appended to, without a trailing `/`; its origin is one of the profile's.
  public var base: BaseURL?
  /// The origins this profile is for, besides the base's.
  public var otherOrigins: [OriginPattern]
  /// It is sent to the profile's origins only; nil: none.
  public var credential: Credential?
  /// Headers of every request to the profile's origins; a step's own override them.
  public var headers: HTTPFields
  /// Headers that the program would add, and that requests to the profile's origins are sent without; a step's own
  /// override them.
  public var omittedHeaders: [HTTPField.Name] = []
  /// Query items of every request to the profile's origins.
  public var query: [QueryItem]
  /// The limit for one whole exchange; nil: no limit.
  public var timeout: Duration?
  /// The limits of the parts of an exchange.
  public var limits: TransferLimits
  /// nil: the sender's own.
  public var retry: RetryRule?
  /// How many redirects are followed.
  public var redirects: Int
  /// How connections to its origins are made.
  public var network: NetworkSettings
  /// Secrets contained in the headers or the query, so that they can be hidden.
  public var otherSecrets: [Secret]
  /// Secrets that its connections are made with. They are hidden, and no request may contain them.
  public var localSecrets: [Secret] = []

  fileprivate static let anonymous = SessionProfile(name: "anonymous")
}
