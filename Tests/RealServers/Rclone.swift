import Foundation

/// `rclone serve s3` over an empty folder on a free loopback port: it checks every signature.
public final class Rclone: Sendable {
  public static let isInstalled = program != nil
  public static let accessKey = "AKIDWORKBENCH"
  public static let bucket = "plans"

  public let port: Int
  /// `http://127.0.0.1:4711`.
  public var url: String { "http://127.0.0.1:\(port)" }
  private let process: ServerProcess
  private let directory: URL

  /// Scripts/prepare-servers installs it below the build folder.
  private static let program: String? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ServerProcess.find("rclone", in: [repository.appending(path: ".build/servers/bin").path])
  }()

  public init(secretKey: String) throws {
    guard let program = Self.program else { throw ServerFailure("rclone is not installed") }
    directory = FileManager.default.temporaryDirectory.appending(path: "rclone-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: directory.appending(path: "data/\(Self.bucket)"), withIntermediateDirectories: true)
    port = try Port.free(1)[0]
    process = try ServerProcess(
      program,
      [
        "serve", "s3", "--config", directory.appending(path: "rclone.conf").path, "--addr", "127.0.0.1:\(port)",
        "--auth-key", "\(Self.accessKey),\(secretKey)", directory.appending(path: "data").path,
      ], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  /// An object's content; nil if there is no such object.
  public func object(_ key: String) -> [UInt8]? {
    try? Array(Data(contentsOf: directory.appending(path: "data/\(Self.bucket)/\(key)")))
  }
}
