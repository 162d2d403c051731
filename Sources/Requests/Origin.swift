// This module says what to send, what came back and in which order. It does not
// know how anything is sent, and it knows no script text.

/// Scheme, host and port of a URL: what a credential belongs to (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The schemes that can be spoken.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// Without TLS.
    case http
    /// With TLS.
    case https

    /// The port that stands when a URL names none.
    public var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  /// How it is spoken to.
  public let scheme: Scheme
  /// In lowercase; an IPv6 address stands in brackets, with its zone, which is as the system spells it (RFC 6874).
  public let host: String
  /// The scheme's own where the URL named none.
  public let port: Int

  /// The origin of parts that a URL parser has already taken apart.
  public init(scheme: Scheme, host: String, port: Int? = nil) {
    self.scheme = scheme
    self.host = Self.normalized(host)
    self.port = port ?? scheme.defaultPort
  }

  /// In lowercase but for the zone: `lo` and `LO` are two links.
  static func normalized(_ host: String) -> String {
    guard host.first == "[", let zone = host.firstRange(of: "%25") else { return host.lowercased() }
    return host[..<zone.lowerBound].lowercased() + host[zone.lowerBound...]
  }

  /// An origin as people write it: `https://api.example.com` or `http://127.0.0.1:8080`.
  ///
  /// Strict on purpose: what differs in the least (a trailing dot, user info, another
  /// spelling of an address) is another origin, and then gets no credential.
  public init(_ text: String) throws(OriginError) {
    let pattern = try OriginPattern(text)
    guard let origin = pattern.origin else { throw OriginError.wildcard(text) }
    self = origin
  }

  /// `scheme://host`, with the port where it is not the scheme's own.
  public var description: String {
    "\(scheme.rawValue)://\(authority)"
  }

  /// `host`, with the port where it is not the scheme's own.
  public var authority: String {
    port == scheme.defaultPort ? host : "\(host):\(port)"
  }

  /// What `Host` says of it: the zone is nobody's but this machine's (RFC 6874 §4).
  public var hostField: String {
    guard host.first == "[", let zone = host.firstRange(of: "%25") else { return authority }
    return "\(host[..<zone.lowerBound])]" + authority.dropFirst(host.count)
  }
}

/// Why a text is no origin.
public enum OriginError: Error, Hashable, Sendable {
  /// It does not begin with `http://` or `https://`.
  case scheme(String)
  /// The host is empty or has a character that no host has.
  case host(String)
  /// The port is no number from 1 to 65535.
  case port(String)
  /// Something follows the port: a path, a query, user info.
  case trailing(String)
  /// A `*` stands where one origin must be named.
  case wildcard(String)
}
