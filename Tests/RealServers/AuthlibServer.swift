import Foundation

/// `Providers/authlib_server.py`: an authorization server whose every decision is Authlib's, on a free loopback port.
public final class AuthlibServer: Sendable {
  public static let isInstalled = Python.has("authlib", "flask", "joserfc") && ServerProcess.find("openssl") != nil

  public let port: Int
  /// The client's private key, in PEM.
  public let key: String
  private let process: ServerProcess

  /// - Parameter secret: the client's.
  public init(secret: String) throws {
    guard let program = Python.program, let openssl = ServerProcess.find("openssl") else {
      throw ServerFailure("python3 or openssl is not installed")
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "authlib-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    key = directory.appending(path: "assertion.pem").path
    try ServerProcess.run(
      openssl, ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key], in: directory)
    try ServerProcess.run(openssl, ["pkey", "-in", key, "-pubout", "-out", "client.pub"], in: directory)
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Providers/authlib_server.py")
    port = try Port.free(1)[0]
    process = try ServerProcess(
      program, ["-W", "ignore", script.path, "\(port)", secret, "client.pub"], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  public var issuer: String { "http://127.0.0.1:\(port)" }

  /// Somebody enters the code of a device.
  public func enter(_ code: String) async throws { _ = try await get("/enter?code=\(code)") }

  /// The grants that were made, and how the client proved itself, in the order of their first time.
  public func grants() async throws -> [String] {
    try JSONSerialization.jsonObject(with: try await get("/grants")) as? [String] ?? []
  }

  private func get(_ path: String) async throws -> Data {
    try await Python.output([
      "-c", "import sys,urllib.request as u;sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())", issuer + path,
    ])
  }
}
