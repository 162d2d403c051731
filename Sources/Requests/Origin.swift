// This module says what to send, what came back and in which order. It does not know how anything is sent, and it knows
// no script text.

/// Scheme, host and port of a URL: what a credential belongs to (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The supported schemes.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// Without TLS.
    case http
    /// With TLS.
    case https

    /// The port used when a URL names none.
    public var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  /// The scheme.
  public let scheme: Scheme
  /// In lowercase; an IPv6 address is in brackets, with its zone, which is spelled as the system spells it (RFC 6874).
  public let host: String
  /// The scheme's default if the URL named none.
  public let port: Int

  /// The origin of parts that a URL parser has already separated.
  public init(scheme: Scheme, host: String, port: Int? = nil) {
    self.scheme = scheme
    self.host = Self.normalized(host)
    self.port = port ?? scheme.defaultPort
  }

  /// In lowercase except for the zone: `lo` and `LO` are two links.
  static func normalized(_ host: String) -> String {
    guard host.first == "[", let zone = host.firstRange(of: "%25") else { return host.lowercased() }
    return host[..<zone.lowerBound].lowercased() + host[zone.lowerBound...]
  }

  /// An origin as people write it: `https://api.example.com` or `http://127.0.0.1:8080`.
  ///
  /// Strict on purpose: anything that differs in the least (a trailing dot, user info, another spelling of an address)
  /// is another origin, and then gets no credential.
  public init(_ text: String) throws(OriginError) {
    let pattern = try OriginPattern(text)
    guard let origin = pattern.origin else { throw OriginError.wildcard(text) }
    self = origin
  }

  /// `scheme://host`, with the port unless it is the scheme's default.
  public var description: String {
    "\(scheme.rawValue)://\(authority)"
  }

  /// `host`, with the port unless it is the scheme's default.
  public var authority: String {
    port == scheme.defaultPort ? host : "\(host):\(port)"
  }

  /// What `Host` says: the zone concerns only this machine (RFC 6874 §4).
  public var hostField: String {
    guard host.first == "[", let zone = host.firstRange(of: "%25") else { return authority }
    return "\(host[..<zone.lowerBound])]" + authority.dropFirst(host.count)
  }
}

/// Why a text is not an origin.
public enum OriginError: Error, Hashable, Sendable {
  /// It does not begin with `http://` or `https://`.
  case scheme(String)
  /// The host is empty or has a character that is not allowed in one.
  case host(String)
  /// The port is not a number from 1 to 65535.
  case port(String)
  /// Something follows the port: a path, a query, user info.
  case trailing(String)
  /// A `*` where a single origin must be named.
  case wildcard(String)
}
