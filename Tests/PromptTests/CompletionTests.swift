import Canaries
import Dispatch
import HTTPTypes
import JSONValue
import LineEditing
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

@Suite struct CompletionTests {
  /// What the first Tab after the text offers, `text  preview`.
  private func offers(_ text: String, _ completer: PromptCompleter = .make()) -> [String] {
    completer.completions(of: text, at: text.endIndex).candidates.map { candidate in
      candidate.preview.isEmpty ? candidate.text : "\(candidate.text)  \(candidate.preview)"
    }
  }

  @Test(arguments: [
    ("GET $1.body.snap", [".snapshot  {uid, url, fields}"]),
    ("GET $1.body.snapshot.", [".uid  \"s-1\"", ".url  \"https://b.example/?k=••••\"", ".fields  {x-amz key}"]),
    ("GET $1.body.snapshot.fields.x", ["[\"x-amz key\"]  7"]),
    ("GET $1.body.snapshot.fields[\"x-a", ["[\"x-amz key\"]  7"]),
    ("PUT /x json {a: $1.body.items[", ["[0]  {id}", "[1]  null"]),
    ("GET /x/{$1.body.items[0].i", [".id  1.50"]),
    ("GET $make.body.it", [".items  [2 items]"]),
    ("GET $_.headers.E", [".etag  v1"]),
    ("GET $1.time.f", [".first-byte  0 µs"]),
    ("GET $1.request.m", [".method  POST"]),
    ("GET $1.st", [".status  201"]),
    ("GET /x If-M", ["If-Match", "If-Modified-Since"]), ("POST /x a=1 Idem", ["Idempotency-Key"]),
    ("GET /x expect 200 Acc", []),
    ("GET $tok", ["token  a name of yours"]),
    ("GET $m", ["make  201 POST https://a.example/snapshots"]),
    ("GET $env.HO", [".HOME"]),
    ("GET /x/{$1.body.items | co", ["count  how many"]),
    ("GET $1.body.nothing.", []),
    ("GET $9.", []),
    ("GET $1.body..u", []),
  ]) func `references lead through the responses`(text: String, expected: [String]) {
    #expect(offers(text) == expected)
  }

  @Test(arguments: [
    ("PO", ["POST"]), ("se", ["secret", "sequence"]), ("GET /x m", ["multipart"]), ("GET /x expect st", ["status"]),
    ("POST /sn", ["/snapshots  POST 201"]), ("POST api:/sn", ["api:/snapshots  POST 201"]),
    ("POST ap", ["api:/  https://a.example"]), ("GET /x with profile a", ["api  https://a.example"]),
    ("profile x { ba", ["base"]), ("profile x { base https://a.example au", ["auth"]),
    ("profile x { base ", ["https://a.example"]), ("profile x { auth be", ["bearer"]),
    ("secret k = $env.K for a", ["api  https://a.example"]), ("run up", ["upload"]),
    ("GET /x header If-N", ["If-None-Match"]), ("PUT /x body file(\"pic", ["pictures/"]),
    ("PUT /x body file(\"pictures/", ["a.png", "b.png"]), ("POST /x f@", ["notes.txt", "pictures/"]),
    ("POST /x a=1 f@pic", ["pictures/"]), ("POST /x f=@pictures/", ["a.png", "b.png"]),
    ("POST /x f:=@n", ["notes.txt"]), ("POST /x form f@n", ["notes.txt"]), ("GET /x X-A:@n", ["notes.txt"]),
    ("PUT /x @n", ["notes.txt"]), ("PUT /x < pic", ["pictures/"]), ("PUT /x <pictures/a", ["a.png"]),
    ("PUT /x X-A:b @n", ["notes.txt"]), ("GET /x a==1 > n", ["notes.txt"]),
    ("POST /x f@$tok", ["token  a name of yours"]), ("curl -T n", ["notes.txt"]), ("curl -sT pictures/a", ["a.png"]),
    ("curl --data-binary @n", ["notes.txt"]), ("curl -F file=@pic", ["pictures/"]), ("curl -o n", ["notes.txt"]),
    ("curl --up", ["--upload-file"]), ("curl https://a.example --res", ["--resolve"]), ("curl /x > n", ["notes.txt"]),
    ("curl /sn", ["/snapshots  POST 201"]), ("curl -X n", []),
    ("curl -T $tok", ["token  a name of yours"]),
    ("http POST /x f@n", ["notes.txt"]), ("http -o n", ["notes.txt"]), ("http --dow", ["--download"]),
    ("http /x < n", ["notes.txt"]),
    ("http /sn", ["/snapshots  POST 201"]), ("http /x | gre", ["grep"]), ("GET /x | ", ["grep", "jq"]),
    ("profile ", ["api  https://a.example"]), ("use a", ["api  https://a.example"]), ("profile x", []),
    ("GET /x | x", ["xxd"]), ("p: GET /x|j", ["jq"]), (":body $1 | sort | g", ["grep"]),
    (":print $1.body | coun", ["count  how many"]), ("| j", ["jq"]),
    ("GET /x | jq .na", []), ("GET /x \"a | ", []), ("let n = $1.body | co", ["count  how many"]),
    ("POST /x f=n", []), ("GET /x json { re", []),
    (":pro", ["profile  lists the profiles, or chooses where /paths go"]),
    (":profile ", ["api  https://a.example"]),
  ]) func `statements and commands are completed`(text: String, expected: [String]) {
    #expect(offers(text) == expected)
  }

