public import Foundation

/// `Providers/provider.py`: an authorization server and an API behind it, which misbehaves in one way per path.
public final class AuthorizationServer: Sendable {
  public static let isInstalled = Python.program != nil

  public let port: Int
  /// Nothing may ever be sent there.
  public let capturePort: Int
  /// Where it speaks TLS; nil: nowhere.
  public let tlsPort: Int?
  /// What it presents, and what it knows a client by.
  public let certificates: Certificates?
  private let process: ServerProcess
  private let directory: URL

  /// - Parameters:
  ///   - secret: the client's.
  ///   - mark: how each token begins.
  public init(secret: String, mark: String, publicKey: String? = nil) throws {
    guard let program = Python.program else { throw ServerFailure("python3 is not installed") }
    directory = FileManager.default.temporaryDirectory.appending(path: "provider-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let ports = try Port.free(3)
    (port, capturePort) = (ports[0], ports[1])
    certificates = Certificates.isPossible ? try Certificates(in: directory) : nil
    tlsPort = certificates == nil ? nil : ports[2]
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Providers/provider.py").path
    var variables = ["PROVIDER_SECRET=\(secret)", "PROVIDER_MARK=\(mark)"]
    if let publicKey { variables.append("PROVIDER_KEY=\(publicKey)") }
    variables.append("PROVIDER_CERTIFICATES=\(directory.path)")
    process = try ServerProcess(
      "/usr/bin/env",
      variables + [program, script, "\(port)", "\(capturePort)"] + (tlsPort.map { ["\($0)"] } ?? []), in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  /// The issuer that behaves so.
  public func issuer(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// The same issuer over TLS, at `localhost`.
  public func secureIssuer(_ name: String) -> String { "https://localhost:\(tlsPort ?? 0)/\(name)" }

  /// Secrets that clients made and sent: verifiers, assertions.
  public func learned() async throws -> [String] {
    let data = try await get("http://127.0.0.1:\(port)/learned")
    return try JSONSerialization.jsonObject(with: data) as? [String] ?? []
  }

  /// What happened in a case.
  public func stats(_ name: String) async throws -> [String: Any] {
    let data = try await get("\(issuer(name))/stats")
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// What was sent where nothing may be sent.
  public func captured() async throws -> String {
    String(decoding: try await get("http://127.0.0.1:\(port)/captured"), as: UTF8.self)
  }

  private func get(_ url: String) async throws -> Data {
    try await Python.output([
      "-c", "import sys,urllib.request as u;sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())", url,
    ])
  }
}

/// Python, with what `Scripts/prepare-servers` installed for it if that is there.
public enum Python {
  public static let program: String? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ServerProcess.find("python3", in: [repository.appending(path: ".build/servers/bin").path])
  }()

  /// Whether it has these modules.
  public static func has(_ modules: String...) -> Bool {
    guard let program else { return false }
    let script = modules.map { "import \($0)" }.joined(separator: ";")
    return (try? ServerProcess.run(program, ["-c", script], in: FileManager.default.temporaryDirectory)) != nil
  }

  /// What it writes; it does not block a thread.
  public static func output(_ arguments: [String]) async throws -> Data {
    guard let program else { throw ServerFailure("python3 is not installed") }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      do { try process.run() } catch { return continuation.resume(throwing: error) }
      Thread.detachNewThread {
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
          return continuation.resume(throwing: ServerFailure("python3 ended with \(process.terminationStatus)"))
        }
        continuation.resume(returning: data)
      }
    }
  }
}
