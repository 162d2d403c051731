import Canaries
import Foundation
import RealServers
import Testing

/// `auth oauth` against a provider that others wrote, with a person who is a few lines of Python.
@Suite(
  .enabled(
    if: Python.has("oidc_provider_mock"), "SKIPPED: needs python3 with oidc-provider-mock (Scripts/prepare-servers)"),
  .timeLimit(.minutes(2)))
struct SignInServerTests {
  /// Fills in the page of the provider, and follows it back.
  private static let person = """
    from sys import argv; from urllib import parse, request
    form = parse.urlencode({'sub': 'ann', 'action': 'authorize'}).encode()
    request.urlopen(request.Request(argv[1], form)).read()
    """

  @Test func `a browser signs in to oidc-provider-mock, and the token is accepted and refreshed`() async throws {
    let server = try PythonServer.oidcProviderMock()
    let provider = try SignInProvider()
    let person = try TemporaryFile(Self.person, name: "person.py")
    let script = try TemporaryFile(
      """
      profile api {
        base http://localhost:\(server.port)
        auth oauth {
          issuer: "\(server.url)", flow: "browser", client-id: "workbench", client-secret: $env.CLIENT_SECRET,
          scope: "openid email offline_access"
        }
      }
      GET api:/userinfo
        expect 200
        expect body.sub == "ann"
      """, name: "oidc.wb")
    let browser = "\(Python.program ?? "") \(person.path)"
    let login = try await provider.run(["auth", "login", "api", "--script", script.path], browser: browser)
    #expect(login.code == 0, "\(login)")
    let run = try await provider.run(["run", "-v", script.path])
    #expect(run.code == 0, "\(run)")
    let refresh = try await provider.run(["auth", "refresh", "api", "--script", script.path])
    #expect(refresh.code == 0, "\(refresh)")
    #expect(try await provider.run(["run", script.path]).code == 0)
    #expect(provider.leaks(login, run, refresh).isEmpty)
  }
}

/// The same against glewlwyd, which is written in C.
@Suite(
  .enabled(if: Glewlwyd.isInstalled, "SKIPPED: glewlwyd is not installed (Scripts/prepare-servers)"),
  .timeLimit(.minutes(2)))
struct GlewlwydTests {
  private func script(_ server: Glewlwyd, _ auth: String) throws -> TemporaryFile {
    try TemporaryFile(
      """
      profile api {
        base http://127.0.0.1:\(server.port)
        auth oauth { issuer: "\(server.issuer)", client-id: "workbench", \(auth) }
      }
      GET api:/api/oidc/userinfo
        expect 2xx | 4xx
      """, name: "glewlwyd.wb")
  }

  @Test func `client credentials with a secret and with a key, a browser, a refresh and a revocation`() async throws {
    // Its database has it as it is.
    let secret = "glewlwyd-\(UUID())"
    let server = try Glewlwyd(secret: secret)
    let provider = try SignInProvider()
    for proof in [
      "client-secret: $env.CLIENT_SECRET", "client-secret: $env.CLIENT_SECRET, client-auth: \"body\"",
      "key: file(\"\(server.key)\")",
    ] {
      let script = try script(server, "flow: \"client-credentials\", scope: \"s1\", \(proof)")
      let login = try await provider.run(
        ["auth", "login", "api", "--script", script.path], environment: ["CLIENT_SECRET": secret])
      #expect(login.code == 0, "\(proof): \(login)")
    }
    let wrong = try script(server, "flow: \"client-credentials\", scope: \"s1\", client-secret: $env.CLIENT_SECRET")
    let refused = try await provider.run(
      ["auth", "login", "api", "--script", wrong.path], environment: ["CLIENT_SECRET": "not-the-secret"])
    #expect(refused.code == 26, "\(refused)")

    let browser = try script(
      server,
      "flow: \"browser\", scope: \"openid s1\", client-secret: $env.CLIENT_SECRET, port: \(server.callbackPort)")
    let login = try await provider.run(
      ["auth", "login", "api", "--script", browser.path], browser: server.browser,
      environment: ["CLIENT_SECRET": secret])
    #expect(login.code == 0, "\(login)")
    let run = try await provider.run(["run", browser.path], environment: ["CLIENT_SECRET": secret])
    #expect(run.code == 0, "\(run)")
    for action in ["refresh", "refresh", "logout"] {
      let outcome = try await provider.run(
        ["auth", action, "api", "--script", browser.path], environment: ["CLIENT_SECRET": secret])
      #expect(outcome.code == 0, "\(action): \(outcome)")
    }
    let after = try await provider.run(["run", browser.path], environment: ["CLIENT_SECRET": secret])
    #expect(after.code == 26, "\(after)")
    let shown = [login, run, refused, after].map { $0.output + $0.written }.joined()
    #expect(!shown.contains(secret) && !shown.contains("eyJ"))
  }
}

