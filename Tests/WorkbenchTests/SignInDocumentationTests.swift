import Foundation
import RealServers
import Testing

/// The flows of Documentation/sign-in.md, as they are written there, against an authorization server.
@Suite(
  .enabled(if: AuthorizationServer.isInstalled, "SKIPPED: python3 is not installed"), .timeLimit(.minutes(2)))
struct SignInDocumentationTests {
  private static let page: String = {
    let page = URL(filePath: Workbench.examples).deletingLastPathComponent().appending(path: "Documentation/sign-in.md")
    return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
  }()

  private static func block(_ name: String) throws -> String {
    let start = try #require(page.range(of: "```wb \(name)\n"))
    let end = try #require(page[start.upperBound...].range(of: "\n```"))
    return String(page[start.upperBound..<end.lowerBound]) + "\n"
  }

  @Test(arguments: ["client-credentials", "key", "browser", "device"])
  func `a flow of the page works as it is written`(flow: String) async throws {
    let provider = try SignInProvider()
    let script = try TemporaryFile(
      try Self.block(flow)
        .replacingOccurrences(of: "https://login.example.com", with: provider.server.issuer("page-\(flow)"))
        .replacingOccurrences(
          of: "https://api.example.com", with: "http://localhost:\(provider.server.port)/page-\(flow)"),
      name: "page.wb")
    let key = script.url.deletingLastPathComponent().appending(path: "client.pem")
    try Data(SignInKey.pem.utf8).write(to: key)
    if ["browser", "device"].contains(flow) {
      let login = try await provider.login(script)
      #expect(login.code == 0, "\(login)")
    }
    let run = try await provider.run(["run", script.path])
    #expect(run.code == 0, "\(run)")
    #expect(provider.leaks(run).isEmpty)
  }

  @Test(.enabled(if: SignInProvider.hasTLS, "SKIPPED: openssl is not installed"))
  func `the flow with a certificate works as it is written`() async throws {
    let provider = try SignInProvider()
    let certificates = try #require(provider.server.certificates)
    let text = try Self.block("certificate")
      .replacingOccurrences(of: "base https://login.example.com", with: "base \(provider.secureOrigin)")
      .replacingOccurrences(of: "https://login.example.com", with: provider.server.secureIssuer("page-certified"))
      .replacingOccurrences(of: "tls {", with: "tls { ca: \"\(certificates.authority)\",")
      .replacingOccurrences(
        of: "https://api.example.com", with: "http://localhost:\(provider.server.port)/page-certified")
    let script = try TemporaryFile(text, name: "page.wb")
    let folder = script.url.deletingLastPathComponent()
    for (from, to) in [(certificates.client, "client.pem"), (certificates.clientKey, "client.key")] {
      try FileManager.default.copyItem(at: URL(filePath: from), to: folder.appending(path: to))
    }
    let run = try await provider.run(["run", "-v", script.path])
    #expect(run.code == 0, "\(run)")
    #expect(try await provider.server.stats("page-certified")["clients"] as? [String] == ["certificate"])
    #expect(provider.leaks(run).isEmpty)
  }

  @Test(.enabled(if: Python.has("httpbin"), "SKIPPED: needs python3 with httpbin (Scripts/prepare-servers)"))
  func `digests work as they are written`() async throws {
    let server = try PythonServer.httpbin()
    let text = try Self.block("digest").replacingOccurrences(of: "https://api.example.com", with: server.url)
    let script = try TemporaryFile(
      text + "GET api:/digest-auth/auth/ann/{$env.PASSWORD}\n  expect 200\n", name: "page.wb")
    let run = try await Workbench.run(["run", script.path], environment: ["PASSWORD": "digest-\(UUID())"])
    #expect(run.code == 0, "\(run)")
  }

  @Test(.enabled(if: Python.has("moto"), "SKIPPED: needs python3 with moto (Scripts/prepare-servers)"))
  func `keys of AWS and signed URLs work as they are written`() async throws {
    let server = try PythonServer.moto()
    let keys = ["AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "page-\(UUID())"]
    func run(_ name: String, _ steps: String) async throws -> Workbench.Outcome {
      let text = try Self.block(name)
        .replacingOccurrences(of: "https://s3.eu-west-1.amazonaws.com", with: server.url)
        .replacingOccurrences(of: "/plans/", with: "/page-plans/")
      let script = try TemporaryFile(text + steps, name: "page.wb")
      try Data("png".utf8).write(to: script.url.deletingLastPathComponent().appending(path: "a.png"))
      let config = try TemporaryFile(
        "[profile prod]\naws_access_key_id = AKIDTEST\naws_secret_access_key = \(keys["AWS_SECRET_ACCESS_KEY"] ?? "")\n",
        name: "config.given")
      return try await Workbench.run(
        ["run", script.path], environment: keys.merging(["AWS_CONFIG_FILE": config.path]) { $1 })
    }
    let made = try await run(
      "aws",
      "PUT s3:/page-plans\n  body \"<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>\"\n  expect 200\n"
    )
    #expect(made.code == 0, "\(made)")
    let presigned = try await run("presign", "GET s3:/page-plans/a.png\n  expect text == \"png\"\n")
    #expect(presigned.code == 0, "\(presigned)")
  }

  @Test func `every script of the page has no mistakes`() async throws {
    for part in Self.page.components(separatedBy: "```wb").dropFirst() {
      let lines = part.components(separatedBy: "\n").dropFirst()
      let text = lines.prefix { $0 != "```" }.joined(separator: "\n") + "\n"
      let file = try TemporaryFile(text, name: "page.wb")
      for (name, label) in [("client.pem", "CERTIFICATE"), ("client.key", "PRIVATE KEY")] {
        try Data("-----BEGIN \(label)-----\n".utf8)
          .write(to: file.url.deletingLastPathComponent().appending(path: name))
      }
      try NamedFiles.make(in: file.url.deletingLastPathComponent(), for: text)
      let outcome = try await Workbench.run(["check", file.path])
      #expect(outcome.code == 0 && outcome.errors == "", "\(text)\(outcome.errors)")
    }
  }
}
