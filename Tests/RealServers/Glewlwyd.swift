import Foundation

/// glewlwyd with its OIDC plugin, one client and one user, on a free loopback port.
public final class Glewlwyd: Sendable {
  public static let isInstalled =
    ServerProcess.find("glewlwyd") != nil && Python.program != nil && ServerProcess.find("openssl") != nil

  public let port: Int
  /// Where its client's browser comes back to.
  public let callbackPort: Int
  /// The client's private key, in PEM.
  public let key: String
  /// What it presents, and what it knows a client by; nil: it speaks no TLS.
  public let certificates: Certificates?
  private let process: ServerProcess

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Providers/glewlwyd.py").path

  /// - Parameters:
  ///   - secret: the client's.
  ///   - hasTLS: whether it speaks TLS, and knows the client "certified" by its certificate.
  public init(secret: String, hasTLS: Bool = false) throws {
    guard let program = Python.program, let openssl = ServerProcess.find("openssl") else {
      throw ServerFailure("python3 or openssl is not installed")
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "glewlwyd-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let ports = try Port.free(2)
    (port, callbackPort) = (ports[0], ports[1])
    key = directory.appending(path: "assertion.pem").path
    try ServerProcess.run(
      openssl, ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key], in: directory)
    try ServerProcess.run(openssl, ["pkey", "-in", key, "-pubout", "-out", "client.pub"], in: directory)
    certificates = hasTLS ? try Certificates(in: directory) : nil
    process = try ServerProcess(
      program,
      [Self.script, "\(port)", "\(callbackPort)", secret, "client.pub"] + (hasTLS ? ["--tls"] : []), in: directory)
    let ready = directory.appending(path: "ready").path
    for _ in 0..<600 where !FileManager.default.fileExists(atPath: ready) { usleep(50_000) }
    guard FileManager.default.fileExists(atPath: ready) else {
      let log = try? String(contentsOf: directory.appending(path: "server.log"), encoding: .utf8)
      throw ServerFailure("glewlwyd did not start: \(log ?? "")")
    }
  }

  public var base: String { "http\(certificates == nil ? "" : "s")://localhost:\(port)" }
  public var issuer: String { "\(base)/api/oidc" }

  /// What signs in as its user.
  public var browser: String { "\(Python.program ?? "") \(Self.script) --person \(base)" }

  /// Signs in as its user, and enters the code of a device.
  public func enter(_ code: String) async throws {
    _ = try await Python.output([Self.script, "--device", base, code])
  }
}
