import Foundation

/// tinyproxy with a user and a password, on a free loopback port.
public final class Tinyproxy: Sendable {
  public static let isInstalled = ServerProcess.find("tinyproxy") != nil
  public static let user = "surveyor"
  public static let password = "theodolite-7"

  /// `127.0.0.1:4711`.
  public let authority: String
  private let process: ServerProcess
  /// The path of its files, which exist as long as it does.
  public var folder: String { directory.path }
  private let directory: URL

  public init() throws {
    guard let program = ServerProcess.find("tinyproxy") else { throw ServerFailure("tinyproxy is not installed") }
    directory = FileManager.default.temporaryDirectory.appending(path: "tinyproxy-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let port = try Port.free(1)[0]
    authority = "127.0.0.1:\(port)"
    let configuration = """
      Port \(port)
      Listen 127.0.0.1
      Timeout 30
      LogFile "\(directory.path)/tinyproxy.log"
      LogLevel Connect
      MaxClients 20
      Allow 127.0.0.1
      BasicAuth \(Self.user) \(Self.password)

      """
    let file = directory.appending(path: "tinyproxy.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ServerProcess(program, ["-d", "-c", file.path], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  /// What it has logged so far: a line for each connection requested.
  public func log() throws -> String {
    try String(contentsOf: directory.appending(path: "tinyproxy.log"), encoding: .utf8)
  }
}