  @Test func `a path is offered for the profile that it was sent to, unless its method was none`() async {
    let session = PromptSession(answers: [.json("{}"), .json("{}", status: 405), .json("{}")])
    let screen = await session.type(
      """
      profile a { base https://a.example }
      profile b { base https://b.example }
      GET a:/of-a
      GTE a:/mistyped
      GET b:/of-b
      GET a:/\t\t\u{3}\u{4}
      """
    ).screen
    #expect(screen.contains("GET a:/\na:/of-a  GET 200\na:/ "), "\(screen)")
  }

  @Test func `what failed is offered last, and a reference that was sent as it is written is not offered again`() async
  {
    let session = PromptSession(answers: [.json("{}"), .json("{}", status: 404), .json("{}", status: 404)])
    let screen = await session.type(
      """
      profile a { base https://a.example }
      GET /orders
      GET /orders/24
      GET /orders/$x
      GET /ord\t\t\u{3}\u{4}
      """
    ).screen
    #expect(screen.contains("GET 200\n/orders/24  GET 404\n"), "\(screen)")
    #expect(!screen.contains("/orders/$x  GET"), "\(screen)")
  }

  @Test func `a continuation line knows the clauses`() {
    #expect(offers("POST /x json {\n}\n  exp") == ["expect"])
  }

  @Test func `a body is checked once`() {
    let bodies = BodyDocuments(patience: .seconds(60))
    #expect(bodies.document(of: .make(.json("{\"a\":1}")), at: 0)?.json == ["a": 1])
    // The index is the key: the text of another body is not even looked at.
    #expect(bodies.document(of: .make(.json("not JSON")), at: 0)?.json == ["a": 1])
    #expect(bodies.document(of: .make(.json("not JSON")), at: 1) == nil)
  }

  @Test func `a large body makes nobody wait`() {
    let bodies = BodyDocuments(patience: .zero)
    let text = "[" + Array(repeating: "{\"a\":1}", count: 200_000).joined(separator: ",") + "]"
    let large = Exchange.make(.json(text))
    #expect(bodies.document(of: large, at: 0) == nil, "it is still being checked")
    var document: JSONDocument?
    while document == nil { document = bodies.document(of: large, at: 0) }
    #expect(document?.children(of: JSONPath())?.count == 200_000)
  }

  @Test func `a large body is checked before somebody asks`() {
    let bodies = BodyDocuments(patience: .seconds(60))
    let large = "[" + Array(repeating: "{\"a\":1}", count: 200_000).joined(separator: ",") + "]"
    bodies.prepare(.make(.json(large)), at: 0)
    bodies.prepare(.make(.json("[1]")), at: 1)
    // What is found was there before.
    #expect(bodies.document(of: .make(.json("[2]")), at: 0)?.children(of: JSONPath())?.count == 200_000)
    #expect(bodies.document(of: .make(.json("[2]")), at: 1)?.json == [2])
  }

  @Test(arguments: ["text/event-stream", "application/x-ndjson"])
  func `events and lines are completed like elements`(type: String) {
    let body = type == "text/event-stream" ? "data: {\"n\":7}\n\n" : "{\"data\":{\"n\":7}}\n"
    let response = Response(
      status: .ok, headers: [.contentType: type], body: ResponseBody(Array(body.utf8)))
    let completer = PromptCompleter(exchanges: [.make(response)], bodies: BodyDocuments(patience: .seconds(60)))
    #expect(offers("GET $1.body[0].data.", completer) == [".n  7"])
  }

