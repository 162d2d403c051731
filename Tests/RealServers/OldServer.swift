import Foundation

/// `openssl s_server` that speaks only one old version of TLS.
public final class OldServer: Sendable {
  public let port: Int
  private let process: ServerProcess

  /// - Parameter version: as in OpenSSL's options: `1_1`.
  public init(version: String, _ certificates: Certificates) throws {
    guard let program = ServerProcess.find("openssl") else { throw ServerFailure("openssl is not installed") }
    let directory = FileManager.default.temporaryDirectory.appending(path: "s_server-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    port = try Port.free(1)[0]
    process = try ServerProcess(
      program,
      [
        "s_server", "-tls\(version)", "-cipher", "DEFAULT@SECLEVEL=0", "-accept", "127.0.0.1:\(port)", "-www", "-cert",
        certificates.file(.good), "-key", certificates.key(.good),
      ], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }
}
