import Foundation
import LoopbackServer
import Testing

/// A header that is left out is not sent, whoever sends the request; nor does the program add it.
@Suite(.timeLimit(.minutes(5))) struct OmittedHeaderTests {
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "{}") }
    }
  }

  /// The names in a head, in lowercase.
  private static func names(_ head: String) -> Set<String> {
    Set(head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" }.lowercased() })
  }

  private static let left = ["user-agent", "accept", "accept-encoding", "x-profile"]

  @Test func `it is left out by run, debug, the queue, resume and replay`() async throws {
    let server = try Self.server()
    let script = try TemporaryFile(
      """
      profile api { base \(server.url) header X-Profile: 1 header X-Kept: 2
        header User-Agent: }
      one: PUT api:/x text "a"
        header Accept:
        header { "Accept-Encoding": null, "X-Profile": null, "X-Empty": "" }

      """, name: "left.wb")
    let store = script.url.deletingLastPathComponent().appending(path: "store").path
    var count = 0
    for (arguments, input) in [
      (["run", script.path, "--store", store], ""), (["debug", script.path, "--store", store], "c\nq\n"),
      (["queue", "add", script.path, "--store", store], ""), (["queue", "run", "--store", store], ""),
    ] {
      let outcome = try await Workbench.run(arguments, input: input)
      #expect(outcome.code == 0, "\(arguments) \(outcome)")
    }
    for head in server.requests {
      count += 1
      let names = Self.names(head)
      #expect(names.isDisjoint(with: Self.left), "\(head)")
      #expect(names.isSuperset(of: ["x-kept", "x-empty", "host", "content-length", "content-type"]), "\(head)")
    }
    #expect(count == 3)
    let replayed = try await Workbench.run(["replay", "last", "--store", store])
    #expect(replayed.code == 0, "\(replayed)")
    #expect(server.requests.count == 3)
  }

  @Test func `it is left out by send, in each of its notations`() async throws {
    let server = try Self.server()
    for arguments in [
      ["send", "POST", "\(server.url)/x", "a=1", "User-Agent:", "Accept:", "Accept-Encoding:", "Content-Type:"],
      ["send", "POST \(server.url)/x a=1 User-Agent: Accept: Accept-Encoding: Content-Type:"],
      ["send", "curl \(server.url)/x -d a=1 -H 'User-Agent:' -H 'Accept:' -H 'Accept-Encoding:' -H 'Content-Type:'"],
      ["send", "http POST \(server.url)/x a=1 User-Agent: Accept: Accept-Encoding: Content-Type:"],
    ] {
      let outcome = try await Workbench.run(arguments)
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(server.requests.count == 4)
    for head in server.requests { #expect(Self.names(head) == ["host", "content-length"], "\(head)") }
  }

  @Test func `fmt keeps it`() async throws {
    let text = "GET https://a.test/\n  header Accept-Encoding:\n  header { Accept: null }\n"
    let script = try TemporaryFile(text, name: "left.wb")
    let outcome = try await Workbench.run(["fmt", "--check", script.path])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a saved body gets its directories, below the script's own and nowhere else`() async throws {
    let server = try Self.server()
    let script = try TemporaryFile(
      """
      one: GET \(server.url)/x save body to "out/a/{$id}.json"

      """.replacing("one:", with: "let id = \"7\"\none:"), name: "save.wb")
    let directory = script.url.deletingLastPathComponent()
    let outcome = try await Workbench.run(["run", script.path])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: directory.appending(path: "out/a/7.json").path))
    // No directory is made behind a link that leads out; in one that is there, a file is.
    let other = try TemporaryFile("", name: "other")
    defer { withExtendedLifetime(other) {} }
    let outside = other.url.deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(at: directory.appending(path: "link"), withDestinationURL: outside)
    let through = directory.appending(path: "through.wb")
    try Data("GET \(server.url)/x save body to \"link/new/x\"\n".utf8).write(to: through)
    let refused = try await Workbench.run(["run", through.path])
    #expect(refused.code == 25 && refused.errors.contains("no directory is made where a symbolic link"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: outside.appending(path: "new").path))
    try Data("GET \(server.url)/x save body to \"link/x\"\n".utf8).write(to: through)
    #expect(try await Workbench.run(["run", through.path]).code == 0)
    let elsewhere = try TemporaryFile("GET \(server.url)/x save body to \"../missing-\(UUID())/x\"\n", name: "up.wb")
    #expect(try await Workbench.run(["run", elsewhere.path]).code == 25)
    let wrong = try TemporaryFile("GET \(server.url)/x save body to \"out/\"\n", name: "dir.wb")
    let checked = try await Workbench.run(["check", wrong.path])
    #expect(checked.errors.contains("\"out/\" names a directory, not a file"), "\(checked)")
  }

  @Test func `a pipe is the body, and a loop that reads one keeps its lines`() async throws {
    let server = try Self.server()
    let piped = try await Workbench.run(["send", "POST", "\(server.url)/x"], input: "{\"a\":1}")
    #expect(piped.code == 0 && server.requests.last?.contains("application/json") == true, "\(piped)")
    let command = """
      printf '1\\n2\\n3\\n' | while read id; do '\(Workbench.executable.path)' send GET "\(server.url)/$id"; done >/dev/null
      """
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: system(command)) }
    }
    #expect(code == 0 && server.requests.count == 4)
  }
}
