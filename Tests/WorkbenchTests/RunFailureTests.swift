import Foundation
import LoopbackServer
import Synchronization
import Testing

/// What a run does after a step that fails, and after ^C.
@Suite(.timeLimit(.minutes(2))) struct RunFailureTests {
  /// 404 below `/none`, no response below `/slow`, else 200.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains(" /slow") { return try connection.waitForClose() }
        try connection.respond(
          request.head.contains(" /none") ? "404 Not Found" : "200 OK", headers: ["Content-Type: application/json"],
          body: "{\"n\": 1}")
      }
    }
  }

  private static func paths(_ server: LoopbackServer) -> [String] {
    server.requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
  }

  private static func script(_ server: LoopbackServer) -> String {
    """
    one: GET \(server.url)/none
    two: GET \(server.url)/two/{$one.body.n}
      expect body.n == 2
    down: GET http://127.0.0.1:1/
    lost: GET \(server.url)/lost/{$down.body.n}
    let name = $lost.body.n
    for $path in ["none", "three"] {
      inner: GET \(server.url)/{$path}
      GET \(server.url)/behind-{$path}
    }
    GET \(server.url)/last?{$name ?? "missing"}={$inner[1].body.n}
    finally { GET \(server.url)/finally }
    """
  }

  @Test func `a failed step ends the run, except for what is done finally`() async throws {
    let server = try Self.server()
    let outcome = try await Workbench.run(["run", "-", "-q"], input: Self.script(server))
    #expect(outcome.code == 1)
    #expect(Self.paths(server) == ["/none", "/finally"])
    #expect(outcome.errors.components(separatedBy: "error:").count == 2)
  }

  @Test func `with --keep-going the steps after it are sent, except for those that need what is missing`() async throws
  {
    let server = try Self.server()
    let outcome = try await Workbench.run(["run", "-", "-q", "--keep-going"], input: Self.script(server))
    #expect(outcome.code == 1)
    #expect(
      Self.paths(server) == [
        "/none", "/two/1", "/none", "/behind-none", "/three", "/behind-three", "/last?missing=1", "/finally",
      ])
    let errors = outcome.errors.components(separatedBy: "error: ").dropFirst()
    #expect(errors.count == 6, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("step \"lost\" did not run") && outcome.errors.contains("step \"down\" did not run"))
  }

  @Test(arguments: ["expect text | xpath(\"XPATH\") == 1", "\nlet x = $one.text | xpath(\"XPATH\")"])
  func `after ^C in an XPath expression the run was interrupted`(rest: String) async throws {
    // The square of a document's size.
    let page = "<r>\(String(repeating: "<a>x</a>", count: 400_000))</r>"
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/xml"], body: page)
      }
    }
    let script = "one: GET \(server.url)/ \(rest.replacing("XPATH", with: "count(//a[count(//a)>1])"))\n"
    let outcome = try await Workbench.run(["run", "-", "-q"], input: script) { process in
      #expect(server.waitForRequests(1))
      Thread.sleep(forTimeInterval: 2)
      kill(process, SIGINT)
    }
    #expect(outcome.code == 130, "\(outcome.errors)")
  }

  @Test(arguments: ["for $i in [1, 2, 3] parallel 2", "for $i in [1, 2, 3]", "sequence s()"])
  func `after ^C nothing begins, and what is done finally is sent`(block: String) async throws {
    let server = try Self.server()
    let script = """
      \(block) {
        GET \(server.url)/slow
        GET \(server.url)/never
        finally { DELETE \(server.url)/inner }
      }
      \(block.hasPrefix("sequence") ? "run s()" : "")
      GET \(server.url)/never
      finally { DELETE \(server.url)/outer }
      """
    let expected = block.contains("parallel") ? 2 : 1
    let outcome = try await Workbench.run(["run", "-", "-q", "--keep-going"], input: script) { process in
      #expect(server.waitForRequests(expected))
      kill(process, SIGINT)
    }
    #expect(outcome.code == 130)
    let slow = Array(repeating: "/slow", count: expected)
    let inner = Array(repeating: "/inner", count: expected)
    #expect(Self.paths(server) == slow + inner + ["/outer"], "\(outcome)")
  }

  @Test(arguments: ["", "parallel 2", "parallel 8"])
  func `what fails in a loop for one reason is reported once, with how often`(pace: String) async throws {
    let server = try Self.server()
    let script = """
      for $n in [0, 1, 2, 3, 4, 5] \(pace) {
        try: GET \(server.url)/none/{$n}
      }
      """
    let outcome = try await Workbench.run(["run", "-", "--keep-going"], input: script)
    #expect(outcome.code == 1)
    #expect(outcome.errors.components(separatedBy: "error: step \"try\": expected status").count == 2)
    #expect(
      outcome.errors.contains(
        "\nand 5 more times: step \"try\": expected status 2xx or 3xx, got 404\n"), "\(outcome.errors)")
    // Each has its line; the first has its headers and body, too.
    #expect(outcome.output.components(separatedBy: "404 Not Found").count == 7, "\(outcome.output)")
    #expect(outcome.output.components(separatedBy: "\"n\": 1").count == 2, "\(outcome.output)")
  }

  @Test func `steps that fail at different places are each reported`() async throws {
    let server = try Self.server()
    let script = "a: GET \(server.url)/none\nb: GET \(server.url)/none"
    let outcome = try await Workbench.run(["run", "-", "--keep-going"], input: script)
    #expect(outcome.errors.components(separatedBy: "error: ").count == 3)
    #expect(!outcome.errors.contains("more time"))
  }

  @Test(arguments: [("POST", 24, "unknown-outcome"), ("GET", 20, "timeout")])
  func `the code says whether it is known what became of a request`(method: String, code: Int32, type: String)
    async throws
  {
    let server = try Self.server()
    let request = "\(method) \(server.url)/slow timeout 300ms"
    #expect(try await Workbench.run(["send", request]).code == code)
    let script = try TemporaryFile(request + "\n", name: "slow.wb")
    #expect(try await Workbench.run(["run", script.path]).code == code)
    let outcome = try await Workbench.run(["test", script.path, "--report", "junit=-"])
    #expect(outcome.code == code && outcome.output.contains("<error type=\"\(type)\""), "\(outcome)")
    let group = "parallel {\n  GET http://127.0.0.1:1/\n  \(request)\n}\n"
    let together = try await Workbench.run(["run", "-"], input: group)
    #expect(together.code == (code == 24 ? 24 : 21), "\(together)")
  }

  @Test(arguments: ["http://127.0.0.1:1/", "https://127.0.0.1"])
  func `where a redirect led to nothing, the error says so`(place: String) async throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let port = request.head.firstMatch(of: /Host: 127.0.0.1:(\d+)/).map { ":\($0.1)/" } ?? ""
        try connection.respond(
          "302 Found", headers: ["Location: \(place)\(place.hasSuffix("/") ? "" : port)"], body: "")
      }
    }
    let outcome = try await Workbench.run(["send", "GET", "\(server.url)/away"])
    #expect(
      outcome.errors.contains(" = 302 from GET \(server.url)/away led there; that request was sent\n"), "\(outcome)")
    #expect(!outcome.errors.contains("nothing was sent") && !outcome.errors.contains("write http://"), "\(outcome)")
  }

  /// A login answers with a redirect that brings the session's cookie, and the page after it brings none.
  @Test func `a run that is resumed has the cookies of redirects`() async throws {
    let failing = Mutex(true)
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let head = request.head
        if head.contains("POST /login") {
          let headers = ["Location: /home", "Set-Cookie: sid=signed-in"]
          try connection.respond("302 Found", headers: headers, body: "")
        } else if head.contains(" /login") {
          try connection.respond("200 OK", headers: ["Set-Cookie: sid=nobody"], body: "")
        } else if head.contains(" /last"), failing.withLock({ $0 }) {
          try connection.respond("503 Service Unavailable", headers: [], body: "")
        } else {
          try connection.respond(head.contains("sid=signed-in") ? "200 OK" : "401 Unauthorized", headers: [], body: "")
        }
      }
    }
    let text = """
      profile p { base \(server.url) cookies on retry none }
      GET /login
      POST /login
      GET /last

      """
    let script = try TemporaryFile(text, name: "login.wb")
    let store = ["--store", script.path + ".d"]
    #expect(try await Workbench.run(["run", script.path] + store).code == 1)
    failing.withLock { $0 = false }
    let resumed = try await Workbench.run(["resume", "last"] + store)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(server.requests.last?.contains("sid=signed-in") ?? false, "\(server.requests)")
  }

  @Test func `a step is shown by the number that references have, also after a loop`() async throws {
    let server = try Self.server()
    let script = try TemporaryFile(
      "for $i in [1, 2] { GET \(server.url)/in }\nDELETE \(server.url)/last\n", name: "numbers.wb")
    let store = ["--store", script.path + ".d"]
    _ = try await Workbench.run(["run", script.path] + store)
    let shown = try await Workbench.run(["show", "last"] + store).output
    let number = shown.split(separator: "\n").first { $0.contains("DELETE") }?.prefix { $0 != " " } ?? ""
    #expect(number.hasPrefix("$"), "\(shown)")
    for name in [String(number), String(number.dropFirst())] {
      let one = try await Workbench.run(["show", "last", name] + store)
      #expect(one.code == 0 && one.output.contains("DELETE"), "\(name) \(one)")
    }
  }

  @Test func `a step without a label is shown as what it sent, and found by that`() async throws {
    let server = try Self.server()
    let script = try TemporaryFile("GET \(server.url)/a\nDELETE \(server.url)/b\n", name: "plain.wb")
    let store = ["--store", script.path + ".d"]
    #expect(try await Workbench.run(["run", script.path] + store).code == 0)
    let shown = try await Workbench.run(["show", "last"] + store).output
    #expect(
      shown.contains("1  GET \(server.url)/a  200 OK") && shown.contains("2  DELETE \(server.url)/b  200 OK"),
      "\(shown)")
    for name in ["DELETE \(server.url)/b", "step 2", "2"] {
      let one = try await Workbench.run(["show", "last", name] + store)
      #expect(one.code == 0 && one.output.contains("DELETE"), "\(name) \(one)")
    }
  }
}
