import Canaries
import Foundation
import LoopbackServer
import Testing

/// Snapshots through the command: what is written beside a script, and who compares with it.
@Suite(.timeLimit(.minutes(5))) struct SnapshotFileTests {
  private static func server(_ token: String) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let id = request.head.contains("/second") ? 2 : 1
        try connection.respond(
          headers: ["Content-Type: application/json", "Set-Cookie: sid=cookie-value-\(id)-long"],
          body: "{\"id\": \(id), \"echo\": \"\(token)\", \"sid\": \"cookie-value-1-long\"}")
      }
    }
  }

  @Test func `run and test compare and write, replay, resume and the prompt compare`() async throws {
    let token = Canary.secret("snapshot-file")
    let server = try Self.server(token)
    let place = try TemporaryFile("", name: "place")
    let directory = place.url.deletingLastPathComponent()
    let script = directory.appending(path: "tests/a.wb")
    try FileManager.default.createDirectory(
      at: script.deletingLastPathComponent(), withIntermediateDirectories: true)
    func write(_ path: String) throws {
      try Data(
        """
        profile api { base \(server.url) auth bearer $env.TOKEN cookies on }
        login: GET api:/first
        one: GET api:/\(path)
          expect body is snapshot
        """.utf8
      ).write(to: script)
    }
    func run(_ arguments: [String], input: String = "") async throws -> Workbench.Outcome {
      let outcome = try await Workbench.run(
        arguments, input: input, environment: ["TOKEN": token, "XDG_STATE_HOME": directory.path],
        directory: directory.path)
      #expect(!(outcome.output + outcome.written).contains(token))
      return outcome
    }
    let shape = directory.appending(path: "tests/a.wb.snapshots/one.shape")
    try write("first")
    let missing = try await run(["run", "tests/a.wb"])
    #expect(missing.code == 1 && missing.errors.contains("--update-snapshots"), "\(missing.errors)")
    #expect(!FileManager.default.fileExists(atPath: shape.path))
    let written = try await run(["test", "tests", "--update-snapshots", "--jobs", "2"])
    #expect(written.code == 0, "\(written.output)\(written.errors)")
    #expect(written.errors.contains("wrote tests/a.wb.snapshots/one.shape"), "\(written.errors)")
    #expect(try String(contentsOf: shape, encoding: .utf8) == "{ id: 1, echo: string, sid: string }\n")
    #expect(try await run(["run", "tests/a.wb"]).code == 0)
    // Somebody expects something else since: offline, too.
    try Data("{ id: 3, echo: string, sid: string }\n".utf8).write(to: shape)
    let replayed = try await run(["replay", "last"])
    #expect(replayed.code == 1 && replayed.errors.contains("expected body.id 3, got 1"), "\(replayed.errors)")
    let failed = try await run(["run", "tests/a.wb"])
    #expect(failed.code == 1)
    try Data("{ id: int, echo: string, sid: string }\n".utf8).write(to: shape)
    let resumed = try await run(["resume", "last"])
    #expect(resumed.code == 0, "\(resumed.errors)")
    // What fits is not written.
    try write("second")
    let same = try await run(["run", "tests/a.wb", "--update-snapshots"])
    #expect(same.code == 0 && !same.errors.contains("wrote"), "\(same.errors)")
    #expect(try String(contentsOf: shape, encoding: .utf8) == "{ id: int, echo: string, sid: string }\n")
    let typed = try await run([], input: "one: GET \(server.url)/x\n  expect body is snapshot\n\n")
    #expect((typed.output + typed.errors).contains("a snapshot is beside its script"), "\(typed.output)\(typed.errors)")
  }

  @Test(arguments: [
    "one: GET https://a.test/x\nfinally {\n  end: GET https://a.test/x\n    expect body is snapshot\n}\nfinally {\n  end: GET https://a.test/y\n    expect body is snapshot\n}\n",
    "one: GET https://a.test/x\n  expect body.a is snapshot and body.b is snapshot\none-2: GET https://a.test/y\n  expect body is snapshot\n",
  ])
  func `two steps do not share a snapshot`(text: String) async throws {
    let script = try TemporaryFile(text, name: "shared.wb")
    let outcome = try await Workbench.run(["check", script.path])
    #expect(outcome.code == 2 && outcome.errors.contains("would be that of another step, too"), "\(outcome)")
  }

  /// A place with a script that has a snapshot, and what its server was asked.
  private struct Kept {
    let server: LoopbackServer
    let script: TemporaryFile
    var shape: URL { URL(filePath: script.path + ".snapshots/one.shape") }

    init() throws {
      server = try SnapshotFileTests.server("x")
      script = try TemporaryFile(
        "one: GET \(server.url)/first\n  expect body.id is snapshot\ntwo: GET \(server.url)/second\n", name: "kept.wb")
      try FileManager.default.createDirectory(
        at: shape.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: shape) }

    func run(_ arguments: [String], input: String = "") async throws -> Workbench.Outcome {
      try await Workbench.run(
        arguments, input: input,
        environment: ["XDG_STATE_HOME": script.path + ".state"],
        directory: script.url.deletingLastPathComponent().path)
    }
  }

  @Test func `the debugger compares, again after the file has changed, and writes nothing`() async throws {
    let kept = try Kept()
    try kept.write("5\n")
    let outcome = try await kept.run(["debug", "--no-record", "kept.wb"], input: "n\nr\nq\n")
    #expect(
      outcome.output.contains("expected body.id 5, got 1") || outcome.errors.contains("expected body.id 5, got 1"),
      "\(outcome)")
    #expect(try String(contentsOf: kept.shape, encoding: .utf8) == "5\n")
    try kept.write("int\n")
    let fitting = try await kept.run(["debug", "--no-record", "kept.wb"], input: "n\nn\n")
    #expect(!fitting.errors.contains("expected") && fitting.output.contains("200 OK"), "\(fitting)")
    // A changed step keeps its label, and so its file.
    let changed = try await kept.run(
      ["debug", "--no-record", "kept.wb"],
      input: "e GET \(kept.server.url)/second\\n  expect body.id is snapshot\nn\nq\n")
    #expect(try String(contentsOf: kept.shape, encoding: .utf8) == "int\n", "\(changed)")
  }

  @Test func `a run in the session is saved without what only a file can have`() async throws {
    let kept = try Kept()
    try kept.write("1\n")
    let outcome = try await kept.run(["prompt"], input: ":run kept.wb\n:save saved.wb\n")
    #expect(outcome.code == 0, "\(outcome)")
    let saved = try String(
      contentsOf: kept.script.url.deletingLastPathComponent().appending(path: "saved.wb"), encoding: .utf8)
    // What is saved is a script that can be run as it is: its snapshot would be another file.
    let check = try await kept.run(["check", "saved.wb"])
    #expect(check.code == 0, "\(saved)\(check)")
    let again = try await kept.run(["run", "saved.wb"])
    #expect(again.code == 0 && !saved.contains("is snapshot"), "\(saved)\(again)")
    #expect(
      (outcome.output + outcome.written).contains(
        "left out, since its file is beside another script: expect body.id is snapshot")
        && !(outcome.output + outcome.written).contains("not what was sent"), "\(outcome)")
  }
}
