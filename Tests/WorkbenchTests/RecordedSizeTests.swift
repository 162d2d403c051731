import Foundation
import LoopbackServer
import Testing

/// What a record says of bodies with secrets in them, and a replay without those.
@Suite(.timeLimit(.minutes(2))) struct RecordedSizeTests {
  @Test func `a body has the size that came, and a replay needs no secret`() async throws {
    let body = #"{"token": "a-very-long-token-that-is-not-kept", "id": 7}"#
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: body)
      }
    }
    let file = try TemporaryFile(
      """
      profile api { base \(server.url) }
      secret password = $env.A_PASSWORD for api
      login: POST /login json { password: $password }
      secret token = $login.body.token for api
      GET /me header X: $token
      """, name: "login.wb")
    let store = NSTemporaryDirectory() + "store-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: store) }
    let run = try await Workbench.run(
      ["run", file.path, "--store", store], environment: ["A_PASSWORD": "the-password"])
    #expect(run.code == 0, "\(run)")
    let shown = try await Workbench.run(["show", "last", "--store", store])
    #expect(shown.output.components(separatedBy: "\(body.utf8.count) B\n").count == 3, "\(shown)")
    let replayed = try await Workbench.run(["replay", "last", "--store", store])
    #expect(replayed.code == 0, "\(replayed)")
  }
}
