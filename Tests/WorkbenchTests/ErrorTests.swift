import Foundation
import LoopbackServer
import Testing

/// Each failure is one clear error that says where and what to do, with its own exit code.
@Suite(.timeLimit(.minutes(2))) struct ErrorTests {
  private static func run(
    script: String, _ more: [String] = [], environment: [String: String] = [:]
  ) async throws -> (outcome: Workbench.Outcome, path: String) {
    let file = try TemporaryFile(script, name: "script.wb")
    return (try await Workbench.run(["run", file.path] + more, environment: environment), file.path)
  }

  private static func answering(_ status: String, _ body: String = "{}") throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(status, headers: ["Content-Type: application/json"], body: body)
      }
    }
  }

  @Test func `a missing script`() async throws {
    let outcome = try await Workbench.run(["run", "/no/such/script.wb"])
    #expect(outcome.code == 25)
    #expect(outcome.errors == "error: cannot read \"/no/such/script.wb\": No such file or directory\n")
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    (["uplod"], "error: the script has no sequence \"uplod\"\n = did you mean upload?\n"),
    (["upload"], "error: sequence \"upload\" needs a value for \"key\""),
    (["--set", "ur=x"], "error: nothing called \"ur\" can be set\n = did you mean url?\n"),
    (["--set", "url"], "Error: The value 'url' is invalid for '--set <name=value>'"),
    (["--set", "url=a", "--set", "url=b"], "Error: \"url\" is set twice."),
    (["-q", "-v"], "Error: --verbose and --quiet contradict each other."),
  ])
  func `a wrong command line sends nothing`(arguments: [String], message: String) async throws {
    let server = try Self.answering("200 OK")
    let script = "let url = \"\(server.url)\"\nsequence upload(key) { GET $url/{$key} }\nGET $url\n"
    let (outcome, _) = try await Self.run(script: script, arguments)
    #expect(outcome.code == 2 && outcome.errors.hasPrefix(message), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `a misspelt subcommand`() async throws {
    let outcome = try await Workbench.run(["chekc", "script.wb"])
    #expect(outcome.code == 2)
    let alone = try await Workbench.run(["chekc"])
    #expect(alone.code == 2 && alone.errors.contains("Did you mean check?"), "\(alone.errors)")
  }

  @Test func `a missing file to send`() async throws {
    let server = try Self.answering("200 OK")
    let (outcome, path) = try await Self.run(
      script: "put: PUT \(server.url)/x\n  body file(\"no-such.png\")\n")
    #expect(outcome.code == 25)
    #expect(outcome.errors.contains("no-such.png\": No such file or directory"))
    #expect(outcome.errors.contains("--> \(path):2:"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a syntax error is shown with its line, before anything is sent`() async throws {
    let server = try Self.answering("200 OK")
    let (outcome, path) = try await Self.run(script: "GET \(server.url)/x\nGET \(server.url)/y json {\"a\": }\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.errors.contains("--> \(path):2:"))
    #expect(outcome.errors.contains("^"))
    #expect(server.requests.isEmpty)
  }

  @Test func `an unknown name is found before anything is sent, with the one that was meant`() async throws {
    let server = try Self.answering("200 OK")
    let (outcome, path) = try await Self.run(
      script: "allocate: GET \(server.url)/x\nPOST \(server.url)/y json { a: $alocate.body.id }\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--> \(path):2:"))
    #expect(outcome.errors.contains("did you mean $allocate?"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a server that is down`() async throws {
    let port = try Self.answering("200 OK").port
    let (outcome, path) = try await Self.run(script: "ping: POST http://127.0.0.1:\(port)/x\n")
    #expect(outcome.code == 21)
    #expect(
      outcome.errors.hasPrefix("error: step \"ping\": cannot connect to 127.0.0.1:\(port): Connection refused\n"))
    #expect(outcome.errors.contains("--> \(path):1:"))
    #expect(outcome.errors.contains("is the server running"))
    #expect(outcome.output == "")
  }

  @Test func `a server that returns 500`() async throws {
    let server = try Self.answering("500 Internal Server Error", "{\"why\": \"broken\"}")
    let (outcome, _) = try await Self.run(
      script: "first: POST \(server.url)/x\nsecond: POST \(server.url)/never\n")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("step \"first\": expected status 2xx or 3xx, got 500"))
    #expect(outcome.output.contains("500 Internal Server Error"))
    #expect(outcome.output.contains("\"why\": \"broken\""))
    #expect(server.requests.count == 1)
  }

  @Test func `a path that the response does not have`() async throws {
    let server = try Self.answering("200 OK", "{\"snapshot\": {\"upload_url\": \"http://x/\"}}")
    let (outcome, path) = try await Self.run(
      script: "allocate: POST \(server.url)/x\nupload: POST $allocate.body.snapshot.uplod_url\n")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("--> \(path):2:"))
    #expect(outcome.errors.contains("did you mean \"upload_url\"?"))
    #expect(server.requests.count == 1)
  }

  @Test func `a server that does not respond in time`() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.waitForClose()
    }
    let (outcome, _) = try await Self.run(script: "slow: POST \(server.url)/x\n  timeout 200ms\n")
    #expect(outcome.code == 24)
    #expect(outcome.errors.contains("did not finish responding within 200 ms"))
    #expect(outcome.errors.contains("it is not known whether it took effect"))
  }

  @Test func `of a host that is not reached, what it would not have got is not said`() async throws {
    let (outcome, _) = try await Self.run(
      script:
        "profile api { base https://a.example auth bearer \"a-long-token\" }\nGET http://127.0.0.1:1/x retry none\n")
    #expect(outcome.code == 21 && outcome.errors.contains("Connection refused"), "\(outcome)")
    #expect(!outcome.errors.contains("withheld"), "\(outcome)")
  }

  @Test func `a missing environment variable`() async throws {
    let server = try Self.answering("200 OK")
    let (outcome, _) = try await Self.run(
      script: "profile api { base \(server.url) auth bearer $env.NO_SUCH_TOKEN }\nGET api:/x\n")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("NO_SUCH_TOKEN"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("secret a = $env.NO_A for api\nsecret b = $env.NO_B for api\nGET api:/x\n", ["NO_A", "NO_B"]),
    ("GET api:/x header X: $env.NO_A\nlet b = $env.NO_B\nGET api:/x header X: $env.NO_A\n", ["NO_A", "NO_B"]),
    (
      "profile other { base http://h auth basic $env.NO_A, $env.NO_B }\nGET api:/{$env.NO_C}\n",
      ["NO_A", "NO_B", "NO_C"]
    ),
    ("secret a = $env.NO_A ?? \"a default\" for api\nsecret b = $env.NO_B for api\nGET api:/x\n", ["NO_B"]),
  ])
  func `all missing variables are named at once`(script: String, names: [String]) async throws {
    let server = try Self.answering("200 OK")
    let (outcome, _) = try await Self.run(script: "profile api { base \(server.url) }\n" + script)
    #expect(outcome.code == 2 && server.requests.isEmpty, "\(outcome)")
    let line = outcome.errors.split(separator: "\n").first ?? ""
    #expect(line.hasPrefix("error: the environment has no ") && names.allSatisfy(line.contains), "\(outcome)")
  }

  @Test(arguments: [
    ["run"], ["run", "x.wb", "--set", "nonsense"], ["run", "x.wb", "-v", "-q"], ["frobnicate", "x"],
    ["run", "x.wb", "--set", "a=1", "--set", "a=2"],
  ])
  func `a wrong command line is explained`(arguments: [String]) async throws {
    let outcome = try await Workbench.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("Error:") && outcome.errors.contains("Usage:"))
  }

  @Test func `hostile text from a server does not reach the terminal`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(
          "200 \u{1B}[31mRed", headers: ["Content-Type: text/plain", "X-Evil: \u{1B}]0;title\u{7}"],
          body: "\u{1B}[2J\u{9B}31m\u{202E}evil\u{8}")
      }
    }
    let (outcome, _) = try await Self.run(script: "GET \(server.url)/x\n", ["-v", "--color", "never"])
    #expect(outcome.code == 0)
    let allowed = outcome.output.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && $0 != "\u{202E}")
    }
    #expect(allowed)
    #expect(outcome.output.contains("evil"))
  }
}
