import Foundation
import LoopbackServer
import Testing

/// A sequence that was typed at the prompt and is debugged there.
@Suite(.timeLimit(.minutes(2))) struct SessionSequenceTests {
  /// The response that brings it is on the screen before anybody can know what it is.
  private static let token = "session-token-0123456789"

  private let state: TemporaryFile

  init() throws { state = try TemporaryFile("", name: "state") }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let isLogin = request.head.hasPrefix("POST /login")
        try connection.respond(
          headers: ["Content-Type: application/json"],
          body: isLogin ? "{\"token\": \"\(Self.token)\"}" : #"{"id": 7, "title": "Glazier"}"#)
      }
    }
  }

  private func workbench(
    _ arguments: [String], input: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> Workbench.Outcome {
    try await Workbench.run(
      arguments, input: input.map { "\($0)\n" }.joined(),
      environment: environment.merging(["XDG_STATE_HOME": state.path + ".d", "NO_COLOR": "1"]) { $1 })
  }

  private func paths(_ server: LoopbackServer) -> [String] {
    server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  private static let hire = """
    sequence hire(title, note = "") {
      add: POST /jobs json { title: $title, name: $name, note: $note }
      close: PATCH /jobs/{$add.body.id} json { state: "closed" }
    }
    """

  @Test func `it is recorded, with the current values, and continues when the session is over`() async throws {
    let server = try server()
    let session = try await workbench(
      [],
      input: [
        "profile api { base \(server.url) }", "let name = \"Ada\"", Self.hire, "first: GET /jobs/1",
        // Nothing that the sequence needs.
        "let whole = $first", "let name = $first.body.title",
        ":debug hire(title: $first.body.title, note: \"n\")", "n",
      ])
    #expect(session.output.contains("(step 2/2 close, before) PATCH \(server.url)/jobs/7"), "\(session.output)")
    #expect(session.errors.contains("continue with: workbench debug --run"), "\(session.errors)")

    let resumed = try await workbench(["resume", "last"])
    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(paths(server) == ["GET /jobs/1", "POST /jobs", "PATCH /jobs/7"])
    let added = try await workbench(["show", "last", "add", "--request"])
    #expect(added.output.contains(#"{"title":"Glazier","name":"Glazier","note":"n"}"#), "\(added.output)")
    #expect(try await workbench(["replay", "last"]).code == 0)
    #expect(try await workbench(["runs"]).output.contains("done         <hire>  2 steps done"))
  }

  @Test func `the same sequence is offered in a later session`() async throws {
    let server = try server()
    let lines = ["profile api { base \(server.url) }", "let name = 1", Self.hire, ":debug hire(\"x\")", "n"]
    _ = try await workbench([], input: lines)
    let second = try await workbench([], input: lines)
    #expect(second.errors.contains("of this script is not finished: begun"), "\(second.errors)")
    let other = try await workbench([], input: lines.map { $0 == ":debug hire(\"x\")" ? ":debug hire(\"y\")" : $0 })
    #expect(!other.errors.contains("is not finished"), "\(other.errors)")
  }

  @Test func `a secret that only the session knows is not kept, and needed when it continues`() async throws {
    let server = try server()
    let session = try await workbench(
      [],
      input: [
        "profile api { base \(server.url) }", "login: POST /login", "secret token = $login.body.token for api",
        "profile api { base \(server.url)\n auth bearer $token }", "let name = 1", Self.hire, ":debug hire(\"x\")", "n",
      ])
    #expect(session.errors.contains("to continue this after the session, set API_TOKEN"), "\(session.errors)")
    #expect(session.output.contains("(step 2/2 close, before)"), "\(session.output)")

    let without = try await workbench(["resume", "last"])
    #expect(without.errors.contains("the environment has no \"API_TOKEN\""), "\(without.errors)")
    let resumed = try await workbench(["resume", "last"], ["API_TOKEN": Self.token])
    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(paths(server) == ["POST /login", "POST /jobs", "PATCH /jobs/7"])
    let files = FileManager.default.enumerator(at: URL(filePath: state.path + ".d"), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard let data = try? Data(contentsOf: file) else { continue }
      #expect(data.range(of: Data(Self.token.utf8)) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: [
    (["let name = 1"], "hire($first)", "$first is made from a response and cannot be kept as text"),
    (
      ["let name = 1", "profile other { base http://other.test }", ":profile api"], "hire(\"x\")",
      "outside this session, 2 profiles have a base"
    ),
  ])
  func `what cannot be kept is reported, and debugged nevertheless`(
    lines: [String], call: String, reason: String
  ) async throws {
    let server = try server()
    let session = try await workbench(
      [],
      input: ["profile api { base \(server.url) }", "first: GET /jobs/1"] + lines + [Self.hire, ":debug \(call)", "q"])
    #expect(session.errors.contains("this is not recorded: \(reason)"), "\(session.errors)\(session.output)")
    #expect(try await workbench(["runs"]).output.isEmpty)
  }
}
