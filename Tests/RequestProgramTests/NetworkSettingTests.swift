import Diagnostics
import Foundation
import Requests
import Testing

@testable import RequestProgram

@Suite struct NetworkSettingTests {
  private func profile(_ settings: String, variables: [String: String] = [:], directory: String = "") throws
    -> SessionProfile
  {
    let script = "profile a { base http://a.example\n\(settings)\n}\nGET a:/"
    let outcome = ScriptHarness(variables: variables).run(script, directory: directory)
    #expect(outcome.error == nil && !outcome.diagnostics.contains { $0.severity == .error })
    return try #require(outcome.profiles["a"])
  }

  @Test func `without settings nothing is kept, trusted or asked beyond the defaults`() throws {
    #expect(try profile("").network == NetworkSettings())
  }

  @Test func `a profile's settings become those of its connections`() throws {
    let network = try profile(
      """
      cookies on
      http 2
      proxy socks5h://127.0.0.1:1080
      resolve a.example: 127.0.0.1:8443
      resolve b.example: ::1
      unix-socket run/api.sock
      tls { insecure: true, minimum: "1.3" }
      """, directory: "/srv/scripts"
    ).network
    #expect(
      network
        == NetworkSettings(
          tls: .init(minimum: .tls13, isInsecure: true), version: .http2, proxy: try Proxy("socks5h://127.0.0.1:1080"),
          resolve: [
            try .init(host: "a.example", address: "127.0.0.1:8443"), try .init(host: "b.example", address: "[::1]"),
          ], unixSocket: "/srv/scripts/run/api.sock", keepsCookies: true))
    #expect(network.resolve.map(\.port) == [8443, nil])
  }

  @Test func `certificates are relative to the script, as a text or as a file`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for (name, label) in [("ca.pem", "CERTIFICATE"), ("me.pem", "CERTIFICATE"), ("me.key", "EC PRIVATE KEY")] {
      try Data("-----BEGIN \(label)-----\n".utf8).write(to: directory.appending(path: name))
    }
    var harness = ScriptHarness()
    harness.environment.openFile = { path throws(FileError) in try FileSlice(path: path) }
    let outcome = harness.run(
      """
      profile a { base https://a.example
        tls { ca: "ca.pem", cert: file("me.pem"), key: "me.key" }
      }
      GET a:/
      """, directory: directory.path)
    #expect(
      outcome.profiles["a"]?.network.tls
        == .init(
          authorities: directory.path + "/ca.pem", certificate: directory.path + "/me.pem", format: .pem,
          key: directory.path + "/me.key"))
    let missing = harness.run(
      "profile a { base https://a.example tls { ca: \"gone.pem\" } }\nGET a:/", directory: directory.path)
    #expect(missing.text.contains("gone.pem"))
    #expect(missing.requests.isEmpty)
  }

  @Test func `a proxy from the environment is the profile's secret, and so is its password`() throws {
    let profile = try profile(
      "proxy $env.WORK_PROXY", variables: ["WORK_PROXY": "http://tess:canary-p4ss@proxy.example:3128"])
    #expect(profile.network.proxy?.user == "tess")
    let texts = profile.secrets.map { $0.withExposedText { $0 } }
    #expect(texts.contains("canary-p4ss"))
    #expect(texts.contains("http://tess:canary-p4ss@proxy.example:3128"))
  }

  @Test(arguments: ["http://", "ftp://p", "p:3128", "http://p:99999", "http://u:canary@p/x"])
  func `an invalid proxy is refused, and its password is not shown`(text: String) {
    let outcome = ScriptHarness(variables: ["P": text]).run("profile a { base http://a\nproxy $env.P }\nGET a:/")
    #expect(outcome.text.contains("this is not a proxy"))
    #expect(!outcome.text.contains("canary"))
    #expect(outcome.requests.isEmpty)
  }
}
