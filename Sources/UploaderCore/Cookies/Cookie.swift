internal import Requests

/// A stored cookie (RFC 6265 §5.3).
public struct Cookie: Hashable, Sendable {
  /// Compared byte for byte.
  public let name: String
  /// As the server wrote it.
  public let value: String
  /// The host or domain that it is for, in lowercase.
  public let domain: String
  /// Whether it is sent to that host alone, and to none below it.
  public let isHostOnly: Bool
  /// The port that set it, and the only one it is sent to: another port may be another's server (RFC 6265 §8.5).
  public let port: Int
  /// It is sent to this path and to those below it (RFC 6265 §5.1.4).
  public let path: String
  /// Whether it is sent over https only.
  public let isSecure: Bool
  /// Whether the server asked to hide it from scripts (RFC 6265 §5.2.6); here this is only reported.
  public let isHTTPOnly: Bool
  /// Since 1970; nil: until the session ends.
  public let expires: Duration?

  /// Whether it identifies the same cookie as the other, and replaces it.
  func replaces(_ other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && port == other.port
      && path == other.path
  }

  /// Whether some host would be sent both under the same name, whatever their paths and ports (RFC 6265bis §5.7).
  func sharesHosts(with other: Cookie) -> Bool {
    name == other.name
      && (domain == other.domain || domain.hasSuffix(".\(other.domain)") || other.domain.hasSuffix(".\(domain)"))
  }

  /// Whether it is sent there.
  func belongs(to place: CookiePlace) -> Bool {
    let isItsHost = isHostOnly ? domain == place.origin.host : place.isBelow(domain)
    return isItsHost && port == place.origin.port && (!isSecure || place.isSecure) && place.isUnder(path)
  }
}

/// Where a request goes, as far as cookies are concerned.
struct CookiePlace: Hashable {
  let origin: Origin
  /// Without a query; never empty.
  let path: String

  var isSecure: Bool { origin.scheme == .https }

  /// Whether the host is the domain or one below it (RFC 6265 §5.1.3); an address is below nothing.
  func isBelow(_ domain: String) -> Bool {
    origin.host == domain || (origin.host.hasSuffix(".\(domain)") && !isAddress)
  }

  /// Whether the path is the cookie's or one below it (RFC 6265 §5.1.4).
  func isUnder(_ other: String) -> Bool {
    path == other || (path.hasPrefix(other) && (other.hasSuffix("/") || path.dropFirst(other.count).first == "/"))
  }

  /// The default for a cookie that names no path: up to the last `/` (RFC 6265 §5.1.4).
  var defaultPath: String {
    guard path.first == "/", let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private var isAddress: Bool {
    origin.host.hasPrefix("[")
      || origin.host.split(separator: ".").last?.allSatisfy { ("0"..."9").contains($0) } ?? true
  }
}
