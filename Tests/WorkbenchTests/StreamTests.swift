import Foundation
import LoopbackServer
import PseudoTerminal
import Synchronization
import Testing

/// What comes bit by bit, through the program: into a pipe, and on a terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StreamProgramTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  /// A server that sends so many events at once, and then waits.
  private func server(events count: Int) throws -> LoopbackServer {
    try LoopbackServer { connection in
      guard try connection.readHead()?.contains("/silent") == false else { return try connection.waitForClose() }
      try connection.send(Self.head + (1...count).map { "data: \($0)\n\n" }.joined())
      try connection.waitForClose()
    }
  }

  private func shell(_ line: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      running: "/bin/sh", ["-c", line], environment: ["W": Workbench.executable.path, "SWIFT_BACKTRACE": "enable=no"])
  }

  @Test func `it ends quietly when its reader has enough, though the server goes on waiting`() throws {
    let server = try server(events: 2)
    let terminal = try shell("\"$W\" send GET \(server.url)/events | head -3; echo over; sleep 60")
    let shown = try terminal.wait(for: "over")
    #expect(shown == "data: 1\r\n\r\ndata: 2\r\nover")
  }

  @Test func `what is before the body comes first, and by the same rule`() throws {
    let server = try server(events: 2)
    let heads = try shell("\"$W\" send -i GET \(server.url)/events | head -4; echo over; sleep 60")
    let shown = try heads.wait(for: "over")
    #expect(shown == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\r\nover", "\(shown)")
    let alone = try shell("\"$W\" send --headers GET \(server.url)/events | cat; echo over; sleep 60")
    #expect(try alone.wait(for: "over") == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nover")
    let ended = try shell("{ \"$W\" send -i GET \(server.url)/events; echo code $? >&2; } | head -1; sleep 60")
    #expect(try ended.wait(for: "code 0").contains("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `a prompt in a pipe ends when its reader has enough, though the server goes on waiting`() throws {
    let server = try server(events: 1)
    let terminal = try shell(
      "printf 'GET \(server.url)/events\\n' | \"$W\" | head -2; echo over; sleep 60")
    let shown = try terminal.wait(for: "over")
    #expect(shown.contains("data: 1\r\nover"), "\(shown)")
  }

  /// What fits into a pipe, what is kept until it is complete, and what is passed on as it comes.
  @Test(arguments: [1_000, 70_000, 300_000, 3_000_000])
  func `a reader that has enough of a body is no failure`(size: Int) throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        // Nor is it one of this server.
        do { try connection.respond(body: String(repeating: "x\n", count: size / 2)) } catch { return }
      }
    }
    for option in ["", "-i", "-v", "--headers"] {
      let terminal = try shell(
        "for n in 1 2 3; do { \"$W\" send \(option) GET \(server.url)/; echo \"code $?\" >&2; } | head -1 >/dev/null; "
          + "done; echo over")
      let shown = try terminal.wait(for: "over")
      #expect(shown.ranges(of: "code 0").count == 3 && !shown.contains("error:"), "\(option): \(shown)")
    }
  }

  @Test func `a reader sees each line as it comes`() throws {
    let server = try server(events: 1)
    let terminal = try shell("\"$W\" send GET \(server.url)/events | cat")
    try terminal.wait(for: "data: 1\r\n")
    #expect(server.waitForRequests())
    terminal.type("\u{3}")
    _ = terminal.exitCode()
  }

  @Test func `a loop's input is not taken`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "b") }
    }
    let terminal = try shell(
      "printf '1\\n2\\n3\\n' | while read n; do \"$W\" send GET \(server.url)/$n; echo \" $n\"; done; echo over")
    let shown = try terminal.wait(for: "over")
    for number in 1...3 { #expect(shown.contains(" \(number)\r\n"), "\(shown)") }
  }

  @Test func `what goes through a pipe is not kept, however long it is`() async throws {
    let line = String(repeating: "x", count: 1023) + "\n"
    let block = String(repeating: line, count: 64)
    let count = 3_200
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n")
      for _ in 0..<count { try connection.send(block) }
    }
    let peak = Mutex(0)
    let outcome = try await Workbench.run(
      ["send", "GET", "\(server.url)/lines"], environment: ["TMPDIR": "/nonexistent"],
      during: { child in
        // The server closes when it has sent everything.
        while let status = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8),
          let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        {
          peak.withLock { $0 = Int(line.filter(\.isNumber)) ?? $0 }
          usleep(20_000)
        }
      })
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.utf8.count == count * block.utf8.count)
    #expect(peak.withLock { 1_024..<96 << 10 ~= $0 }, "\(peak.withLock { $0 }) KiB")
  }

  @Test func `at the prompt a program that has read enough ends the response, which is kept`() async throws {
    let server = try server(events: 3)
    let lines = [
      "GET \(server.url)/events | head -3", ":print $1.text", "GET \(server.url)/events | sh -c 'exit 3'", "",
    ]
    let outcome = try await Workbench.run([], input: lines.joined(separator: "\n"))
    #expect(outcome.output.contains("data: 1\n\ndata: 2\n"), "\(outcome)")
    #expect(outcome.output.components(separatedBy: "data: 3").count == 2, "\(outcome)")
    #expect(outcome.code == 1 && outcome.errors.contains("exit code 3"), "\(outcome)")
  }

  @Test func `at the prompt ^C that ends a program is on a line of its own`() throws {
    let server = try server(events: 3)
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, environment: ["SWIFT_BACKTRACE": "enable=no", "PAGER": "cat"])
    try terminal.waitForPrompt()
    terminal.type("GET \(server.url)/events | cat\r")
    try terminal.wait(for: "data: 3\r\n")
    terminal.type("\u{3}")
    #expect(try terminal.wait(for: "200 OK").contains("^C\r\n"))
    try terminal.waitForPrompt()
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
  }

  /// A program keeps what it writes to a pipe, unless it is told not to.
  @Test(.enabled(if: access("/usr/bin/stdbuf", X_OK) == 0, "SKIPPED: stdbuf is not installed"))
  func `what a program makes of each event is seen at once`() throws {
    let server = try server(events: 3)
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, environment: ["SWIFT_BACKTRACE": "enable=no", "PAGER": "cat"])
    try terminal.waitForPrompt()
    terminal.type("GET \(server.url)/events | grep 'a: [23]' | sed 's/data: /event /'\r")
    try terminal.wait(for: "event 2\r\nevent 3\r\n")
    terminal.type("\u{3}")
    try terminal.waitForPrompt()
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
  }

  @Test func `at the prompt ^C keeps what came`() throws {
    let server = try server(events: 100)
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, environment: ["SWIFT_BACKTRACE": "enable=no", "PAGER": "cat"])
    try terminal.waitForPrompt()
    terminal.type("GET \(server.url)/events\r")
    try terminal.wait(for: "data: 100\r\n")
    terminal.type("\u{3}")
    let shown = try terminal.wait(for: "incomplete: stopped before its end")
    // Not glued to what the terminal shows of the key.
    #expect(shown.contains("^C\r\n") && !shown.contains("^C$1"), "\(shown)")
    try terminal.waitForPrompt()
    terminal.type(":print $1.text | split(\"data\") | count\r")
    try terminal.wait(for: "101\r\n")
    try terminal.waitForPrompt()
    // A later request that got no response says that it was interrupted.
    terminal.type("GET \(server.url)/silent\r")
    #expect(server.waitForRequests(2))
    terminal.type("\u{3}")
    #expect(try terminal.wait(for: " interrupted\r\n").contains("^C\r\n"))
    try terminal.waitForPrompt()
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test func `a program after | at the prompt gets the body, and its output is cleaned`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "one\ntwo\u{1B}[2J\nthree\n") }
    }
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, environment: ["SWIFT_BACKTRACE": "enable=no", "PAGER": "cat"])
    try terminal.waitForPrompt()
    terminal.type("GET \(server.url)/x\r")
    try terminal.waitForPrompt()
    terminal.type("| grep -n tw; echo done >&2\r")
    try terminal.wait(for: "2:two␛[2J\r\n")
    try terminal.wait(for: "done")
    try terminal.waitForPrompt()
    terminal.type("| sleep 100\r")
    try terminal.wait(for: "\u{1B}[?2004l")
    usleep(300_000)
    terminal.type("\u{3}")
    try terminal.waitForPrompt()
    terminal.type("| false\r")
    try terminal.wait(for: "exit code 1")
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
  }
}
