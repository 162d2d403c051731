internal import Requests

/// One parsed `Set-Cookie` (RFC 6265 §5.2).
struct SetCookie: Hashable {
  private let name: String
  private let value: String
  private var domain: String?
  private var path: String?
  private var maxAge: Duration?
  private var expires: Duration?
  private var isSecure = false
  private var isHTTPOnly = false

  /// Longer ones are not accepted, in bytes of name and value.
  static let sizeLimit = 4096

  /// nil if it is not a cookie, or is too long.
  init?(_ header: String) {
    guard let pair = CookiePair(header), pair.name.utf8.count + pair.value.utf8.count <= Self.sizeLimit else {
      return nil
    }
    name = pair.name
    value = pair.value
    for attribute in pair.attributes {
      let value = attribute.value ?? ""
      switch attribute.name {
      case "expires": expires = DateText.cookie(value) ?? expires
      case "max-age": maxAge = Self.seconds(value) ?? maxAge
      case "domain" where !value.isEmpty: domain = (value.first == "." ? value.dropFirst() : value[...]).lowercased()
      case "path": path = value.first == "/" ? value : nil
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      default: continue
      }
    }
  }

  /// The cookie to keep; nil if that place may not set it.
  func cookie(from place: CookiePlace, now: Duration, isPublicSuffix: (String) -> Bool) -> Cookie? {
    var scope = domain
    if let domain, domain != place.origin.host || isPublicSuffix(domain) {
      if domain == place.origin.host {
        scope = nil
      } else if isPublicSuffix(domain) || !place.isBelow(domain) {
        return nil
      }
    }
    if isSecure, !place.isSecure { return nil }
    let path = path ?? place.defaultPath
    if name.hasPrefix("__Secure-"), !isSecure { return nil }
    if name.hasPrefix("__Host-"), !isSecure || domain != nil || path != "/" { return nil }
    return Cookie(
      name: name, value: value, domain: scope ?? place.origin.host, isHostOnly: scope == nil, port: place.origin.port,
      path: path, isSecure: isSecure, isHTTPOnly: isHTTPOnly, expires: maxAge.map(now.adding) ?? expires)
  }

  /// Zero and less means immediately; more than a number can hold means forever.
  private static func seconds(_ text: String) -> Duration? {
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if text.first == "-" { return .zero }
    return .seconds(min(Int(digits) ?? .max, 400 * 86_400))
  }
}
