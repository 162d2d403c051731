internal import Imports
internal import RequestSyntax
internal import Requests

/// How a line for another tool wants to connect, where here only a profile says that: `curl --resolve`, `http --cert`.
struct ConnectionDemand: Hashable {
  /// As they were typed, `--resolve`.
  var options: [String] = []
  var connection = ImportedProfiles.Connection()
  /// Whether the proxy asks who it is; neither the user nor the password is repeated.
  var proxyHasUser = false

  /// - Parameter certificate: a file. The private key is in it, too, unless another is named.
  mutating func present(certificate: String) {
    connection.tls["cert"] = certificate
    connection.tls["key"] = connection.tls["key"] ?? certificate
  }

  /// - Parameter proxy: perhaps without a scheme, and perhaps with a user and a password.
  /// - Returns: the password, if there is one.
  mutating func goThrough(proxy: String) -> String? {
    let url = proxy.contains("://") ? proxy : "http://\(proxy)"
    guard let scheme = url.firstRange(of: "://"), let at = url.lastIndex(of: "@") else {
      connection.proxy = url
      return nil
    }
    proxyHasUser = true
    connection.proxy = "\(url[..<scheme.upperBound])\(url[url.index(after: at)...])"
    return url[scheme.upperBound..<at].split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init)
  }

  /// What of it matters to a URL or path; nil: nothing does.
  func demanded(of target: String) -> ConnectionDemand? {
    var demand = self
    // Without TLS there is nothing to verify, and of any certificate more is to be said.
    if target.lowercased().hasPrefix("http://") {
      demand.connection.tls = [:]
      demand.connection.hasPassphrase = false
    }
    demand.connection.acceptsAnyCertificate = false
    return demand.connection == ImportedProfiles.Connection() ? nil : demand
  }

  /// As they are typed into a profile, in one line.
  var settings: String {
    var connection = connection
    // A key is nothing without its certificate, and a passphrase nothing without its key.
    if connection.tls["key"] != nil || connection.hasPassphrase {
      connection.tls.merge(["cert": "cert.pem", "key": "key.pem"]) { given, _ in given }
    }
    if proxyHasUser {
      connection.proxy = connection.proxy?.replacing("://", with: "://user:password@", maxReplacements: 1)
    }
    return SyntaxPrinter.print(.profile(ProfileSyntax("name", connection.settings)))
      .split(whereSeparator: \.isNewline).dropFirst().dropLast().map { String($0).trimmed }.joined(separator: " ")
  }

  /// Whether a profile says the same.
  func isMet(by network: NetworkSettings) -> Bool {
    let tls = connection.tls
    let files = [
      (tls["ca"], network.tls.authorities), (tls["cert"], network.tls.certificate), (tls["key"], network.tls.key),
      (connection.unixSocket, network.unixSocket),
    ]
    return files.allSatisfy { wanted, actual in wanted.map { Self.isFile($0, actual) } ?? true }
      && (!connection.hasPassphrase || network.tls.passphrase != nil)
      && tls["minimum"].map { $0 <= network.tls.minimum.rawValue } ?? true
      && connection.proxy.map { isProxy($0, network.proxy) } ?? true
      && connection.hosts.allSatisfy { host, address in
        (try? NetworkSettings.Resolve(host: host, address: address)).map(network.resolve.contains) ?? false
      }
  }

  /// - Parameter actual: with the directories that a profile adds.
  private static func isFile(_ wanted: String, _ actual: String?) -> Bool {
    guard let actual else { return false }
    let name = wanted.trimmingPrefix(/[.~]\//)
    return actual == wanted || actual.hasSuffix("/\(name)")
  }

  private func isProxy(_ wanted: String, _ actual: Proxy?) -> Bool {
    guard let wanted = try? Proxy(wanted), let actual else { return false }
    return wanted.kind == actual.kind && wanted.authority == actual.authority && proxyHasUser == (actual.user != nil)
  }
}
