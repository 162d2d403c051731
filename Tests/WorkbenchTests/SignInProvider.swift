import Canaries
import Foundation
import RealServers
import Testing

/// The authorization server of these tests, and somebody with a browser at it.
struct SignInProvider {
  static let secret = Canary.secret("client-secret")
  /// How each token, code and so on begins.
  static let mark = Canary.secret("given-")

  let server: AuthorizationServer
  /// Where this person's tokens are.
  let state: TemporaryFile

  static let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static let shared = Result { try AuthorizationServer(secret: secret, mark: mark) }

  init() throws {
    server = try Self.shared.get()
    state = try TemporaryFile("", name: "state")
  }

  /// Whether the server speaks TLS, too.
  static let hasTLS = AuthorizationServer.isInstalled && (try? shared.get().tlsPort) != nil

  /// Where it does.
  var secureOrigin: String { "https://localhost:\(server.tlsPort ?? 0)" }

  var directory: String { state.path + ".d" }
  var tokens: String { directory + "/workbench/tokens" }

  /// The API and the issuer have different origins.
  func script(
    _ name: String, flow: String = "browser", proof: String = "client-secret: $env.CLIENT_SECRET", more: String = "",
    steps: String = "who: GET api:/api\n  expect 200\n"
  ) throws -> TemporaryFile {
    try TemporaryFile(
      """
      profile api {
        base http://localhost:\(server.port)/\(name)
        auth oauth { issuer: "\(server.issuer(name))", flow: "\(flow)", client-id: "workbench"\(proof.isEmpty ? "" : ", \(proof)")\(more) }
      }
      \(steps)
      """, name: "sign-in.wb")
  }

  /// - Parameter browser: follows the redirects to us as a browser does.
  func run(
    _ arguments: [String], browser: String = "curl -sL -o /dev/null", environment: [String: String] = [:]
  ) async throws -> Workbench.Outcome {
    let variables = [
      "BROWSER": browser, "XDG_STATE_HOME": directory, "CLIENT_SECRET": Self.secret, "HOME": directory + "/home",
    ]
    return try await Workbench.run(arguments, environment: variables.merging(environment) { $1 })
  }

  /// Signs a device in.
  ///
  /// - Parameter enter: takes the code that is shown, as somebody with a browser does.
  func loginOfDevice(
    _ script: TemporaryFile, environment: [String: String] = [:], enter: (String) async throws -> Void
  ) async throws -> Workbench.Outcome {
    let screen = try TemporaryFile("", name: "screen")
    let variables = ["SCREEN": screen.path, "XDG_STATE_HOME": directory, "HOME": directory + "/home"]
    async let login = Workbench.run(
      shell: [
        "-c", "exec \"$0\" \"$@\" 2> \"$SCREEN\"", Workbench.executable.path, "auth", "login", "api", "--script",
        script.path,
      ],
      input: try TemporaryFile(""), environment: variables.merging(environment) { $1 })
    var code: Substring?
    for _ in 0..<400 where code == nil {
      try await Task.sleep(for: .milliseconds(50))
      code = try screen.read().firstMatch(of: /enter the code (\S+)\n/)?.1
    }
    try await enter(String(try #require(code)))
    return try await login
  }

  func login(_ script: TemporaryFile) async throws -> Workbench.Outcome {
    try await run(["auth", "login", "api", "--script", script.path])
  }

  /// Where anything secret is that should not be: on a screen, or in a file that is not one of the tokens.
  func leaks(_ outcomes: Workbench.Outcome...) -> [String] {
    var texts = outcomes.flatMap { [("output", Data($0.output.utf8)), ("errors", Data($0.written.utf8))] }
    let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    for file in files where !file.hasPrefix("workbench/tokens/") {
      if let data = FileManager.default.contents(atPath: "\(directory)/\(file)") { texts.append((file, data)) }
    }
    return texts.flatMap { name, data in
      [Self.secret, Self.mark].compactMap { Canary.place(of: $0, in: data) }.map { "\(name): \($0)" }
    }
  }
}
