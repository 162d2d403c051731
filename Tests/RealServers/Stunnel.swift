import Foundation

/// stunnel: TLS on a free loopback port, forwarded to whatever listens elsewhere.
public final class Stunnel: Sendable {
  public static let isInstalled = program != nil

  public let port: Int
  private let process: ServerProcess
  private let directory: URL

  private static let program = ServerProcess.find("stunnel")

  /// - Parameters:
  ///   - authority: `127.0.0.1:4711`, to which it connects.
  ///   - certificate: which of those it presents.
  public init(to authority: String, _ certificates: Certificates, showing certificate: Certificates.Server) throws {
    guard let program = Self.program else { throw ServerFailure("stunnel is not installed") }
    directory = FileManager.default.temporaryDirectory.appending(path: "stunnel-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    port = try Port.free(1)[0]
    let configuration = """
      foreground = yes
      pid =
      [proxy]
      accept = 127.0.0.1:\(port)
      connect = \(authority)
      cert = \(certificates.file(certificate))
      key = \(certificates.key(certificate))

      """
    let file = directory.appending(path: "stunnel.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ServerProcess(program, [file.path], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }
}
