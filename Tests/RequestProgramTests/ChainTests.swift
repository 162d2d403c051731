import Canaries
import Diagnostics
import Foundation
import HTTPTypes
import JSONValue
import RequestProgram
import RequestSyntax
import Requests
import Testing
import UploaderCore

struct ChainTests {
  private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples")

  private static func answer(_ description: RequestDescription, _ number: Int) -> Response {
    switch number {
    case 0:
      .make(
        201,
        json: """
          {"snapshot": {"uid": "s-1", "url": "http://127.0.0.1:8081/bucket?a=%2F&b", "fields": {"key": "u/1", "policy": "e30="}}}
          """)
    case 1: .make(204, headers: [("ETag", "\"abc\"")])
    case 2: .make(200, json: "{\"state\": \"processing\"}")
    case 3: .make(200, json: "{\"state\": \"processing\"}")
    default: .make(200, json: "{\"state\": \"ready\"}")
    }
  }

  @Test func `the example's upload chain is these requests`() throws {
    let token = Canary.secret("lowered")
    var harness = ScriptHarness(variables: ["API_TOKEN": token])
    harness.answer = Self.answer
    let script = try String(contentsOf: Self.examples.appending(path: "snapshot-upload.wb"), encoding: .utf8)
    let outcome = harness.run(script, directory: Self.examples.path)
    #expect(outcome.text == "")
    #expect(outcome.unmet == [])
    try #require(outcome.requests.count == 5)
    let size = try Data(contentsOf: Self.examples.appending(path: "blueprint.png")).count

    let allocate = outcome.requests[0]
    #expect(allocate.url == "api:/sheets/A-101/snapshots")
    #expect(allocate.head.label == "allocate" && allocate.head.method == .post && allocate.head.effect == .once)
    #expect(allocate.bodyText == "{\"filesize\":\(size)}")
    #expect(allocate.contentType(boundary: "B") == "application/json")

    let upload = outcome.requests[1]
    #expect(upload.url == "http://127.0.0.1:8081/bucket?a=%2F&b")
    #expect(
      upload.bodyText == """
        --B\r\nContent-Disposition: form-data; name="key"\r\n\r\nu/1\r\n--B\r\n\
        Content-Disposition: form-data; name="policy"\r\n\r\ne30=\r\n--B\r\n\
        Content-Disposition: form-data; name="file"; filename="blueprint.png"\r\n\
        Content-Type: image/png\r\n\r\n<blueprint.png 0+\(size)>\r\n--B--\r\n
        """)
    #expect(upload.head.secrets.isEmpty)

    #expect(outcome.requests[2].bodyText == #"{"state":"uploaded","etag":"\"abc\""}"#)
    #expect(outcome.requests[3].head.delay == .zero)
    #expect(outcome.requests[4].head.delay == .milliseconds(100))
    #expect(outcome.requests[4].url == "api:/sheets/A-101/snapshots/s-1")

