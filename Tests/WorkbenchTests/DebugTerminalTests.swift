import Canaries
import Foundation
import Glibc
import LoopbackServer
import PseudoTerminal
import RunStore
import Synchronization
import Testing

/// The debugger at a terminal, killed and started again.
@Suite("The debugger at a terminal", .serialized, .timeLimit(.minutes(2)))
final class DebugTerminalTests {
  private let home: URL
  private static let token = Canary.secret("debug-terminal")

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "workbench-debug-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  private func debugger() throws -> PseudoTerminal {
    try PseudoTerminal(
      running: Workbench.executable.path, ["debug", "--store", "\(home.path)/store", "\(home.path)/chain.wb"],
      environment: [
        "HOME": home.path, "SWIFT_BACKTRACE": "enable=no", "PAGER": "cat", "API_TOKEN": Self.token, "NO_COLOR": "1",
      ])
  }

  private func write(_ script: String) throws {
    try Data(script.utf8).write(to: home.appending(path: "chain.wb"))
  }

  private func chain(_ server: LoopbackServer) throws {
    try write(
      """
      profile api {
        base \(server.url)
        auth bearer $env.API_TOKEN
      }
      allocate: POST /allocate json { title: "Glazier" }
      upload: POST /upload/{$allocate.body.id} text "bytes"
      confirm: PUT /confirm/{$allocate.body.id}
      """)
  }

  /// Types a command and returns what is shown until the next prompt.
  private func answer(_ terminal: PseudoTerminal, to line: String) throws -> String {
    terminal.type(line + "\r")
    try terminal.wait(for: "\u{1B}[?2004l")
    return try terminal.wait(for: "\u{1B}[?2004h") + terminal.wait(for: "> ")
  }

  private func kill(_ terminal: PseudoTerminal) {
    Glibc.kill(terminal.process, SIGKILL)
    #expect(terminal.exitCode() == -SIGKILL)
  }

  private func paths(_ server: LoopbackServer) -> [String] {
    server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  private func expectNoSecret(_ secret: String) throws {
    let files = FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard let data = try? Data(contentsOf: file) else { continue }
      #expect(data.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test func `killed at a stop, it continues there, and nothing is sent twice`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: #"{"id": 7}"#)
      }
    }
    try chain(server)
    let first = try debugger()
    try first.waitForPrompt()
    #expect(try answer(first, to: "n").contains("(step 2/3 upload, before)"))
    kill(first)

    let second = try debugger()
    #expect(try second.wait(for: "[Y/n] ").contains(" ago, 1 response\r\n"))
    let shown = try answer(second, to: "")
    #expect(shown.contains("1 recorded response, nothing was sent\r\n(step 2/3 upload, before)"), "\(shown)")
    #expect(try answer(second, to: "s").contains("(step 2/3 upload, after) 200"))
    // After a step, too.
    kill(second)

    let third = try debugger()
    try third.wait(for: "[Y/n] ")
    #expect(try answer(third, to: "y").contains("(step 3/3 confirm, before)"))
    #expect(try answer(third, to: "n").contains("(the end)"))
    // At the end nothing is left to do.
    kill(third)
    #expect(paths(server) == ["POST /allocate", "POST /upload/7", "PUT /confirm/7"])

    let fourth = try debugger()
    #expect(try !fourth.wait(for: "debug").contains("is not finished"))
    kill(fourth)
    let run = try RunStore(at: "\(home.path)/store").run("last")
    #expect(run.state == .done && run.stepCount == 3)
    try expectNoSecret(Self.token)
  }

  @Test func `killed while a request was under way, it says what can be done, and sends nothing on its own`() throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains("/upload/") { try connection.waitForClose() }
        try connection.respond(headers: ["Content-Type: application/json"], body: #"{"id": 7}"#)
      }
    }
    try chain(server)
    let first = try debugger()
    try first.waitForPrompt()
    _ = try answer(first, to: "n")
    first.type("n\r")
    #expect(server.waitForRequests(2))
    kill(first)

    let second = try debugger()
    let offered = try second.wait(for: "[Y/n] ")
    #expect(offered.contains(", 1 response\r\nupload was sent, and no response came\r\n"), "\(offered)")
    let shown = try answer(second, to: "y")
    #expect(shown.contains("no response came: it may have taken effect. Your choice:"), "\(shown)")
    #expect(shown.contains("k 200 {…}  takes it as done, with this response"))
    // It asks once more before sending it again.
    second.type("n\r")
    try second.wait(for: "send it again? [y/N] ")
    second.type("\r")
    try second.wait(for: "not sent")
    try second.waitForPrompt()
    #expect(try answer(second, to: "k 204").contains("(step 3/3 confirm, before)"))
    #expect(try answer(second, to: "n").contains("(the end)"))
    second.type("q\r")
    #expect(second.exitCode() == 0)
    #expect(second.modes == second.initialModes)
    #expect(paths(server) == ["POST /allocate", "POST /upload/7", "PUT /confirm/7"])
    try expectNoSecret(Self.token)
  }

  @Test func `a secret from a response is not kept: it stops before that step`() throws {
    let grant = Canary.onScreen("debug-grant")
    let count = Mutex(0)
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        // Each of them is another one.
        let number = count.withLock { count in
          count += 1
          return count
        }
        let isLogin = request.head.hasPrefix("POST")
        try connection.respond(
          headers: ["Content-Type: application/json"], body: isLogin ? #"{"token": "\#(grant)\#(number)"}"# : "{}")
      }
    }
    try write(
      """
      profile login { base \(server.url) }
      grant: POST login:/token
      secret token = $grant.body.token for api
      profile api {
        base \(server.url)/api
        auth bearer $token
      }
      look: GET api:/jobs
      drop: POST api:/drop
      close: GET api:/end
      """)
    let first = try debugger()
    try first.waitForPrompt()
    _ = try answer(first, to: "n")
    _ = try answer(first, to: "n")
    _ = try answer(first, to: "k")
    kill(first)
    let second = try debugger()
    try second.wait(for: "[Y/n] ")
    let shown = try answer(second, to: "y")
    #expect(
      shown.contains(
        "contained the secret \"token\", which is not kept: n sends it again after asking and brings a new one"),
      "\(shown)"
    )
    #expect(shown.contains("(step 1/4 grant, before)"))
    #expect(shown.contains("1 more response is kept, and taken after that"), "\(shown)")
    // It happened, so it asks before sending it again.
    second.type("n\r")
    try second.wait(for: "send it again? [y/N] ")
    // With a new token, all others are as they were, and what was left out is left out.
    let renewed = try answer(second, to: "y")
    #expect(renewed.contains("drop  skipped"), "\(renewed)")
    #expect(renewed.contains("1 recorded response, not sent again\r\n(step 4/4 close, before)"), "\(renewed)")
    #expect(!renewed.contains("(step 2/4"), "\(renewed)")
    kill(second)
    #expect(paths(server) == ["POST /token", "GET /api/jobs", "POST /token"])
    try expectNoSecret(grant)
  }
}
