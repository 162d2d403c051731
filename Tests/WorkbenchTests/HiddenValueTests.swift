import Canaries
import Foundation
import LoopbackServer
import RealServers
import Synchronization
import Testing

/// What is secret though nobody declared it: it is sent as it is written, and nobody sees it.
@Suite(.timeLimit(.minutes(2))) struct HiddenValueTests {
  private static let password = Canary.early("undeclared-password")
  private static let token = Canary.early("undeclared-token")

  /// Repeats what it gets; the third request has no response, until it is mended.
  private final class Server: Sendable {
    let received = Mutex<[String]>([])
    let isMended = Mutex(false)

    func start() throws -> LoopbackServer {
      try LoopbackServer { [self] connection in
        while let (head, body) = try connection.readRequest() {
          received.withLock { $0.append(head + String(decoding: body, as: UTF8.self)) }
          if head.contains("/broken"), !isMended.withLock({ $0 }) { return }
          let echo =
            String(decoding: body, as: UTF8.self) + (head.firstMatch(of: /Bearer (\S+)/).map { "\($0.1)" } ?? "")
          try connection.respond(headers: ["Content-Type: text/plain"], body: "got \(echo)")
        }
      }
    }
  }

  private static func files(_ url: String) -> [(name: String, text: String)] {
    let json = #"{"user": "ann", "password": "\#(password)"}"#
    return [
      (
        "flow.hurl",
        "POST \(url)/login\n\(json)\nHTTP 200\n\nPUT \(url)/broken\nAuthorization: Bearer \(token)\nHTTP 200\n"
      ),
      (
        "option.hurl",
        "POST \(url)/login\n[Options]\nvariable: password=\(password)\n```\nmine={{password}}\n```\nHTTP 200\n\n"
          + "PUT \(url)/broken\nAuthorization: Bearer \(token)\nHTTP 200\n"
      ),
      (
        "calls.http",
        "@password = \(password)\n@mine = \(token)\n\nPOST \(url)/login\nContent-Type: application/json\n\n"
          + #"{"user": "ann", "password": "{{password}}"}"# + "\n\n###\n\nPUT \(url)/broken\n"
          + "Authorization: Bearer {{mine}}\n"
      ),
    ]
  }

  /// The files of the store.
  private static func stored(_ state: String) throws -> [Data] {
    try FileManager.default.subpathsOfDirectory(atPath: state)
      .compactMap { FileManager.default.contents(atPath: "\(state)/\($0)") }
  }

  @Test(arguments: 0..<3) func `what an import takes out of a file is hidden when the file is run`(index: Int)
    async throws
  {
    let server = Server()
    let running = try server.start()
    let (name, text) = Self.files(running.url)[index]
    let place = try TemporaryFile("", name: "place")
    let directory = place.path + ".d"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
    let state = "\(directory)/state"
    func workbench(_ arguments: String..., input: String = "") async throws -> Workbench.Outcome {
      try await Workbench.run(
        arguments, input: input, environment: ["XDG_STATE_HOME": state], directory: directory)
    }
    var screens: [String] = []
    let first = try await workbench("run", name, "-v")
    screens.append(first.output + first.written)
    #expect(first.code != 0, "\(first)")
    #expect(server.received.withLock { $0 }.contains { $0.contains(Self.password) })
    #expect(server.received.withLock { $0 }.contains { $0.contains("Bearer \(Self.token)") })
    for arguments in [["show", "last"], ["show", "last", "1", "--request"], ["show", "last", "1", "--body"]] {
      let shown = try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": state], directory: directory)
      screens.append(shown.output + shown.written)
    }
    for data in try Self.stored(state) {
      #expect(Canary.place(of: Self.password, in: data) == nil)
      #expect(Canary.place(of: Self.token, in: data) == nil)
    }
    server.isMended.withLock { $0 = true }
    let resumed = try await workbench("resume", "last", "-v")
    screens.append(resumed.output + resumed.written)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(server.received.withLock { $0.filter { $0.hasPrefix("POST") }.count } == 1)
    for arguments in [["replay", "last", "-v"], ["test", name, "-v"], ["show", "last", "--har"]] {
      let shown = try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": state], directory: directory)
      #expect(shown.code == 0, "\(arguments) \(shown)")
      screens.append(shown.output + shown.written)
    }
    let session = try await workbench(input: ":run \(name)\n:show $1 wire\n:show $1 body\n:vars\n")
    screens.append(session.output + session.written)
    for screen in screens {
      #expect(!screen.contains(Self.password), "\(screen)")
      #expect(!screen.contains(Self.token), "\(screen)")
    }
    #expect(screens[0].contains("got ") && screens[0].contains("••••"), "\(screens[0])")
    for data in try Self.stored(state) {
      #expect(Canary.place(of: Self.password, in: data) == nil)
      #expect(Canary.place(of: Self.token, in: data) == nil)
    }
  }

  @Test func `a run whose file is gone says that its secrets are not recorded`() async throws {
    let server = Server()
    let running = try server.start()
    let (_, text) = Self.files(running.url)[0]
    let file = try TemporaryFile(text, name: "flow.hurl")
    let state = file.path + ".state"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let environment = ["XDG_STATE_HOME": state]
    _ = try await Workbench.run(["run", file.path], environment: environment)
    try FileManager.default.removeItem(atPath: file.path)
    let resumed = try await Workbench.run(["resume", "last"], environment: environment)
    #expect(resumed.code == 2, "\(resumed)")
    #expect(resumed.errors.contains("were not recorded, and the file is gone or has changed"), "\(resumed)")
  }

  @Test func `a variable that is called like a secret is hidden, whatever uses it`() async throws {
    let server = Server()
    let running = try server.start()
    let text =
      "first: POST \(running.url)/login json { user: \"ann\", mine: $env.LOCAL_PASSWORD }\n"
      + "second: PUT \(running.url)/broken text \"x\"\n"
    let file = try TemporaryFile(text, name: "plain.wb")
    let state = file.path + ".state"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let environment = ["XDG_STATE_HOME": state, "LOCAL_PASSWORD": Self.password]
    var screens: [String] = []
    for arguments in [["run", file.path, "-v"], ["show", "last", "first"], ["resume", "last", "-v"]] {
      let shown = try await Workbench.run(arguments, environment: environment)
      screens.append(shown.output + shown.written)
    }
    server.isMended.withLock { $0 = true }
    let resumed = try await Workbench.run(["resume", "last", "-v"], environment: environment)
    #expect(resumed.code == 0, "\(resumed)")
    screens.append(resumed.output + resumed.written)
    let session = try await Workbench.run(
      [], input: "POST \(running.url)/a json { mine: $env.LOCAL_PASSWORD }\n:show $1 wire\n", environment: environment)
    screens.append(session.output + session.written)
    #expect(server.received.withLock { $0 }.contains { $0.contains(Self.password) })
    for screen in screens { #expect(!screen.contains(Self.password), "\(screen)") }
    for data in try Self.stored(state) { #expect(Canary.place(of: Self.password, in: data) == nil) }
    #expect(
      screens[0].contains("$env.LOCAL_PASSWORD looks like a secret: it is hidden, but may go anywhere"), "\(screens[0])"
    )
  }

  /// Storage repeats what a request was signed with, under a name of its own.
  @Test func `a signature that storage repeats is hidden`() async throws {
    let signature = Canary.secret("repeated-signature").filter { $0.isLetter || $0.isNumber }
    let running = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        let isFirst = head.contains("X-Amz-Signature")
        let text = String(decoding: body, as: UTF8.self)
        try connection.respond(
          isFirst || text.contains(signature) ? "403 Forbidden" : "200 OK", headers: ["Content-Type: application/xml"],
          body: "<Error><Code>SignatureDoesNotMatch</Code><SignatureProvided>\(signature)</SignatureProvided></Error>")
      }
    }
    let url = "\(running.url)/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=\(signature)"
    let form = "multipart { policy: \"e30=\", x-amz-signature: \"\(signature)\", file: \"x\" }"
    for (index, step) in ["PUT \(url) text \"x\"", "POST \(running.url)/b \(form)"].enumerated() {
      let file = try TemporaryFile("one: \(step) expect any status\n", name: "signed\(index).wb")
      let state = file.path + ".state"
      defer { try? FileManager.default.removeItem(atPath: state) }
      for arguments in [["run", file.path, "-v"], ["show", "last", "one"], ["show", "last", "--har"]] {
        let shown = try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": state])
        #expect(shown.code == 0, "\(shown)")
        #expect(!(shown.output + shown.written).contains(signature), "\(shown)")
        #expect((shown.output + shown.written).contains("SignatureProvided"), "\(shown)")
      }
      let failing = try TemporaryFile("one: \(step)\n", name: "failing\(index).wb")
      for arguments in [["run", failing.path, "-v"], ["show", "last", "one"], ["show", "last", "--har"]] {
        let shown = try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": state])
        #expect(!(shown.output + shown.written).contains(signature), "\(shown)")
      }
      let session = try await Workbench.run([], input: "\(step)\n:show $1 body\n:show $1 wire\n")
      #expect(!(session.output + session.written).contains(signature), "\(session)")
    }
  }
}
