import Canaries
import Foundation
import Glibc
import LoopbackServer
import PseudoTerminal
import Testing

/// The prompt at a terminal, as its users see it.
@Suite("The prompt at a terminal", .serialized, .timeLimit(.minutes(2)))
final class PromptTerminalTests {
  private let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "workbench-home-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  /// A prompt that waits for input.
  private func terminal(_ environment: [String: String] = [:], columns: UInt16 = 80) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path,
      environment: ["HOME": home.path, "SWIFT_BACKTRACE": "enable=no", "PAGER": "cat"].merging(environment) { $1 },
      columns: columns)
    try terminal.waitForPrompt()
    return terminal
  }

  private var history: URL { home.appending(path: ".local/state/workbench/history") }

  /// Types a line and returns what came between it and the next prompt.
  private func answer(_ terminal: PseudoTerminal, to line: String) throws -> String {
    terminal.type(line + "\r")
    try terminal.wait(for: "\u{1B}[?2004l")
    return try terminal.wait(for: "\u{1B}[?2004h") + terminal.wait(for: "> ")
  }

  @Test func `^C ends the request under way, and the prompt continues`() throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.waitForClose()
    }
    let terminal = try terminal()
    terminal.type("POST \(server.url)/slow\r")
    #expect(server.waitForRequests())
    terminal.type("\u{3}")
    let shown = try terminal.wait(for: "$1")
    #expect(shown.contains("interrupted"))
    #expect(shown.contains("it is not known whether it took effect"))
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test func `a terminal is restored when the process dies in the middle of a request`() throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.waitForClose()
    }
    let terminal = try terminal()
    terminal.type("GET \(server.url)/slow\r")
    #expect(server.waitForRequests())
    kill(terminal.process, SIGSEGV)
    #expect(terminal.exitCode() == -SIGSEGV)
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test(arguments: ["text/plain", "application/json", "text/html; charset=utf-8", "application/octet-stream"])
  func `no escape sequence from a server reaches the terminal`(type: String) throws {
    let attack =
      "\u{1B}]0;owned\u{7}\u{1B}[6n\u{1B}[2J\u{1B}]52;c;Zm9v\u{7}\u{1B}P+q544e\u{1B}\\\u{9B}6n\u{202E}\u{8}\r\u{1B}c"
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(
          "200 \u{1B}[31mFine\u{1B}]0;x\u{7}", headers: ["Content-Type: \(type)", "X-Evil: \u{1B}[6n\u{1B}]0;y\u{7}z"],
          body: type.contains("json") ? "{\"a\u{1B}[2J\": \"\(attack)\", \"b\": 1}" : attack)
      }
    }
    let terminal = try terminal()
    for line in ["GET \(server.url)/", ":show headers", ":body", ":show wire", ":print $1.text", ":vars", ":timing"] {
      let shown = try answer(terminal, to: line)
      // Besides colors, nothing but the paste mode of the prompt that follows.
      let rest = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/\u{1B}\[\?2004[hl]/, with: "")
      let foreign = rest.unicodeScalars.filter { scalar in
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\r" && scalar != "\t")
          || (0x7F...0x9F).contains(scalar.value)
          || scalar.value == 0x202E
      }
      #expect(foreign.isEmpty, "\(line): \(rest.debugDescription)")
    }
    // What is typed next arrives as it is: no reply took its place.
    #expect(try answer(terminal, to: ":print 40 + 2").contains("42"))
  }

  @Test func `a pasted curl line of several lines runs, and its token is in no history`() throws {
    let token = Canary.onScreen("terminal-curl")
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "fine") }
    }
    let terminal = try terminal()
    terminal.type(
      "\u{1B}[200~curl '\(server.url)/x' \\\n  -H 'Authorization: Bearer \(token)' \\\n  -d 'a=1'\u{1B}[201~\r")
    try terminal.wait(for: "200 OK")
    try terminal.waitForPrompt()
    _ = try answer(terminal, to: " GET \(server.url)/hidden")
    _ = try answer(terminal, to: "GET \(server.url)/kept")
    terminal.type(":q\r")
    #expect(terminal.exitCode() == 0)
    #expect(server.requests.first?.contains("Authorization: Bearer \(token)") ?? false)
    let kept = try String(contentsOf: history, encoding: .utf8)
    #expect(!kept.contains(token) && kept.contains("••••"))
    #expect(!kept.contains("/hidden") && kept.contains("/kept"))
    let mode = try FileManager.default.attributesOfItem(atPath: history.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `Tab shows what a response contains, even in a narrow window`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(
          headers: ["Content-Type: application/json"],
          body: #"{"snapshot":{"uid":"s-1","url":"http://a.b/x","at":1}}"#)
      }
    }
    let terminal = try terminal(columns: 30)
    _ = try answer(terminal, to: "GET \(server.url)/")
    terminal.type("GET $1.body.sn\tu")
    try terminal.wait(for: ".u")
    terminal.type("\t")
    try terminal.wait(for: "\"s-1\"")
    terminal.type("\u{3}")
    try terminal.waitForPrompt()
    terminal.resize(columns: 120, rows: 40)
    #expect(try answer(terminal, to: ":print $1.status + 1").contains("201"))
    // What Tab adds so that one can go on goes away where one does not.
    for (typed, value) in [
      (":print $1.body.sn\t == 1", "false"), (":print [$1.body.sn\t, 1] | count", "2"),
      (":print $1.body.sn\t.uid", "s-1"), (":print $1.body.sn\tuid", "s-1"), (":print $1.body.sn\t", "s-1"),
      (":print $1.body.sn\t\t.uid", "s-1"),
      (":print \"<a>7</a>\" | xpa\t\"string(//a)\")", "7"), (":print \"<a>7</a>\" | xpa\t(\"string(//a)\")", "7"),
    ] {
      let shown = try answer(terminal, to: typed)
      #expect(shown.contains(value) && !shown.contains("error"), "\(typed): \(shown)")
    }
  }

  @Test func `a secret is asked for without an echo`() throws {
    let token = Canary.secret("asked")
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "fine") }
    }
    let terminal = try terminal()
    _ = try answer(terminal, to: "profile api { base \(server.url) }")
    terminal.type("secret token = ask(\"token\") for api\r")
    try terminal.wait(for: "token: ")
    terminal.type("\(token)\r")
    let shown = try terminal.wait(for: "\u{1B}[?2004h") + terminal.wait(for: "> ")
    #expect(!shown.contains(token))
    _ = try answer(terminal, to: "GET /x auth bearer $token")
    #expect(server.requests.last?.contains("Authorization: Bearer \(token)") ?? false)
    #expect(!(try String(contentsOf: history, encoding: .utf8)).contains(token))
  }

  @Test func `:edit opens the editor, and what is changed is sent`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "fine") }
    }
    let terminal = try terminal(["EDITOR": "sed -i s/one/two/"])
    _ = try answer(terminal, to: "GET \(server.url)/one")
    _ = try answer(terminal, to: ":edit $1")
    #expect(server.requests.last?.hasPrefix("GET /two ") ?? false)
  }

  @Test func `a long body goes through the pager`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(body: (1...500).map { "line \($0)\n" }.joined())
      }
    }
    let terminal = try terminal(["PAGER": "grep -n 'line 499'"])
    _ = try answer(terminal, to: "GET \(server.url)/")
    #expect(try answer(terminal, to: ":body").contains("499:line 499"))
    #expect(try answer(terminal, to: ":print 1 + 1").contains("2"))
  }

  @Test func `colors can be turned off`() throws {
    let terminal = try terminal(["NO_COLOR": "1"])
    let shown = try answer(terminal, to: ":help")
    #expect(!shown.contains("\u{1B}[1m") && !shown.contains("\u{1B}[2m"))
  }
}
