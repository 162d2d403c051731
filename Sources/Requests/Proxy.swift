/// A server that connects for us.
public struct Proxy: Hashable, Sendable {
  /// How the proxy is spoken to.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// HTTP; to servers with TLS by `CONNECT` (RFC 9110 §9.3.6).
    case http
    /// HTTP inside TLS as far as the proxy.
    case https
    /// SOCKS version 5 (RFC 1928); the host's name is resolved here.
    case socks5
    /// SOCKS version 5; the proxy resolves the host's name.
    case socks5h

    /// The port that stands when the text names none.
    public var defaultPort: Int {
      switch self {
      case .http: 8080
      case .https: 443
      case .socks5, .socks5h: 1080
      }
    }
  }

  /// How it is spoken to.
  public let kind: Kind
  /// In lower case; an IPv6 address stands in brackets.
  public let host: String
  /// The kind's own where the text named none.
  public let port: Int
  /// Who we are to the proxy; nil: nobody in particular.
  public let user: String?
  /// It goes to the proxy only.
  public let password: Secret?
  /// A file of authorities in PEM, trusted instead of the system's for a proxy that is spoken to over TLS.
  public var authorities: String?

  /// A proxy as people write it: `http://proxy.example.com:3128`, `socks5h://user:password@127.0.0.1:1080`; user and
  /// password are taken as they stand, without percent-decoding.
  ///
  /// - Parameter origins: those of the profile, to which the password belongs.
  public init(_ text: String, for origins: [OriginPattern] = []) throws(OriginError) {
    guard let colon = text.firstRange(of: "://"), let kind = Kind(rawValue: text[..<colon.lowerBound].lowercased())
    else { throw .scheme(text) }
    var rest = text[colon.upperBound...]
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = String(parts[0])
      password = parts.count == 2 ? Secret(String(parts[1]), name: "proxy password", for: origins) : nil
      rest = rest[rest.index(after: at)...]
    } else {
      user = nil
      password = nil
    }
    let origin: Origin
    do {
      origin = try Origin("http://\(rest)")
    } catch {
      switch error {
      // The text may hold a password; what is said of it does not.
      case .scheme: throw .scheme(String(rest))
      case .host: throw .host(String(rest))
      case .port: throw .port(String(rest))
      case .trailing: throw .trailing(String(rest))
      case .wildcard: throw .wildcard(String(rest))
      }
    }
    self.kind = kind
    host = origin.host
    let end = rest.hasSuffix("/") ? rest.dropLast() : rest
    port = end.hasSuffix(":\(origin.port)") ? origin.port : kind.defaultPort
  }

  /// `host:port`.
  public var authority: String { "\(host):\(port)" }
}
