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
    try Data(Self.key.utf8).write(to: key)
    if ["browser", "device"].contains(flow) {
      let login = try await provider.login(script)
      #expect(login.code == 0, "\(login)")
    }
    let run = try await provider.run(["run", script.path])
    #expect(run.code == 0, "\(run)")
    #expect(provider.leaks(run).isEmpty)
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
      let outcome = try await Workbench.run(["check", file.path])
      #expect(outcome.code == 0 && outcome.errors == "", "\(text)\(outcome.errors)")
    }
  }

  /// Of this test alone; it opens nothing.
  private static let key = {
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID()).pem")
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path.path,
    ]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()
}
