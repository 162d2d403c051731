/// A server that connects on our behalf.
public struct Proxy: Hashable, Sendable {
  /// The protocol used with the proxy.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// HTTP; servers with TLS are reached with `CONNECT` (RFC 9110 §9.3.6).
    case http
    /// HTTP inside TLS as far as the proxy.
    case https
    /// SOCKS version 5 (RFC 1928); the host's name is resolved on this machine.
    case socks5
    /// SOCKS version 5; the proxy resolves the host's name.
    case socks5h

    /// The port used when the text names none.
    public var defaultPort: Int {
      switch self {
      case .http: 8080
      case .https: 443
      case .socks5, .socks5h: 1080
      }
    }
  }

  /// The protocol.
  public let kind: Kind
  /// In lowercase; an IPv6 address is in brackets.
  public let host: String
  /// The kind's default if the text named none.
  public let port: Int
  /// The user name for the proxy; nil: no authentication.
  public let user: String?
  /// It is sent to the proxy only.
  public let password: Secret?
  /// A file of authorities in PEM, trusted instead of the system's for a proxy that is reached over TLS.
  public var authorities: String?

  /// A proxy as people write it: `http://proxy.example.com:3128`, `socks5h://user:password@127.0.0.1:1080`; user and
  /// password are taken literally, without percent-decoding.
  ///
  /// - Parameter origins: those of the profile that the password belongs to.
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
      // The text may contain a password; the error must not.
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
