public import Foundation

/// A private authority and the certificates that a test of TLS verification needs, made with openssl.
public struct Certificates: Sendable {
  /// Those that a server presents.
  public enum Server: String, CaseIterable, Sendable {
    /// For localhost, 127.0.0.1 and ::1, signed by the authority.
    case good
    case expired
    /// For other.example.
    case wrongName
    case selfSigned
    /// Signed by an unknown authority.
    case unknownAuthority
  }

  let directory: URL

  public var authority: String { directory.appending(path: "ca.pem").path }
  public var client: String { directory.appending(path: "client.pem").path }
  public var clientKey: String { directory.appending(path: "client.key").path }
  /// A certificate of the authority for somebody else, and its key.
  public var stranger: String { directory.appending(path: "stranger.pem").path }
  public var strangerKey: String { directory.appending(path: "stranger.key").path }

  /// The file of a server's certificate.
  public func file(_ server: Server) -> String { directory.appending(path: "\(server.rawValue).pem").path }

  /// The file of its private key.
  func key(_ server: Server) -> String { directory.appending(path: "\(server.rawValue).key").path }

  static var isPossible: Bool { ServerProcess.find("openssl") != nil }

  init(in directory: URL) throws {
    self.directory = directory
    try makeAuthority("ca", name: "Workbench Test CA")
    try makeAuthority("other-ca", name: "Some Other CA")
    let here = "subjectAltName=DNS:localhost,DNS:api.example.com,IP:127.0.0.1,IP:::1"
    try sign("good", name: "localhost", here)
    try sign("expired", name: "localhost", here, days: -1)
    try sign("wrongName", name: "other.example", "subjectAltName=DNS:other.example,DNS:*.other.example")
    try sign("unknownAuthority", name: "localhost", here, by: "other-ca")
    try sign("client", name: "uploader", "extendedKeyUsage=clientAuth\nsubjectAltName=DNS:uploader.test")
    try sign("stranger", name: "stranger", "extendedKeyUsage=clientAuth\nsubjectAltName=DNS:stranger.test")
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "selfSigned.key",
      "-out", "selfSigned.pem", "-days", "30", "-subj", "/CN=localhost", "-addext", here)
  }

  /// The client's key, encrypted with the passphrase.
  public func lockedKey(in folder: URL, passphrase: String) throws -> String {
    let path = folder.appending(path: "locked.key").path
    try openssl("pkey", "-in", clientKey, "-aes256", "-passout", "pass:\(passphrase)", "-out", path)
    return path
  }

  /// The client's certificate and key in one encrypted file (PKCS #12).
  public func pkcs12(_ name: String, in folder: URL, passphrase: String) throws -> String {
    let path = folder.appending(path: name).path
    try openssl("pkcs12", "-export", "-in", client, "-inkey", clientKey, "-passout", "pass:\(passphrase)", "-out", path)
    return path
  }

  private func makeAuthority(_ file: String, name: String) throws {
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(file).key",
      "-out", "\(file).pem", "-days", "30", "-subj", "/CN=\(name)", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
  }

  private func sign(_ file: String, name: String, _ extra: String, by authority: String = "ca", days: Int = 30) throws {
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(file).key", "-out",
      "\(file).csr", "-subj", "/CN=\(name)")
    try Data(extra.utf8).write(to: directory.appending(path: "\(file).ext"))
    try openssl(
      "x509", "-req", "-in", "\(file).csr", "-CA", "\(authority).pem", "-CAkey", "\(authority).key",
      "-CAcreateserial", "-days", "\(days)", "-extfile", "\(file).ext", "-out", "\(file).pem")
  }

  private func openssl(_ arguments: String...) throws {
    guard let program = ServerProcess.find("openssl") else { throw ServerFailure("openssl is not installed") }
    try ServerProcess.run(program, arguments, in: directory)
  }
}
