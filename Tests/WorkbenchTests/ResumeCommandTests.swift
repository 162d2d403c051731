import Foundation
import LoopbackServer
import Testing

/// `workbench resume`, with what is given to it.
@Suite(.timeLimit(.minutes(2))) struct ResumeCommandTests {
  @Test func `a setting given to resume is remembered, but none that a secret is made from`() async throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let isRefused = request.head.contains("/nope") || request.head.contains("key-that-is-wrong")
        try connection.respond(isRefused ? "404 Not Found" : "200 OK", headers: [], body: "{}")
      }
    }
    let script = """
      profile web { base \(server.url) }
      let path = "nope"
      let given = "key-that-is-wrong"
      secret key = $given for web
      first: GET web:/first
      second: GET web:/{$path} header X-Key: $key
      """
    let file = try TemporaryFile(script, name: "a.wb")
    let directory = file.url.deletingLastPathComponent().path
    func run(_ arguments: [String]) async throws -> Workbench.Outcome {
      try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": "\(directory)/state"], directory: directory)
    }
    #expect(try await run(["run", "a.wb"]).code == 1)
    let resumed = try await run(["resume", "last", "--set", "path=me", "--set", "given=key-that-is-right"])
    #expect(resumed.code == 0, "\(resumed)")
    let known = try await run(["replay", "last", "--set", "given=key-that-is-right"])
    #expect(known.code == 0, "\(known)")
    let found = FileManager.default.enumerator(atPath: "\(directory)/state")?.compactMap { $0 as? String } ?? []
    let bytes = found.compactMap { FileManager.default.contents(atPath: "\(directory)/state/\($0)") }
    #expect(!bytes.isEmpty && !bytes.contains { $0.range(of: Data("key-that-is-right".utf8)) != nil })
  }
}
