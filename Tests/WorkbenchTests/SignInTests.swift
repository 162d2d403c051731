import Canaries
import Foundation
import RealServers
import Testing

/// `auth oauth`, as its users have it: scripts, the command, files, other processes.
@Suite(
  .enabled(if: AuthorizationServer.isInstalled, "SKIPPED: python3 is not installed"), .timeLimit(.minutes(5)))
struct SignInTests {
  @Test(arguments: [
    ("client-secret: $env.CLIENT_SECRET", "basic"),
    ("client-secret: $env.CLIENT_SECRET, client-auth: \"body\"", "body"), ("", "none"),
  ])
  func `client credentials, and the token is asked for once in a run`(proof: String, how: String) async throws {
    let provider = try SignInProvider()
    let name = "credentials-\(how)"
    let script = try provider.script(
      name, flow: "client-credentials", proof: proof,
      steps: "for $i in [1, 2, 3, 4] parallel 4 {\n  GET api:/api\n    expect body.who == \"ann\"\n}\n")
    let outcome = try await provider.run(["run", "-v", script.path])
    #expect(outcome.code == 0, "\(outcome)")
    let stats = try await provider.server.stats(name)
    #expect(stats["tokens"] as? Int == 1 && stats["clients"] as? [String] == [how], "\(stats)")
    #expect(!FileManager.default.fileExists(atPath: provider.tokens))
    #expect(provider.leaks(outcome).isEmpty)
  }

  @Test func `a browser signs in, and later runs need none`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("good", more: ", scope: \"a b\"")
    let headless = try await provider.run(["run", script.path])
    #expect(headless.code == 26)
    #expect(headless.errors.contains("sign in first: workbench auth login api"), "\(headless)")

    let status = try await provider.run(["auth", "status", "api", "--script", script.path])
    #expect(status.code == 26 && status.output == "api: not signed in\n", "\(status)")
    let login = try await provider.login(script)
    #expect(login.code == 0 && login.output.hasPrefix("api: signed in for "), "\(login)")
    for arguments in [["run", "-v"], ["run", "--json"]] {
      let run = try await provider.run(arguments + [script.path])
      #expect(run.code == 0, "\(run)")
      #expect(provider.leaks(headless, login, run).isEmpty)
    }
    // Directory and files are their owner's alone.
    let files = try FileManager.default.contentsOfDirectory(atPath: provider.tokens)
    #expect(files.count { $0.hasSuffix(".token") } == 1)
    for file in [""] + files {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(provider.tokens)/\(file)")[.posixPermissions]
      #expect(mode as? Int == (file.isEmpty ? 0o700 : 0o600), "\(file)")
    }

