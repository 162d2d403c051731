import Canaries
import Foundation
import RealServers
import Testing

/// Every flow of `auth oauth` against Authlib: the second opinion on what glewlwyd accepts.
@Suite(
  .enabled(if: AuthlibServer.isInstalled, "SKIPPED: needs python3 with Authlib and Flask (Scripts/prepare-servers)"),
  .timeLimit(.minutes(2)))
struct AuthlibTests {
  private let server: AuthlibServer
  private let provider: SignInProvider

  init() throws {
    server = try AuthlibServer(secret: SignInProvider.secret)
    provider = try SignInProvider()
  }

  private func script(_ auth: String, who: String) throws -> TemporaryFile {
    try TemporaryFile(
      """
      profile api {
        base http://localhost:\(server.port)
        auth oauth { issuer: "\(server.issuer)", client-id: "workbench", scope: "s1 s2", \(auth) }
      }
      GET api:/api
        expect 200
        expect body.who == "\(who)"
      """, name: "authlib.wb")
  }

  private func refreshes(_ script: TemporaryFile) async throws {
    let (run, refresh) = (["run", script.path], ["auth", "refresh", "api", "--script", script.path])
    for arguments in [run, refresh, run] {
      let outcome = try await provider.run(arguments)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(provider.leaks(outcome).isEmpty)
    }
  }

  @Test(arguments: [
    ("client-secret: $env.CLIENT_SECRET", "client_secret_basic"),
    ("client-secret: $env.CLIENT_SECRET, client-auth: \"body\"", "client_secret_post"),
    ("key: file(\"KEY\")", "client_assertion_jwt"),
  ])
  func `a client proves itself`(proof: String, how: String) async throws {
    let proof = proof.replacingOccurrences(of: "KEY", with: server.key)
    let script = try script("flow: \"client-credentials\", \(proof)", who: "workbench")
    for _ in 1...2 {
      let outcome = try await provider.run(["run", "-v", script.path])
      #expect(outcome.code == 0, "\(outcome)")
      #expect(provider.leaks(outcome).isEmpty)
    }
    #expect(
      try await server.grants() == ["token \(how)", "grant client_credentials", "grant client_credentials"])
  }

  /// The page that asks is answered by its script: it takes a browser.
  @Test(.enabled(if: SignInProvider.chromium != nil, "SKIPPED: chromium is not installed (Scripts/prepare-servers)"))
  func `a real browser signs in on a page, and the token is refreshed and revoked`() async throws {
    let script = try script("flow: \"browser\"", who: "ann")
    let browser = """
      \(SignInProvider.chromium ?? "") --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 \
      --user-data-dir=\(provider.directory)-browser --dump-dom
      """
    let login = try await provider.run(["auth", "login", "api", "--script", script.path], browser: browser)
    try? FileManager.default.removeItem(atPath: provider.directory + "-browser")
    #expect(login.code == 0 && login.output == "api: signed in for 9 d 23 h, then refreshed without signing in\n")
    try await refreshes(script)
    let logout = try await provider.run(["auth", "logout", "api", "--script", script.path])
    #expect(logout.output == "api: signed out, and the token is revoked\n", "\(logout)")
    #expect(try await provider.run(["run", script.path]).code == 26)
    #expect(
      try await server.grants() == ["grant authorization_code", "grant refresh_token", "revoked token"])
  }

  @Test func `a device signs in, and its token is refreshed`() async throws {
    let script = try script("flow: \"device\"", who: "ann")
    let outcome = try await provider.loginOfDevice(script, enter: server.enter)
    #expect(outcome.code == 0 && outcome.output.hasPrefix("api: signed in for "), "\(outcome)")
    try await refreshes(script)
    #expect(
      try await server.grants()
        == ["grant urn:ietf:params:oauth:grant-type:device_code", "grant refresh_token"])
  }
}
