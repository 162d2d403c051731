import Foundation
import JSONValue
import LoopbackServer
import Testing

/// What is recorded of a request whose body a redirect left behind.
@Suite(.timeLimit(.minutes(2))) struct RedirectedRunTests {
  private static func server(to location: String) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.hasPrefix("POST") {
          try connection.respond("303 See Other", headers: ["Location: \(location)"])
        } else {
          try connection.respond(headers: ["Content-Type: application/json"], body: "{}")
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a recorded request has the body that was sent with it`(isElsewhere: Bool) async throws {
    let other = try Self.server(to: "/")
    let server = try Self.server(to: isElsewhere ? "\(other.url)/account" : "/account")
    let file = try TemporaryFile(
      "signin: POST \(server.url)/signin form { user: \"ann\", note: \"hello\" }\n", name: "day.wb")
    let state = file.path + ".state"
    defer { try? FileManager.default.removeItem(atPath: file.path + ".jsonl") }
    defer { try? FileManager.default.removeItem(atPath: state) }
    func workbench(_ arguments: String...) async throws -> String {
      let outcome = try await Workbench.run(arguments, environment: ["XDG_STATE_HOME": state])
      #expect(outcome.code == 0, "\(outcome)")
      return outcome.output
    }
    _ = try await workbench("run", file.path, "-v", "--report", "jsonl=\(file.path).jsonl")

    let shown = try await workbench("show", "last", "signin", "--request")
    let last = "GET \(isElsewhere ? other.url : server.url)/account\n"
    let requests = shown.components(separatedBy: last)
    try #require(requests.count == 2, "\(shown)")
    #expect(requests[0].hasPrefix("POST \(server.url)/signin\n"), "\(shown)")
    #expect(requests[0].contains("user=ann&note=hello\n") && requests[0].contains("303"), "\(shown)")
    #expect(!requests[1].contains("user=ann"), "\(shown)")

    let archive = try JSON(parsing: try await workbench("show", "last", "--har"))
    let entries = try #require(archive["log"]?["entries"]?.array)
    let request = try #require(entries.last?["request"])
    #expect(request["method"] == "GET" && request["bodySize"] == 0, "\(request)")
    #expect(request["postData"] == nil, "\(request)")
    try #require(entries.count == 2)
    #expect(entries[0]["request"]?["method"] == "POST" && entries[0]["response"]?["status"] == 303)
    #expect(entries[0]["request"]?["postData"]?["text"] == "user=ann&note=hello", "\(entries[0])")

    let report = try String(contentsOfFile: "\(file.path).jsonl", encoding: .utf8)
    #expect(!report.contains("user=ann"), "\(report)")
  }
}