extension GlewlwydTests {
  @Test func `a device signs in`() async throws {
    let secret = "glewlwyd-\(UUID())"
    let server = try Glewlwyd(secret: secret)
    let provider = try SignInProvider()
    let script = try script(server, "flow: \"device\", scope: \"openid s1\", client-secret: $env.CLIENT_SECRET")
    let environment = ["CLIENT_SECRET": secret]
    let outcome = try await provider.loginOfDevice(script, environment: environment, enter: server.enter)
    #expect(outcome.code == 0 && outcome.output.hasPrefix("api: signed in for "), "\(outcome)")
    let run = try await provider.run(["run", script.path], environment: environment)
    #expect(run.code == 0, "\(run)")
    let refresh = try await provider.run(["auth", "refresh", "api", "--script", script.path], environment: environment)
    #expect(refresh.code == 0, "\(refresh)")
  }

  @Test func `a client is known by its certificate, and by no other`() async throws {
    let server = try Glewlwyd(secret: "glewlwyd-\(UUID())", hasTLS: true)
    let certificates = try #require(server.certificates)
    let provider = try SignInProvider()
    for (certificate, key, code) in [
      (certificates.client, certificates.clientKey, Int32(0)), (certificates.stranger, certificates.strangerKey, 26),
    ] {
      let script = try TemporaryFile(
        """
        profile login { base \(server.base)
          tls { ca: "\(certificates.authority)", cert: "\(certificate)", key: "\(key)" } }
        profile api { base https://127.0.0.1:\(server.port)
          tls { ca: "\(certificates.authority)" }
          auth oauth { issuer: "\(server.issuer)", client-id: "certified", flow: "client-credentials", scope: "s1" } }
        GET api:/api/oidc/userinfo
          expect 2xx | 4xx
        """, name: "certified.wb")
      let outcome = try await provider.run(["run", script.path])
      #expect(outcome.code == code, "\(outcome)")
    }
  }
}

/// A role of STS and the files of the aws command, against moto.
@Suite(
  .enabled(if: Python.has("moto"), "SKIPPED: needs python3 with moto (Scripts/prepare-servers)"),
  .timeLimit(.minutes(2)))
struct AWSKeyTests {
  private static let secret = Canary.secret("aws")

  private func run(
    _ server: PythonServer, _ auth: String, files: String = "", environment: [String: String] = [:]
  ) async throws -> Workbench.Outcome {
    let config = try TemporaryFile(files, name: "config.given")
    // Keys of a role come only when a request is sent.
    let isHere = !auth.contains("role")
    let script = try TemporaryFile(
      """
      profile s3 { base \(server.url)
        auth sigv4 { \(auth), region: "us-east-1", service: "s3", sts-url: "\(server.url)" } }
      PUT s3:/bucket
      PUT s3:/bucket/a%20b text "x"
      get: GET s3:/bucket/a%20b
        expect text == "x"
      \(isHere ? "GET (presign(\"GET\", \"/bucket/a%20b\", 5m)) auth none\n  expect text == \"x\"" : "")
      """,
      name: "aws.wb")
    let variables = ["AWS_CONFIG_FILE": config.path, "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"]
    let outcome = try await Workbench.run(
      ["run", "-v", script.path], environment: variables.merging(environment) { $1 })
    #expect(Canary.place(of: Self.secret, in: Data((outcome.output + outcome.written).utf8)) == nil)
    return outcome
  }

  @Test func `keys from the environment, and a URL that is signed with them`() async throws {
    let server = try PythonServer.moto()
    let outcome = try await run(
      server, "from: \"env\"",
      environment: ["AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": Self.secret])
    #expect(outcome.code == 0, "\(outcome)")
    let missing = try await run(server, "from: \"env\"")
    #expect(missing.code == 2 && missing.errors.contains("there is no AWS_ACCESS_KEY_ID"), "\(missing)")
  }

  @Test func `keys of a profile, and a role that somebody takes on with them`() async throws {
    let server = try PythonServer.moto()
    let files = """
      [profile base]
      aws_access_key_id = AKIDTEST
      aws_secret_access_key = \(Self.secret)
      [profile role]
      role_arn = arn:aws:iam::123456789012:role/uploader
      source_profile = base
      [profile sso]
      sso_session = x
      """
    for name in ["base", "role"] {
      let outcome = try await run(server, "aws-profile: \"\(name)\"", files: files)
      #expect(outcome.code == 0, "\(name): \(outcome)")
    }
    let unknown = try await run(server, "aws-profile: \"bse\"", files: files)
    #expect(unknown.code == 2 && unknown.errors.contains("no profile \"bse\""), "\(unknown)")
    let program = try await run(server, "aws-profile: \"sso\"", files: files)
    #expect(program.code == 2 && program.errors.contains("which a script may not run"), "\(program)")
  }
}