  @Test func `the rounds of a repeated step are completed like its response`() {
    func round(_ round: Int?, _ label: String, _ body: String) -> Exchange {
      let head = RequestHead(.get, .url("https://a.example/\(round ?? 0)")) {
        $0.label = label
        $0.round = round
      }
      return Exchange(
        description: .inMemory(InMemoryRequestDescription(head)),
        request: SentRequest(
          method: .get, url: "https://a.example/\(round ?? 0)", origin: Origin(scheme: .https, host: "a.example")),
        response: .json(body))
    }
    let completer = PromptCompleter(
      exchanges: [
        round(1, "page", "[]"), round(1, "page", #"{"a":1}"#), round(2, "page", #"{"b":2}"#), round(nil, "one", "{}"),
      ], bodies: BodyDocuments(patience: .seconds(60)), responses: ["it": [1, 4]])
    #expect(
      offers("GET $page.rounds[", completer) == [
        "[0]  200 GET https://a.example/1", "[1]  200 GET https://a.example/2",
      ])
    #expect(offers("GET $page.ro", completer) == [".rounds  2 responses"])
    #expect(offers("GET $page.rounds[0].body.", completer) == [".a  1"])
    #expect(offers("GET $page.rounds[-1].body.", completer) == [".b  2"])
    #expect(offers("GET $page.rounds[0].st", completer) == [".status  200"])
    #expect(offers("GET $page.rounds[2].", completer) == [])
    #expect(offers("GET $one.ro", completer) == [])
    #expect(
      offers("GET $it[", completer) == ["[0]  200 GET https://a.example/1", "[1]  200 GET https://a.example/0"])
  }

  @Test(arguments: [
    ("GET 127.0.0.1:80\tx\n", "http://127.0.0.1:8080/a"), ("GET local\tx\n", "http://localhost/"),
    ("GET :/\tx\n", "http://localhost/"),
  ])
  func `an address of this machine is completed as it is typed, without a scheme`(keys: String, url: String) async {
    let session = PromptSession(answers: [.json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.type("GET http://127.0.0.1:8080/a\nGET localhost/\n\(keys)\u{4}")
    #expect(outcome.requests.map(\.url).dropFirst(2) == ["\(url)x"], "\(outcome.screen)")
  }

  @Test func `an address below the profile's base is completed as a path`() async {
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.type(
      "profile api { base https://a.example/v1 }\nGET https://a.example/v1/orders\nGET /or\tx\n\u{4}")
    #expect(outcome.requests.map(\.url).last == "https://a.example/v1/ordersx", "\(outcome.screen)")
  }

  @Test func `Tab at the prompt completes and lists`() async {
    let session = PromptSession(answers: [
      .json(#"{"snapshot":{"uid":"s-1","url":"https://b.example/x"}}"#), .json("1"),
    ])
    let outcome = await session.type("GET https://a.example/\nGET $1.body.sn\tu\trl\n\u{4}")
    #expect(
      outcome.screen.contains(
        """
        (none) $2 200> GET $1.body.snapshot.u
        .uid  "s-1"
        .url  "https://b.example/x"
        (none) $2 200> GET $1.body.snapshot.url
        """))
    #expect(outcome.requests.last?.url == "https://b.example/x")
  }
}

extension PromptCompleter {
  static func make() -> PromptCompleter {
    let secret = Canary.secret("completion")
    let body = """
      {"snapshot":{"uid":"s-1","url":"https://b.example/?k=\(secret)","fields":{"x-amz key":7}},
      "items":[{"id":1.50},null]}
      """
    return PromptCompleter(
      exchanges: [.make(.json(body, status: 201, headers: [.eTag: "v1"]))],
      bodies: BodyDocuments(patience: .seconds(60)), names: ["token"], sequences: ["upload"],
      profiles: SessionProfiles([SessionProfile(name: "api", base: try? BaseURL("https://a.example"))]),
      environment: ["HOME", "PATH"], programDirectories: ["/bin"],
      listDirectory: {
        if $0 == "/bin" { return ["jq", "xxd", "grep", "x11/"] }
        return $0.isEmpty ? [".hidden", "notes.txt", "pictures/"] : $0 == "pictures" ? ["a.png", "b.png"] : []
      },
      redact: { $0.replacing(secret, with: "••••") })
  }
}

extension Exchange {
  static func make(_ response: Response) -> Exchange {
    Exchange(
      description: .inMemory(
        InMemoryRequestDescription(RequestHead(.post, .path("/snapshots", profile: "api")) { $0.label = "make" })),
      request: SentRequest(
        method: .post, url: "https://a.example/snapshots", origin: Origin(scheme: .https, host: "a.example")),
      response: response)
  }
}