    let logout = try await provider.run(["auth", "logout", "api", "--script", script.path])
    #expect(logout.code == 0 && logout.output.contains("revoked"), "\(logout)")
    #expect(try await provider.run(["run", script.path]).code == 26)
    #expect(try await provider.server.stats("good")["revoked"] as? Int == 1)
  }

  @Test(.enabled(if: SignInProvider.chromium != nil, "SKIPPED: chromium is not installed (Scripts/prepare-servers)"))
  func `a real browser signs in`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("chromium")
    let browser = """
      \(SignInProvider.chromium ?? "") --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 \
      --user-data-dir=\(provider.directory)-browser --dump-dom
      """
    let login = try await provider.run(["auth", "login", "api", "--script", script.path], browser: browser)
    #expect(login.code == 0, "\(login)")
    try? FileManager.default.removeItem(atPath: provider.directory + "-browser")
    let run = try await provider.run(["run", script.path])
    #expect(run.code == 0, "\(run)")
    #expect(provider.leaks(login, run).isEmpty)
  }

  @Test(arguments: ["device", "slow-down"])
  func `a device signs in, slower if that is asked for`(name: String) async throws {
    let provider = try SignInProvider()
    let script = try provider.script(name, flow: "device", proof: "")
    let login = try await provider.login(script)
    #expect(login.code == 0 && login.errors.contains("enter the code ABCD-EFGH"), "\(login)")
    let polls = try await provider.server.stats(name)["polls"] as? [Double] ?? []
    #expect(polls.count == 2 && (name == "device" || polls.last ?? 0 >= 5.9), "\(polls)")
    let run = try await provider.run(["run", script.path])
    #expect(run.code == 0, "\(run)")
    #expect(provider.leaks(login, run).isEmpty)
  }

  @Test(arguments: [
    ("wrong-issuer", "browser", "has the endpoints of another issuer"),
    ("no-issuer", "browser", "does not say whose endpoints these are"),
    ("open-endpoint", "browser", "is not https"),
    ("discovery-html", "browser", "responded 200 with text/html, not with JSON"),
    ("discovery-gone", "browser", "responded 404, not with the endpoints of the issuer"),
    ("wrong-iss", "browser", "came back from another issuer, \"https://evil.example.com\""),
    ("no-iss", "browser", "came back without the issuer"),
    ("no-state", "browser", "came back without the state"),
    ("wrong-state", "browser", "came back with the state of another sign-in"),
    ("twice", "browser", "came back with a parameter twice"),
    ("no-code", "browser", "came back without a code"),
    ("denied", "browser", "says access_denied: no"),
    ("html", "client-credentials", "responded 502 with text/html, not with JSON"),
    ("redirect", "client-credentials", "redirects to http://127.0.0.1:"),
    ("huge", "client-credentials", "sent too much"),
    ("expires-text", "client-credentials", "says \"expires_in\": \"soon\", which is no number of seconds"),
    ("expires-negative", "client-credentials", "says \"expires_in\": -5"),
    ("mac", "client-credentials", "gave out a token of type \"mac\""),
    ("no-token", "client-credentials", "responded without an access token"),
    ("short", "client-credentials", "gave out a token of fewer than 4 bytes"),
    ("newline", "client-credentials", "with characters that no token has"),
    ("open-device", "device", "is not https"),
    ("device-denied", "device", "says access_denied"),
    ("device-expires", "device", "nobody signed in before the code expired"),
  ])
  func `a hostile issuer gets nothing, and the error says what it did`(
    name: String, flow: String, sentence: String
  ) async throws {
    let provider = try SignInProvider()
    let script = try provider.script(name, flow: flow)
    let login = try await provider.login(script)
    #expect(login.code == (name == "huge" ? 21 : 26) && login.errors.contains(sentence), "\(login)")
    let run = try await provider.run(["run", script.path])
    #expect(run.code == (name == "huge" ? 21 : 26), "\(run)")
    #expect(provider.leaks(login, run).isEmpty)
    #expect(try await provider.server.captured() == "[]")
    #expect(try await provider.server.stats(name)["served"] as? Int == 0)
  }

  @Test(arguments: ["expires-absent", "expires-digits", "other-origin"])
  func `an unusual issuer is no hindrance`(name: String) async throws {
    let provider = try SignInProvider()
    let script = try provider.script(name, flow: "client-credentials")
    let outcome = try await provider.run(["run", script.path])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(provider.leaks(outcome).isEmpty)
  }

  @Test func `an invalid token brings one new one and one repetition, for what must happen once too`() async throws {
    let provider = try SignInProvider()
    let steps = "POST api:/api json { a: 1 }\n  expect 200\n"
    let first = try provider.script("invalid-once", flow: "client-credentials", steps: steps)
    let once = try await provider.run(["run", first.path])
    #expect(once.code == 0, "\(once)")
    let second = try provider.script("always-invalid", flow: "client-credentials", steps: steps)
    let always = try await provider.run(["run", second.path])
    #expect(always.code == 1 && always.errors.contains("it says \"invalid_token\""), "\(always)")
    #expect(try await provider.server.stats("always-invalid")["refused"] as? Int == 2)
    // Whatever else is wrong does not get better with another token.
    let script = try provider.script(
      "scope", flow: "client-credentials", steps: "GET api:/api\n  auth none\n  expect 401\n")
    #expect(try await provider.run(["run", script.path]).code == 0)
    #expect(try await provider.server.stats("scope")["tokens"] as? Int == 0)
  }

  @Test func `a token and a client's secret go nowhere else`() async throws {
    let provider = try SignInProvider()
    let capture = "http://127.0.0.1:\(provider.server.capturePort)"
    for (name, steps, code) in [
      ("echo", "a: GET api:/api\n  expect 200\nGET \(capture)/x\n  header X-Token: $a.body.echo\n", 23),
      ("echo", "a: GET api:/api\nGET \(capture)/x\n  query t: {$a.body.echo | sha256}\n", 23),
      ("secret-out", "GET \(capture)/x\n  header X-Secret: $env.CLIENT_SECRET\n", 23),
      ("secret-out", "GET api:/api\n  header X-Secret: $env.CLIENT_SECRET\n", 23),
    ] {
      let script = try provider.script(name, flow: "client-credentials", steps: steps)
      let outcome = try await provider.run(["run", script.path])
      #expect(outcome.code == code, "\(name): \(outcome)")
      #expect(provider.leaks(outcome).isEmpty)
    }
    #expect(try await provider.server.captured() == "[]")
  }

  /// A script may say of itself whatever it likes.
  @Test func `what somebody signed in for goes to no other base, and is refreshed nowhere else`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("life1-elsewhere")
    #expect(try await provider.login(script).code == 0)
    try await Task.sleep(for: .seconds(1.2))
    let capture = "http://127.0.0.1:\(provider.server.capturePort)"
    let text = try script.read()
    for changed in [
      text.replacing("base http://localhost:\(provider.server.port)", with: "base \(capture)"),
      text.replacing(", client-id:", with: ", token-url: \"\(capture)/token\", client-id:"),
      text.replacing(", client-id:", with: ", revocation-url: \"\(capture)/revoke\", client-id:"),
    ] {
      #expect(changed != text)
      let foreign = try TemporaryFile(changed, name: "foreign.wb")
      let outcome = try await provider.run(["run", "--no-record", foreign.path])
      #expect(outcome.code == 26 && outcome.errors.contains("sign in first"), "\(outcome)")
      _ = try await provider.run(["auth", "refresh", "api", "--script", foreign.path])
      _ = try await provider.run(["auth", "logout", "api", "--script", foreign.path])
    }
    #expect(try await provider.server.captured() == "[]")
    #expect(try await provider.run(["run", "--no-record", script.path]).code == 0)
  }

  @Test func `a program's token is not a person's, though both are of one client`() async throws {
    let provider = try SignInProvider()
    let person = try provider.script("both")
    #expect(try await provider.login(person).code == 0)
    let program = try provider.script("both", flow: "client-credentials").read()
    let both = try TemporaryFile(
      program.replacing("profile api", with: "profile robot").replacing("who: GET api:", with: "robot: GET robot:")
        + person.read(), name: "both.wb")
    let before = try await provider.server.stats("both")["tokens"] as? Int ?? 0
    let outcome = try await provider.run(["run", "--no-record", both.path])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try await provider.server.stats("both")["tokens"] as? Int == before + 1)
  }

  @Test func `two processes with eight jobs each never refresh the same token twice`() async throws {
    let provider = try SignInProvider()
    let name = "life3-race"
    let seconds = Int(ProcessInfo.processInfo.environment["SIGN_IN_SECONDS"] ?? "") ?? 20
    let script = try provider.script(
      name,
      steps: """
        for $i in \(Array(0..<seconds * 40)) parallel 8 {
          POST api:/api json { i: $i }
            expect 200
        }
        """)
    let login = try await provider.login(script)
    #expect(login.code == 0, "\(login)")
    let began = ContinuousClock.now
    async let first = provider.run(["run", "--no-record", script.path])
    async let second = provider.run(["run", "--no-record", script.path])
    let outcomes = try await [first, second]
    for outcome in outcomes { #expect(outcome.code == 0, "\(outcome)") }
    // On a busy machine it takes longer than it should.
    let took = Int((ContinuousClock.now - began).components.seconds)
    let stats = try await provider.server.stats(name)
    let (refreshes, most) = (stats["refreshes"] as? Int ?? 0, stats["most_at_once"] as? Int ?? 0)
    print("\(refreshes) refreshes in \(took) s, \(most) at once, \(stats["served"] ?? 0) requests")
    #expect(refreshes >= 2 && refreshes <= max(10, took / 2) && most == 1 && stats["reused"] as? Int == 0, "\(stats)")
  }

  @Test func `a process that is killed between the refresh and the file leaves nothing that hangs`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("kill-life1", steps: "GET api:/api\n  expect 200\n")
    let login = try await provider.login(script)
    #expect(login.code == 0, "\(login)")
    try await Task.sleep(for: .seconds(1.2))
    // The shell's number is that of the program it becomes; the profile of the issuer sends it along. A value from the
    // environment has at least four bytes, which the number of a process in a container has not.
    let text = try script.read()
    let killed = try TemporaryFile(
      "profile issuer { base http://127.0.0.1:\(provider.server.port)\n  header X-Process: $env.OWN_PROCESS }\n" + text,
      name: "killed.wb")
    let line = "OWN_PROCESS=0000000$$ exec \"\(Workbench.executable.path)\" run \"\(killed.path)\""
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = [
      "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": provider.directory, "CLIENT_SECRET": SignInProvider.secret,
      "HOME": provider.directory + "/home",
    ]
    process.standardOutput = FileHandle.nullDevice
    let errors = try TemporaryFile("", name: "errors.screen")
    process.standardError = try FileHandle(forWritingTo: errors.url)
    process.standardInput = FileHandle.nullDevice
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let said = try errors.read()
    #expect(status == SIGKILL, "\(said)")
    // As if it had been killed while it wrote the file.
    let dead = "\(provider.tokens)/new-\(process.processIdentifier)-"
    for name in try FileManager.default.contentsOfDirectory(atPath: provider.tokens) where name.hasSuffix(".token") {
      try "left".write(toFile: dead + name, atomically: false, encoding: .utf8)
    }
    let next = try await provider.run(["run", script.path])
    #expect(next.code == 0 || next.code == 26 && next.errors.contains("sign in first: workbench auth login api"))
    #expect(try await provider.login(script).code == 0)
    #expect(try await provider.run(["run", script.path]).code == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: provider.tokens).filter { $0.hasPrefix("new-") }
    #expect(left.isEmpty)
  }

  @Test func `a file of tokens that is a link is not followed`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("linked")
    #expect(try await provider.login(script).code == 0)
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: provider.tokens).first { $0.hasSuffix(".token") })
    let elsewhere = provider.directory + "/elsewhere.token"
    try FileManager.default.moveItem(atPath: "\(provider.tokens)/\(name)", toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: "\(provider.tokens)/\(name)", withDestinationPath: elsewhere)
    let outcome = try await provider.run(["run", script.path])
    #expect(outcome.code != 0 && outcome.errors.contains("is not ours, or is a link"), "\(outcome)")
  }
}
