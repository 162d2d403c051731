import LoopbackServer
import Testing

/// A line without options is read by the program itself, and means what it means to the library that reads all others.
@Suite(.timeLimit(.minutes(2))) struct PlainLineTests {
  private static func same(_ line: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let plain = try await Workbench.run(line)
    let read = try await Workbench.run(line + ["--color", "auto"])
    #expect(plain.code == read.code, "\(line)", sourceLocation: sourceLocation)
    #expect(plain.output == read.output, "\(line)", sourceLocation: sourceLocation)
    #expect(plain.errors == read.errors, "\(line)", sourceLocation: sourceLocation)
  }

  @Test func `a plain line means the same to both who read it`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "{\"a\": 1}") }
    }
    let script = try TemporaryFile("sequence first() {\n  GET \(server.url)/a\n  expect 404\n}\n", name: "script.wb")
    for line in [
      ["check", script.path], ["check", script.path, "missing.wb"], ["check", ""], ["run", "missing.wb"], ["run", ""],
      ["run", script.path, "second"], ["run", script.path, "a", "b"], ["send"], ["send", ""], ["send", "nonsense"],
      ["send", "GET", server.url], ["send", "POST", server.url, "a=1", "X-A:2", "expect", "404"],
    ] {
      try await Self.same(line)
    }
  }
}
