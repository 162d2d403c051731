package import Requests

extension NetworkSettings {
  /// The settings that are not the defaults, as a profile writes them: `("proxy", "http://127.0.0.1:3128")`, without a
  /// password.
  package var parts: [(name: String, value: String)] {
    var parts: [(String, String)] = []
    if let proxy = self.proxy { parts.append(("proxy", "\(proxy.kind.rawValue)://\(proxy.authority)")) }
    if let unixSocket = self.unixSocket { parts.append(("unix-socket", unixSocket)) }
    for other in self.resolve {
      parts.append(("resolve", "\(other.host): \(other.address)" + (other.port.map { ":\($0)" } ?? "")))
    }
    if let path = self.tls.authorities { parts.append(("tls ca", path)) }
    if let path = self.tls.certificate { parts.append(("tls cert", path)) }
    if self.tls.minimum != .tls12 { parts.append(("tls minimum", self.tls.minimum.rawValue)) }
    if self.tls.isInsecure { parts.append(("tls", "certificates are not checked")) }
    if self.version != .automatic { parts.append(("http", self.version.rawValue)) }
    return parts
  }
}