    let api = try #require(outcome.profiles["api"])
    #expect(api.base == (try BaseURL("http://127.0.0.1:8080")))
    #expect(api.headers[.accept] == "application/json")
    guard case .bearer(let secret)? = api.credential else {
      Issue.record("no bearer")
      return
    }
    #expect(secret.name == "API_TOKEN" && secret.withExposedText { $0 } == token)
    #expect(secret.isAllowed(at: try Origin("http://127.0.0.1:8080")))
    #expect(!secret.isAllowed(at: try Origin("http://127.0.0.1:8081")))
    #expect(outcome.profiles["bucket"]?.credential == nil)
  }

  @Test func `settings replace a let and supply a parameter`() {
    var harness = ScriptHarness()
    harness.settings = ["base": "http://set.test", "id": "7"]
    let outcome = harness.run(
      """
      let base = "http://a.test"
      profile api { base $base }
      sequence get(id: int, name = "x") { GET api:/{$id}/{$name} }
      run get(id: 1)
      """)
    #expect(outcome.text == "")
    #expect(outcome.requests.map(\.url) == ["api:/7/x"])
    #expect(outcome.profiles["api"]?.base?.description == "http://set.test")
    harness.settings = ["nmae": "x"]
    #expect(harness.run("let name = 1\n").text.contains("did you mean name?"))
    harness.settings = ["id": "seven"]
    #expect(harness.run("sequence s(id: int) { GET http://a.test/{$id} }\nrun s(id: 1)").text.contains("is an int"))
  }

  @Test func `a named sequence runs with its arguments from outside`() {
    var harness = ScriptHarness()
    harness.sequence = "get"
    harness.settings = ["id": "A B"]
    let outcome = harness.run(
      "let host = \"http://a.test\"\nGET http://never.test/\nsequence get(id) { GET $host/items/{$id} }")
    #expect(outcome.text == "")
    #expect(outcome.requests.map(\.url) == ["http://a.test/items/A%20B"])
  }

  @Test func `a sequence's names belong to its label, its steps to itself`() {
    var harness = ScriptHarness()
    harness.answer = { _, number in .make(200, json: "{\"id\": \(number)}") }
    let outcome = harness.run(
      """
      sequence make(name) {
        one: POST http://a.test/x json { name: $name }
        let id = $one.body.id
      }
      first: run make("a")
      second: run make(name: "b")
      one: GET http://a.test/{$first.id}/{$second.id}
      skipped: run make("c") when $one.status == 404
      GET http://a.test/{$skipped.id ?? "none"}/{$1.body.id}
      """)
    #expect(outcome.text == "")
    #expect(outcome.requests.map(\.url).suffix(2) == ["http://a.test/0/1", "http://a.test/none/2"])
    #expect(outcome.skipped == ["skipped"])
  }

  @Test func `a repeated step sees its previous round, follows pages and collects rounds`() {
    var harness = ScriptHarness()
    harness.answer = { _, number in
      .make(200, json: number < 2 ? "{\"next\": \"/items?page=\(number + 2)\", \"n\": \(number)}" : "{\"n\": 2}")
    }
    let outcome = harness.run(
      """
      profile api { base https://api.test/v1 }
      page: GET ($page.body.next ?? "/items") repeat until body.next ?? null == null
      POST api:/done json $page.rounds[*].body.n
      """)
    #expect(outcome.text == "")
    #expect(
      outcome.requests.map(\.url) == [
        ":/items", "https://api.test/items?page=2", "https://api.test/items?page=3", "api:/done",
      ])
    #expect(outcome.requests.last?.bodyText == "[0,1,2]")
  }

  @Test func `a repeated step gives up at its limit`() {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(200, json: "{\"state\": \"pending\"}") }
    let outcome = harness.run("GET http://a.test/x repeat every 2s for 10s until body.state == \"ready\"")
    #expect(outcome.requests.count == 6)
    #expect(outcome.unmet.map(\.expected) == ["within 10s"])
    #expect(outcome.unmet.map(\.subject) == ["body.state == \"ready\""])
    let endless = harness.run("GET http://a.test/x repeat until body.state == \"ready\"")
    #expect(endless.requests.count == 1_000)
    #expect(endless.unmet.map(\.expected) == ["within 1000 rounds"])
  }

  @Test(arguments: [
    ("body.state == \"ready\"", "\"pending\""),
    ("body.state == \"ready\" and status == 201", "body.state \"pending\", status 200"),
    ("body.state == \"ready\" or false", "false"),
    ("body.done", "body has no \"done\" (it has \"state\")"),
  ])
  func `the reason why a repeated step does not end is reported`(condition: String, actual: String) {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(200, json: "{\"state\": \"pending\"}") }
    let outcome = harness.run("GET http://a.test/x repeat every 2s for 4s until \(condition)")
    #expect(outcome.unmet.map(\.actual) == [actual])
  }

  @Test func `a step where a text is wanted is reported with what was meant`() {
    let outcome = ScriptHarness().run(
      """
      sequence use(answer) { GET http://a.test/{$answer} }
      one: GET http://a.test/x
      run use(answer: $one)
      """)
    #expect(
      outcome.text.contains(
        """
        error: expected text, a number, or true or false, found a step
         --> test.wb:1:43
          |
        1 | sequence use(answer) { GET http://a.test/{$answer} }
          |                                           ^^^^^^^ did you mean $answer.body? a step has .status, .headers.x, .body.x
        """), "\(outcome.text)")
  }

  @Test func `the prompt numbers every exchange, and continues after a failure`() throws {
    var run = SequenceRun(ProgramRequestSequence(promptIn: .make()))
    func type(_ text: String, _ response: Response?) throws -> [String] {
      let diagnostics = run.sequence.append(Parser.parse(SourceText(name: "<input>", text: text)), at: .fixed)
      if let first = diagnostics.first(where: { $0.severity == .error }) { throw first }
      var requests: [String] = []
      func next() throws -> SequenceStep<ProgramRequestSequence>? {
        do {
          return try run.next(at: { _ in .fixed })
        } catch {
          // The rest of the input is abandoned.
          if try run.next(at: { _ in .fixed }) != nil { Issue.record("there is more") }
          throw error
        }
      }
      while case .request(let description)? = try next() {
        requests.append("$\(description.head.number ?? 0) \(description.url)")
        let exchange = response.map {
          Exchange.make(description, $0, profiles: run.sequence.profiles ?? .init(), number: requests.count)
        }
        let isFine = exchange.map { run.innermostSequence.unmetExpectations(of: $0).isEmpty } ?? false
        run.record(
          isFine ? exchange.map(StepRecord.exchange) ?? .failed(label: nil, nil) : .failed(label: nil, exchange))
      }
      return requests
    }
    _ = try type("profile api { base https://api.test }", nil)
    #expect(try type("GET /a", .make(200, json: "{\"id\": 1}")) == ["$1 :/a"])
    #expect(try type("GET /down/{$1.body.id}\nGET /never", nil) == ["$2 :/down/1"])
    #expect(try type("GET /bad", .make(500, json: "{\"id\": 2}")) == ["$2 :/bad"])
    #expect(try type("GET /{$1.body.id}/{$2.body.id}/{$_.status}", .make(204)) == ["$3 :/1/2/500"])
    #expect(try type("let x = $3.status", nil) == [])
    #expect(try type("GET /{$x}", .make(200)) == ["$4 :/204"])
    #expect(throws: Diagnostic.self) { try type("GET /{$y}", nil) }
    #expect(throws: ProgramError.self) { try type("GET /{$9.status}", nil) }
    #expect(
      try type("sequence s() { GET /in\n GET /in/{$1.status} }\nrun s()", .make(200)) == ["$1 :/in", "$2 :/in/200"])
    #expect(try type("for $i in [1, 2] { GET /{$i}/{$6.status} }", .make(201)) == ["$0 :/1/200", "$0 :/2/200"])
    #expect(try type("GET /{$7.status}/{$_.status}", .make(200)) == ["$9 :/201/201"])
    #expect(try type("GET /bad\nGET /never\nfinally { GET /{$9.status} }", .make(500)) == ["$10 :/bad", "$0 :/200"])
    #expect(try type("GET /x", .make(200)) == ["$12 :/x"])
  }
}
