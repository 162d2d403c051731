import Foundation
import LoopbackServer
import PseudoTerminal
import Testing

/// The progress of a long run: on a terminal, and in a pipe.
@Suite(.timeLimit(.minutes(5))) struct ProgressTests {
  /// Takes a while for each part.
  private static func slowServer() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        usleep(400_000)
        try connection.respond()
      }
    }
  }

  private static func script(_ url: String) throws -> TemporaryFile {
    let script = try TemporaryFile(
      """
      create: GET \(url)/create
      for $chunk in file("film.bin") | chunks(500000) parallel 2 {
        put: PUT \(url)/film?part={$chunk.number}
          body $chunk
      }
      """, name: "film.wb")
    try Data(count: 2_000_000).write(to: script.url.deletingLastPathComponent().appending(path: "film.bin"))
    return script
  }

  @Test func `on a terminal a line moves: steps, parts, bytes, rate and what is left`() throws {
    let server = try Self.slowServer()
    let script = try Self.script(server.url)
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, ["run", "--no-record", script.path], columns: 120)
    let shown = try terminal.wait(for: "part 4 of 4")
    let line = try Regex(#"part \d of 4  \d+%  [0-9.]+ .B of 2\.?0* MB  [0-9.]+ .B/s  0:0\d left"#)
    #expect(shown.contains(line), "\(shown.debugDescription)")
    #expect(terminal.exitCode() == 0)
  }

  @Test func `the queue's line moves, too`() async throws {
    let server = try Self.slowServer()
    let script = try Self.script(server.url)
    let store = script.path + ".d"
    for _ in 0..<3 {
      #expect(try await Workbench.run(["queue", "add", script.path, "--store", store]).code == 0)
    }
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, ["queue", "run", "--store", store], columns: 120)
    let shown = try terminal.wait(for: "queue: 2 of 3 done", seconds: 30)
    #expect(shown.contains("queue: 0 of 3 done  1 running"), "\(shown.debugDescription)")
    #expect(shown.contains(/queue: 1 of 3 done  1 running  0:0\d left/), "\(shown.debugDescription)")
    let all = try terminal.wait(for: "queue: 3 done", seconds: 30)
    // The line is gone before a response is printed.
    #expect(all.contains("$1") && !all.contains(/running[^\r\n]*\$1/), "\(all.debugDescription)")
    #expect(terminal.exitCode() == 0)
  }

  @Test func `in a pipe nothing is drawn`() async throws {
    let server = try Self.slowServer()
    let script = try Self.script(server.url)
    let outcome = try await Workbench.run(["run", script.path])
    #expect(outcome.code == 0)
    #expect(outcome.written == "")
    #expect(!outcome.output.contains("\r") && !outcome.output.contains("\u{1B}"))
  }
}
