import Canaries
import Foundation
import LoopbackServer
import Testing

/// A response that somebody changed in the debugger is not taken back without a word.
@Suite struct GivenResponseTests {
  private static let environment = ["GIVEN_TOKEN": Canary.secret("given")]

  private static func start(_ commands: String) async throws -> (LoopbackServer, TemporaryFile) {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: #"{"part": "its own"}"#)
      }
    }
    let file = try TemporaryFile(
      """
      profile api { base \(server.url) }
      secret token = $env.GIVEN_TOKEN for api
      a: GET api:/a
      GET api:/b header X-Part: $a.body.part

      """, name: "given.wb")
    let outcome = try await run(["debug", file.path], input: commands, beside: file)
    #expect(outcome.code == 0, "\(outcome)")
    return (server, file)
  }

  private static func run(
    _ arguments: [String], input: String = "", beside file: TemporaryFile
  ) async throws -> Workbench.Outcome {
    let store = file.url.deletingLastPathComponent().appending(path: "state").path
    return try await Workbench.run(
      arguments, input: input, environment: environment.merging(["XDG_STATE_HOME": store]) { $1 })
  }

  @Test func `one with a secret is asked for, since sending the step would bring another`() async throws {
    let (server, file) = try await Self.start("n\nset $a.body.part = $token | upper\nq\n")
    let resumed = try await Self.run(["resume", "last"], beside: file)
    #expect(resumed.code == 24, "\(resumed)")
    #expect(resumed.errors.contains("step \"a\": its response was given in the debugger with the secret"))
    #expect(resumed.errors.contains("--again a"), "\(resumed.errors)")
    #expect(server.requests.count == 1, "\(server.requests)")
    let again = try await Self.run(["resume", "last", "--again", "a"], beside: file)
    #expect(again.code == 0 && server.requests.count == 3, "\(again)")
    #expect(server.requests.last?.contains("its own") == true)
  }

  @Test func `one without is taken`() async throws {
    let (server, file) = try await Self.start("n\nset $a.body.part = \"mine\"\nq\n")
    let resumed = try await Self.run(["resume", "last"], beside: file)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(server.requests.count == 2 && server.requests.last?.contains("X-Part: mine") == true)
  }
}
