internal import Requests

/// One `Set-Cookie`, taken apart (RFC 6265 §5.2).
struct SetCookie: Hashable {
  private let name: String
  private let value: String
  private var domain: String?
  private var path: String?
  private var maxAge: Duration?
  private var expires: Duration?
  private var isSecure = false
  private var isHTTPOnly = false

  /// Longer ones are not taken, in bytes of name and value.
  static let sizeLimit = 4096

  /// nil for what is no cookie.
  init?(_ header: String) {
    guard !header.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
    let pieces = header.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = Self.pair(pieces[0]), let value = pair.value, !pair.name.isEmpty,
      pair.name.utf8.count + value.utf8.count <= Self.sizeLimit
    else { return nil }
    name = String(pair.name)
    self.value = String(value)
    for piece in pieces.dropFirst() {
      guard let attribute = Self.pair(piece) else { continue }
      let value = attribute.value ?? ""
      switch attribute.name.lowercased() {
      case "expires": expires = CookieDate(value)?.sinceEpoch ?? expires
      case "max-age": maxAge = Self.seconds(value) ?? maxAge
      case "domain" where !value.isEmpty: domain = (value.first == "." ? value.dropFirst() : value).lowercased()
      case "path": path = value.first == "/" ? String(value) : nil
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

  /// What to hide, if it can be a secret: short words like `en` or `dark` are none.
  func secret(for origins: [OriginPattern]) -> Secret? {
    var text = value[...]
    if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    guard text.utf8.count >= (isHTTPOnly ? 4 : 8) else { return nil }
    return Secret(String(text), name: name, for: origins)
  }

  /// What stands on both sides of the first `=`, without blanks around.
  private static func pair(_ text: Substring) -> (name: Substring, value: Substring?)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (trim(parts[0]), parts.count == 2 ? trim(parts[1]) : nil)
  }

  private static func trim(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  /// Zero and less is at once; what is more than a number holds is for ever.
  private static func seconds(_ text: Substring) -> Duration? {
    let digits = text.first == "-" ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if text.first == "-" { return .zero }
    return .seconds(min(Int(digits) ?? .max, 400 * 86_400))
  }
}
