import Foundation

/// Apache with `AuthType Digest` for everything, on a free loopback port.
public final class Apache: Sendable {
  public static let isInstalled = ServerProcess.find("apache2") != nil

  public let port: Int
  private let process: ServerProcess

  /// - Parameter hash: MD5 of `user:realm:password`, in hex; the realm is `r`.
  public init(user: String, hash: String) throws {
    guard let program = ServerProcess.find("apache2") else { throw ServerFailure("apache2 is not installed") }
    let directory = FileManager.default.temporaryDirectory.appending(path: "apache-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: directory.appending(path: "docs"), withIntermediateDirectories: true)
    try Data("fine".utf8).write(to: directory.appending(path: "docs/x"))
    try Data("\(user):r:\(hash)\n".utf8).write(to: directory.appending(path: "passwords"))
    // Its children are another user's, if it is root who starts it.
    for path in [directory.path, directory.appending(path: "docs").path] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    port = try Port.free(1)[0]
    let modules = ["mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest"]
    let configuration = """
      \(modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n"))
      ServerName localhost
      User nobody
      Group nogroup
      Listen 127.0.0.1:\(port)
      PidFile \(directory.path)/pid
      ErrorLog \(directory.path)/error.log
      DocumentRoot \(directory.path)/docs
      DefaultRuntimeDir \(directory.path)
      <Directory \(directory.path)/docs>
        AuthType Digest
        AuthName r
        AuthDigestDomain /
        AuthDigestProvider file
        AuthUserFile \(directory.path)/passwords
        AuthDigestNonceLifetime 1
        Require valid-user
      </Directory>
      """
    let file = directory.appending(path: "apache.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ServerProcess(program, ["-X", "-f", file.path], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  public var url: String { "http://127.0.0.1:\(port)" }
}

/// A server that is a module of Python, on a free loopback port.
public final class PythonServer: Sendable {
  public let port: Int
  private let process: ServerProcess

  /// - Parameters:
  ///   - code: starts it on port `int(sys.argv[1])`.
  public init(_ name: String, _ code: String) throws {
    guard let program = Python.program else { throw ServerFailure("python3 is not installed") }
    let directory = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    port = try Port.free(1)[0]
    process = try ServerProcess(program, ["-W", "ignore", "-c", "import sys\n\(code)", "\(port)"], in: directory)
    try Port.wait(for: port, log: directory.appending(path: "server.log"))
  }

  public var url: String { "http://127.0.0.1:\(port)" }

  public static func httpbin() throws -> PythonServer {
    try PythonServer("httpbin", "from httpbin import app\napp.run(port=int(sys.argv[1]))")
  }

  public static func moto() throws -> PythonServer {
    try PythonServer("moto", "from moto.server import main\nmain(['-H', '127.0.0.1', '-p', sys.argv[1]])")
  }

  public static func oidcProviderMock() throws -> PythonServer {
    try PythonServer(
      "oidc",
      """
      sys.argv = ['x', '--port', sys.argv[1]]
      __import__('runpy').run_module('oidc_provider_mock', run_name='__main__')
      """)
  }
}
