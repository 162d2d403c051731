internal import Requests

/// A cookie that is kept (RFC 6265 §5.3).
public struct Cookie: Hashable, Sendable {
  /// Compared byte for byte.
  public let name: String
  /// As the server wrote it.
  public let value: String
  /// The host, or the domain that it is for, in lower case.
  public let domain: String
  /// Whether it goes to that host alone, and to none below it.
  public let isHostOnly: Bool
  /// The port that set it, and the only one that it goes to: another may be another's server (RFC 6265 §8.5).
  public let port: Int
  /// It goes to this path and to those below it (RFC 6265 §5.1.4).
  public let path: String
  /// Whether it goes over https only.
  public let isSecure: Bool
  /// Whether the server asked to keep it from scripts (RFC 6265 §5.2.6); here it is only told.
  public let isHTTPOnly: Bool
  /// Since 1970; nil: until the session ends.
  public let expires: Duration?

  /// Whether it stands for the same thing as the other, and takes its place.
  func replaces(_ other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && port == other.port
      && path == other.path
  }

  /// Whether there is a host that would be sent both under the same name, whatever their paths and ports
  /// (RFC 6265bis §5.7).
  func sharesHosts(with other: Cookie) -> Bool {
    name == other.name
      && (domain == other.domain || domain.hasSuffix(".\(other.domain)") || other.domain.hasSuffix(".\(domain)"))
  }

  /// Whether it goes there.
  func belongs(to place: CookiePlace) -> Bool {
    let isItsHost = isHostOnly ? domain == place.origin.host : place.isBelow(domain)
    return isItsHost && port == place.origin.port && (!isSecure || place.isSecure) && place.isUnder(path)
  }
}

/// Where a request goes, as far as cookies look at it.
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

  /// What stands for a cookie that names no path: up to the last `/` (RFC 6265 §5.1.4).
  var defaultPath: String {
    guard path.first == "/", let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private var isAddress: Bool {
    origin.host.hasPrefix("[")
      || origin.host.split(separator: ".").last?.allSatisfy { ("0"..."9").contains($0) } ?? true
  }
}
