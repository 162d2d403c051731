import Foundation
import RealServers
import Testing

/// `auth digest` against servers that others wrote.
@Suite(.timeLimit(.minutes(2))) struct DigestServerTests {
  /// Without characters that httpbin would have to decode in its path.
  private static let password = "digest-\(UUID())"

  private func run(_ text: String) async throws -> Workbench.Outcome {
    let script = try TemporaryFile(text, name: "digest.wb")
    let outcome = try await Workbench.run(["run", "-v", script.path], environment: ["PASSWORD": Self.password])
    #expect(!(outcome.output + outcome.written).contains(Self.password))
    return outcome
  }

  @Test(
    .enabled(if: Python.has("httpbin"), "SKIPPED: needs python3 with httpbin (Scripts/prepare-servers)"),
    arguments: ["auth/ann/P", "auth-int/ann/P", "auth/ann/P/MD5", "auth/ann/P/SHA-256", "auth-int/ann/P/SHA-256"])
  func `httpbin accepts each of its qualities and algorithms`(path: String) async throws {
    let server = try PythonServer.httpbin()
    let path = path.replacingOccurrences(of: "/P", with: "/{$env.PASSWORD}")
    let outcome = try await run(
      """
      profile bin { base \(server.url)
        auth digest "ann", $env.PASSWORD }
      GET bin:/digest-auth/\(path)
        expect 200
        expect body.authenticated == true
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test(.enabled(if: Apache.isInstalled, "SKIPPED: apache2 is not installed (Scripts/prepare-servers)"))
  func `Apache accepts it, also when its nonce is too old`() async throws {
    let hash = try await Python.output([
      "-c", "import hashlib,sys;print(hashlib.md5(sys.argv[1].encode()).hexdigest(),end='')", "ann:r:\(Self.password)",
    ])
    let server = try Apache(user: "ann", hash: String(decoding: hash, as: UTF8.self))
    let outcome = try await run(
      """
      profile web { base \(server.url)
        auth digest "ann", $env.PASSWORD }
      a: GET web:/x
        expect text == "fine"
      b: GET web:/x
        expect text == "fine"
      GET web:/x auth digest "ann", "wrong"
        expect 401
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }
}
