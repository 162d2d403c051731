/// How a profile's connections are made: trust, protocol, route to the host, cookies. Plain values: nothing is read
/// from the environment, `~/.curlrc` or `~/.netrc`.
public typealias NetworkSettings = CopyOnWrite<NetworkParts>

extension NetworkSettings {
  /// Which version of HTTP is used.
  public typealias Version = NetworkParts.Version
  /// Which certificates are trusted, and which one is presented.
  public typealias TLS = NetworkParts.TLS
  /// Another address for a host.
  public typealias Resolve = NetworkParts.Resolve

  /// Anything left out has its default.
  public init(
    tls: TLS = TLS(), version: Version = .automatic, proxy: Proxy? = nil, resolve: [Resolve] = [],
    unixSocket: String? = nil, keepsCookies: Bool = false
  ) {
    self.init(
      NetworkParts(
        tls: tls, version: version, proxy: proxy, resolve: resolve, unixSocket: unixSocket, keepsCookies: keepsCookies))
  }

  /// What remains of them at an origin outside the profile: the route, but no identity, no trust, no cookies.
  public var elsewhere: NetworkSettings { NetworkSettings(version: self.version, proxy: self.proxy) }
}

/// The parts of a profile's network settings.
public struct NetworkParts: Hashable, Sendable {
  /// Which version of HTTP is used.
  public enum Version: String, Hashable, Sendable, CaseIterable {
    /// HTTP/2 where the server offers it with TLS, else HTTP/1.1.
    case automatic
    /// HTTP/1.1, whatever the server offers.
    case http1 = "1.1"
    /// HTTP/2; without TLS it is spoken from the first byte (RFC 9113 §3.3).
    case http2 = "2"
  }

  /// Which certificates are trusted, and which one is presented.
  public struct TLS: Hashable, Sendable {
    /// A file of authorities in PEM, trusted instead of the system's; nil: the system's.
    public var authorities: String?
    /// A file with the client's own certificate, and perhaps the certificates that signed it.
    public var certificate: String?
    /// That file's format; nil: the one its extension implies.
    public var format: Format?
    /// A file with the certificate's private key in PEM; nil: in the certificate's file.
    public var key: String?
    /// Decrypts the private key; nil: it is not encrypted. It never leaves this machine.
    public var passphrase: Secret?
    /// The oldest version of TLS that is spoken.
    public var minimum: Minimum
    /// Whether the server's certificate is accepted unverified. Anyone in between can then read and change everything.
    public var isInsecure: Bool

    public init(
      authorities: String? = nil, certificate: String? = nil, format: Format? = nil, key: String? = nil,
      passphrase: Secret? = nil, minimum: Minimum = .tls12, isInsecure: Bool = false
    ) {
      self.authorities = authorities
      self.certificate = certificate
      self.format = format
      self.key = key
      self.passphrase = passphrase
      self.minimum = minimum
      self.isInsecure = isInsecure
    }

    /// How a file holds a certificate.
    public enum Format: Hashable, Sendable, CaseIterable {
      /// As text between `-----BEGIN …-----` and `-----END …-----` (RFC 7468).
      case pem
      /// With its private key, usually encrypted (PKCS #12, RFC 7292).
      case pkcs12

      /// The format of a file of that name, by convention: `me.p12` and `me.pfx` are PKCS #12.
      public init(path: String) {
        let name = path.lowercased()
        self = name.hasSuffix(".p12") || name.hasSuffix(".pfx") ? .pkcs12 : .pem
      }
    }

    /// A version of TLS; nothing older than 1.2 is ever spoken.
    public enum Minimum: String, Hashable, Sendable, CaseIterable {
      /// RFC 5246.
      case tls12 = "1.2"
      /// RFC 8446.
      case tls13 = "1.3"
    }
  }

  /// Another address for a host; the certificate must still be the host's own.
  public struct Resolve: Hashable, Sendable {
    /// Lowercase, without a port.
    public let host: String
    /// An IP address or another name; an IPv6 address is in brackets.
    public let address: String
    /// nil: the URL's own.
    public let port: Int?

    /// - Parameter address: `127.0.0.1`, `[::1]`, `127.0.0.1:8443`, or an IPv6 address without brackets.
    public init(host: String, address: String) throws(OriginError) {
      let isBareIPv6 = address.filter { $0 == ":" }.count > 1 && !address.hasPrefix("[")
      let place = try Origin("http://\(isBareIPv6 ? "[\(address)]" : address)")
      let origin = try Origin("http://\(host)")
      self.host = origin.host
      self.address = place.host
      port = address.hasSuffix(":\(place.port)") && !isBareIPv6 ? place.port : nil
    }
  }

  /// Trust, and the client's own certificate.
  public var tls: TLS
  /// The version of HTTP.
  public var version: Version
  /// nil: directly to the host.
  public var proxy: Proxy?
  /// Addresses that are used instead of what the system would resolve.
  public var resolve: [Resolve]
  /// The path of a socket that is connected to instead of the host.
  public var unixSocket: String?
  /// Whether cookies that the profile's origins set are kept and sent back to them.
  public var keepsCookies: Bool
}
