import Foundation
import LoopbackServer
import Testing

/// A redirect that is not followed fails its step, whoever sends it.
@Suite(.timeLimit(.minutes(5))) struct RefusedRedirectTests {
  /// `/away` leads to another origin, `/loop` to itself, `/nowhere` to no address.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        let location =
          switch head.split(separator: " ").dropFirst().first {
          case "/away": "http://127.0.0.9:9/"
          case "/loop": "/loop"
          default: "mailto:nobody@h.example"
          }
        try connection.respond("307 Temporary Redirect", headers: ["Location: \(location)"])
      }
    }
  }

  @Test(arguments: [
    (
      "POST {url}/away json { a: 1 }", 1,
      """
      the redirect was not followed: the body is not for http://127.0.0.9:9
        = to send it there anyway, write http://127.0.0.9:9 in the step
        = if the redirect is what you want: redirects none, or expect 307
      """
    ),
    ("GET {url}/loop", 1, "the redirect was not followed: 5 were followed, which is the limit"),
    ("GET {url}/nowhere", 1, "\"mailto:nobody@h.example\" is not a URL that can be sent to"),
    ("GET {url}/loop expect 200", 1, "the redirect was not followed: 5 were followed, which is the limit"),
    ("POST {url}/away json { a: 1 } redirects none", 0, ""), ("GET {url}/loop expect 307", 0, ""),
    ("GET {url}/loop expect 3xx", 0, ""), ("GET {url}/loop expect status in [200, 307]", 0, ""),
    ("GET {url}/loop expect $.status == 307", 0, ""), ("profile p { base {url} redirects none }\nGET p:/loop", 0, ""),
    // What says nothing about the status says nothing about the redirect.
    ("GET {url}/loop expect headers.location == \"/loop\"", 1, "expected status 2xx, got 307"),
  ])
  func `a script and send agree`(script: String, code: Int32, says: String) async throws {
    let server = try Self.server()
    let text = script.replacing("{url}", with: server.url).replacing("$.status", with: "status")
    let file = try TemporaryFile(text, name: "redirected.wb")
    var commands = [(["run", "-", "-q"], text), ([], "\(text)\n"), (["debug", file.path], "continue\n")]
    if !text.hasPrefix("profile") { commands.append((["send", text], "")) }
    for (arguments, input) in commands {
      let outcome = try await Workbench.run(arguments, input: input)
      let screen = outcome.output + outcome.errors
      #expect(screen.contains("error:") == (code != 0), "\(outcome)")
      #expect(says.isEmpty || screen.contains(says), "\(outcome)")
      if ["run", "send"].contains(arguments.first) { #expect(outcome.code == code) }
    }
  }

  @Test(arguments: [(303, 1), (302, 1), (307, 2)])
  func `what a server took before it led to nowhere is not sent again`(status: Int, sent: Int) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond("\(status) Elsewhere", headers: ["Location: http://127.0.0.1:1/"])
      }
    }
    let store = try TemporaryFile("", name: "store")
    let origins = "profile p { base \(server.url) origin http://127.0.0.1:1 }"
    let script = try TemporaryFile("\(origins)\nPOST p:/take json { a: 1 }", name: "taken.wb")
    let run = try await Workbench.run(["run", script.path, "--store", store.path + ".d"])
    #expect(run.code != 0, "\(run)")
    let resumed = try await Workbench.run(["resume", "last", "--store", store.path + ".d"])
    #expect(resumed.code != 0, "\(resumed)")
    #expect(server.requests.count == sent, "\(resumed)")
  }

  @Test func `a record keeps it, and reports it again`() async throws {
    let server = try Self.server()
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile("a: POST \(server.url)/away json { a: 1 }\nGET \(server.url)/never", name: "away.wb")
    let run = try await Workbench.run(["run", script.path, "--store", store.path + ".d"])
    #expect(run.code == 1, "\(run)")
    let replayed = try await Workbench.run(["replay", "last", "--store", store.path + ".d"])
    #expect(replayed.code == 1 && replayed.errors.contains("the body is not for http://127.0.0.9:9"), "\(replayed)")
    // It did not happen, so it is sent again without asking.
    let resumed = try await Workbench.run(["resume", "last", "--store", store.path + ".d"])
    #expect(resumed.code == 1 && resumed.errors.contains("the body is not for http://127.0.0.9:9"), "\(resumed)")
    #expect(server.requests.map { $0.prefix(10) } == ["POST /away", "POST /away"])
  }
}
