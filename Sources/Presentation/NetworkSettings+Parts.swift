package import Requests

extension NetworkSettings {
  /// The settings that are not the defaults, as a profile writes them: `("proxy", "http://127.0.0.1:3128")`, without a
  /// password.
  package var parts: [(name: String, value: String)] {
    var parts: [(String, String)] = []
    if let proxy { parts.append(("proxy", "\(proxy.kind.rawValue)://\(proxy.authority)")) }
    if let unixSocket { parts.append(("unix-socket", unixSocket)) }
    for other in resolve {
      parts.append(("resolve", "\(other.host): \(other.address)" + (other.port.map { ":\($0)" } ?? "")))
    }
    if let path = tls.authorities { parts.append(("tls ca", path)) }
    if let path = tls.certificate { parts.append(("tls cert", path)) }
    if tls.minimum != .tls12 { parts.append(("tls minimum", tls.minimum.rawValue)) }
    if tls.isInsecure { parts.append(("tls", "certificates are not checked")) }
    if version != .automatic { parts.append(("http", version.rawValue)) }
    return parts
  }
}
