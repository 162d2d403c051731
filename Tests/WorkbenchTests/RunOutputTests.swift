import Canaries
import JSONValue
import LoopbackServer
import Testing

/// What a run prints: a line per step, or a JSON object.
@Suite(.timeLimit(.minutes(2))) struct RunOutputTests {
  /// Returns `{"n": 1}`, `{"n": 2}`, …; 404 below `/none`.
  private static func countingServer() throws -> LoopbackServer {
    try LoopbackServer { connection in
      var count = 0
      while let request = try connection.readRequest() {
        count += 1
        let isThere = !request.head.contains(" /none")
        try connection.respond(
          isThere ? "200 OK" : "404 Not Found", headers: ["Content-Type: application/json"], body: "{\"n\": \(count)}")
      }
    }
  }

  private static let token = Canary.secret("run-output")

  private static func run(_ script: String, _ more: [String] = []) async throws -> Workbench.Outcome {
    try await Workbench.run(["run", "-"] + more, input: script, environment: ["TOKEN": token])
  }

  private static func objects(_ outcome: Workbench.Outcome) throws -> [JSON] {
    try outcome.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  private static func polling(_ server: LoopbackServer) -> String {
    """
    first: GET \(server.url)/x
    GET \(server.url)/y
    done: GET \(server.url)/z
      repeat until body.n >= 5
    left: GET \(server.url)/w
      when $first.status == 500
    last: GET \(server.url)/v
    """
  }

  @Test func `a line per step, with its rounds counted and the numbers of the script`() async throws {
    let server = try Self.countingServer()
    let outcome = try await Self.run(Self.polling(server))
    #expect(outcome.code == 0 && outcome.errors == "")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("$1 first  200 OK  127.0.0.1:\(server.port)  "))
    #expect(lines[1].hasPrefix("$2  200 OK  "))
    #expect(lines[2].hasPrefix("$3 done  200 OK  127.0.0.1:\(server.port)  round 3 of 3  "))
    #expect(lines[2].hasSuffix("  8 B  json"))
    #expect(lines[3] == "-- left  skipped: when $first.status == 500")
    #expect(lines[4].hasPrefix("$5 last  200 OK  "))
    #expect(server.requests.count == 6)
  }

  @Test func `with --json an object per step`() async throws {
    let server = try Self.countingServer()
    let outcome = try await Self.run(Self.polling(server), ["--json"])
    let steps = try Self.objects(outcome)
    #expect(steps.count == 5)
    #expect(steps.allSatisfy { $0["ok"] == true })
    #expect(steps[0]["number"] == 1 && steps[0]["label"] == "first" && steps[0]["status"] == 200)
    #expect(steps[0]["url"] == .string("\(server.url)/x") && steps[0]["method"] == "GET" && steps[0]["size"] == 8)
    #expect(steps[0]["rounds"] == nil && steps[0]["body"] == nil)
    #expect(steps[2]["rounds"] == 3 && steps[2]["number"] == 3)
    #expect(steps[3]["skipped"] == "when $first.status == 500" && steps[3]["status"] == nil)
  }

  @Test func `with --json --verbose headers and bodies too, without the secrets in them`() async throws {
    let server = try Self.countingServer()
    let script = """
      profile api { base \(server.url) auth bearer $env.TOKEN }
      POST api:/x json { a: "\u{202E}é" }
      """
    let outcome = try await Self.run(script, ["--json", "-v"])
    let step = try #require(try Self.objects(outcome).first)
    #expect(step["body"] == ["n": 1])
    #expect("\(step["request"] ?? nil)".contains("[\"Authorization\",\"Bearer ••••\"]"), "\(outcome)")
    #expect(!outcome.output.contains(Self.token))
  }

  @Test func `with --json a failed step says what was expected, and one without a response why`() async throws {
    let server = try Self.countingServer()
    let failed = try await Self.run("one: GET \(server.url)/none\n  expect body.n == 7\n", ["--json"])
    let step = try #require(try Self.objects(failed).first)
    #expect(failed.code == 1 && step["ok"] == false && step["status"] == 404 && step["body"] == ["n": 1])
    #expect(step["unmet"]?[0] == ["subject": "status", "expected": "2xx or 3xx", "actual": "404"])
    #expect(step["unmet"]?[1] == ["subject": "body.n", "expected": "7", "actual": "1"])
    #expect(failed.errors.contains("expected body.n 7, got 1"))

    let down = try await Self.run("one: GET http://127.0.0.1:1/\n", ["--json"])
    let unanswered = try #require(try Self.objects(down).first)
    #expect(down.code == 21 && unanswered["ok"] == false && unanswered["label"] == "one")
    #expect(unanswered["outcome"] == "transient")
  }

  @Test func `the line end of a file is not part of a secret`() async throws {
    let server = try Self.countingServer()
    let file = try TemporaryFile("\(Self.token)\r\n", name: "token.given")
    let script = """
      secret token = file("\(file.path)").text for api
      profile api { base \(server.url) auth bearer $token }
      GET api:/x
      """
    let outcome = try await Self.run(script, ["-v"])
    #expect(server.requests.first?.contains("Authorization: Bearer \(Self.token)\r\n") ?? false)
    #expect(outcome.code == 0 && outcome.output.contains("Bearer ••••") && !outcome.output.contains(Self.token))
  }

  @Test func `with --quiet nothing but errors`() async throws {
    let server = try Self.countingServer()
    let outcome = try await Self.run("GET \(server.url)/x\nGET \(server.url)/none\n", ["-q"])
    #expect(outcome.output == "" && outcome.code == 1)
    #expect(outcome.errors.hasPrefix("error: expected status 2xx or 3xx, got 404"))
  }

  @Test func `json and quiet contradict each other`() async throws {
    #expect(try await Self.run("", ["--json", "-q"]).code == 2)
  }
}
