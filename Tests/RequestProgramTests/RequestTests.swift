import Canaries
import Diagnostics
import HTTPTypes
import JSONValue
import RequestProgram
import RequestSyntax
import Requests
import Testing
import UploaderCore

struct RequestTests {
  private static let prelude = "let v = "

  @Test(arguments: [
    ("A 101/b", "http://a.test/x/A%20101%2Fb?q=A%20101%2Fb&r=A%20101/b"),
    ("ü&=?#%", "http://a.test/x/%C3%BC%26%3D%3F%23%25?q=%C3%BC%26%3D%3F%23%25&r=%C3%BC&=?#%25"),
    ("a\\r\\nHost: b", "http://a.test/x/a%0D%0AHost%3A%20b?q=a%0D%0AHost%3A%20b&r=a%0D%0AHost:%20b"),
    ("...", "http://a.test/x/...?q=...&r=..."),
  ])
  func `an expression is encoded according to its place`(value: String, url: String) {
    let outcome = ScriptHarness().run("let v = \"\(value)\"\nGET http://a.test/x/{$v}?q={$v}&r={+$v}")
    #expect(outcome.text == "")
    #expect(outcome.requests.first?.url == url)
  }

  @Test(arguments: [
    "GET http://a.test/{\"\"}/x", "GET http://a.test/x/{\"..\"}", "GET http://a.test/{\".\"}/y",
    "GET http://a.test/.{\".\"}",
    "GET http://a.test/{+\"a/../b\"}", "GET http://a.test/{+\"%2e%2E\"}",
  ])
  func `a path cannot be changed by the values in it`(script: String) {
    let outcome = ScriptHarness().run(script)
    #expect(outcome.requests.isEmpty)
    #expect(outcome.text.contains("cannot be a part of a path"))
  }

  @Test(arguments: ["a\\r\\nX: y", "a\\nb", "a\\u0000b", "a\\u007fb", "\\u001b[31m"])
  func `no header value can start another header`(value: String) {
    let outcome = ScriptHarness().run("GET http://a.test/\n  header X-A: \"\(value)\"")
    #expect(outcome.requests.isEmpty)
    #expect(outcome.text.contains("the value of header X-A has a line end or another control character"))
    #expect(
      ScriptHarness().run("GET http://a.test/ header { \"X\\r\\nY\": \"a\" }").text.contains("not a header name"))
  }

  @Test(arguments: [
    (
      "json { a: 1.0, \"b\": [1, -2, true, null], ...{ c: \"x{$v}\" } }", "application/json",
      #"{"a":1.0,"b":[1,-2,true,null],"c":"xV"}"#
    ),
    ("form { a: \"x y&\", b: [1, 2], c: $v }", "application/x-www-form-urlencoded", "a=x+y%26&b=1&b=2&c=V"),
    ("text \"\"\"\n  one\n    two {$v}\n  \"\"\"", "text/plain; charset=utf-8", "one\n  two V"),
    ("body \"raw\" as \"application/x\"", "application/x", "raw"),
    (
      "graphql 'query { a }' variables { x: $v }", "application/json", #"{"query":"query { a }","variables":{"x":"V"}}"#
    ),
    ("a=b c:=[1,2] d=$v q==1 X-H:h", "application/json", #"{"a":"b","c":[1,2],"d":"V"}"#),
    ("form a=\"b c\" d=$v", "application/x-www-form-urlencoded", "a=b+c&d=V"),
  ])
  func `a body is what its clause describes`(clause: String, type: String, body: String) {
    let outcome = ScriptHarness().run("let v = \"V\"\nPOST http://a.test/ \(clause)")
    #expect(outcome.text == "")
    #expect(outcome.requests.first?.contentType(boundary: "B") == type)
    #expect(outcome.requests.first?.bodyText == body)
  }

  @Test func `clauses and items become the request's head`() throws {
    let outcome = ScriptHarness().run(
      """
      profile p { base http://a.test }
      one: POST p:/x q==1 X-One:2
        header X-Two: 1.5
        header { "X-Many": ["a", "b"] }
        query { r: ["s", "t"] }
        query u: v
        timeout 1500ms
        retry 5 on 429 | 5xx
        redirects none
        header Idempotency-Key: uuid()
        auth none
        json {}
      """)
    #expect(outcome.text == "")
    let head = try #require(outcome.requests.first).head
    #expect(head.query.map { "\($0.name)=\($0.value)" } == ["q=1", "r=s", "r=t", "u=v"])
    #expect(
      head.headers.map { "\($0.name): \($0.value)" }.dropLast() == [
        "X-One: 2", "X-Two: 1.5", "X-Many: a", "X-Many: b",
      ])
    #expect(head.headers[HTTPField.Name("Idempotency-Key") ?? .eTag]?.count == 36)
    #expect(head.timeout == .milliseconds(1_500) && head.redirects == 0 && !head.sendsCredential)
    #expect(
      head.retry?.attempts == 5 && head.retry?.statuses.contains(503) == true && head.retry?.statuses.count == 101)
    #expect(head.effect == .idempotent)
    #expect(head.place?.source == "test.wb")
  }

  @Test(arguments: [
    ("GET $one.body.abs", "https://b.test/?X=%2F+a"),
    ("GET $one.body.rel", "https://a.test/v1/next"),
    ("GET $one.body.root", "https://a.test/root"),
    ("GET $one.body.named", nil),
    ("GET $one.location", "https://a.test/v1/made"),
    ("GET $one.body.abs2/items/{\"a b\"}?x={\"&\"}", "https://c.test/items/a%20b?x=%26"),
    ("GET $env.URL", "https://env.test/"),
    ("GET $env.PATH2", nil),
    ("GET (\"/from/script\")", ":/from/script"),
    ("GET \"api:/named\"", "api:/named"),
    ("GET \"http://h.test/{$one.status}\"", "http://h.test/200"),
  ])
  func `a URL from a response is used as it is, and never names a profile`(step: String, url: String?) {
    var harness = ScriptHarness(variables: ["URL": "https://env.test/", "PATH2": "/x"])
    harness.answer = { _, _ in
      .make(
        200,
        json: """
          {"abs": "https://b.test/?X=%2F+a", "rel": "next", "root": "/root", "named": "api:/admin", "abs2": "https://c.test/"}
          """, headers: [("Location", "made")])
    }
    let outcome = harness.run("profile api { base https://a.test/v1 }\none: GET api:/list\n\(step)")
    #expect(outcome.requests.dropFirst().first?.url == url)
    #expect((outcome.error == nil) == (url != nil))
  }

  @Test(arguments: [
    ("ok name.txt", "out/ok name.txt"), ("...", "out/..."), ("..", nil), (".", nil), ("", nil), ("a/b", nil),
    ("/etc/passwd", nil), ("a\\u0000b", nil),
  ])
  func `text from a response is one name in a file's path`(name: String, path: String?) {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(200, json: "{\"name\": \"\(name)\"}") }
    for place in ["\"out/{$one.body.name}\"", "\"out/{$one.body.name | trim | lower}\"", "$one.body.name"] {
      let outcome = harness.run("one: GET http://a.test/\nGET http://a.test/ save body to \(place)")
      let expected = place.hasPrefix("$") ? path.map { String($0.dropFirst(4)) } : path
      #expect(outcome.requests.dropFirst().first?.head.savesBodyTo == expected)
      #expect(outcome.text.contains("cannot be a part of a file's path") == (path == nil))
    }
  }

  @Test func `a value remembers where it came from`() throws {
    var harness = ScriptHarness(variables: ["NAME": "v"])
    harness.answer = { _, _ in .make(200, json: "{\"list\": [{\"id\": 7}]}") }
    harness.settings = ["s": "2"]
    let script = """
      let a = "literal"
      let s = 1
      let e = $env.NAME
      one: GET http://a.test/
      let id = $one.body.list[0].id
      let derived = "{$id}" | upper
      profile p { base http://p.test }
      secret k = "key-1234" for p
      """
    var program = Program()
    #expect(program.add(Parser.parse(SourceText(name: "test.wb", text: script))).isEmpty)
    var run = SequenceRun(
      try ProgramRequestSequence(
        program, environment: harness.environment, settings: harness.settings.mapValues(Setting.text), at: .fixed))
    while case .request(let description)? = try run.next(at: { _ in .fixed }) {
      run.record(.exchange(.make(description, harness.answer(description, 0), number: 0)))
    }
    func provenance(_ text: String) throws -> Provenance {
      let source = SourceText(name: "x", text: text)
      let expression = try #require(Parser.parseExpression(source).expression)
      return try run.sequence.value(of: expression, in: source).provenance
    }
    #expect(try provenance("$a") == .declared(TextPlace(source: "test.wb", range: 8..<17)))
    #expect(try provenance("$s") == .setting("s"))
    #expect(try provenance("$e") == .environment("NAME"))
    #expect(try provenance("$k") == .secret("k"))
    #expect(try provenance("1") == .script)
    for text in ["$id", "$one.body.list[0].id"] {
      #expect(try provenance(text) == .response(step: "one", path: "body.list[0].id", url: "http://a.test/"))
    }
    #expect(try provenance("$derived") == .response(step: "one", path: "body.list[0].id", url: "http://a.test/"))
  }

  @Test func `a value remembers the secrets that it was made from`() throws {
    let harness = ScriptHarness(variables: ["TOKEN": Canary.secret("provenance"), "OTHER": "plain-text"])
    let outcome = harness.run(
      """
      profile api { base https://api.test
        auth bearer $env.TOKEN }
      secret pass = "\(Canary.secret("pass"))" for api
      let derived = "x{$pass | base64}" | sha256
      let elsewhere = "https://elsewhere.test"
      one: POST $elsewhere/{$derived} json { a: $env.TOKEN, b: [$env.OTHER] }
      two: POST https://elsewhere.test/ header X: $env.OTHER
      three: POST https://elsewhere.test/ json { t: $one.request.headers.accept ?? $one.status }
      """)
    #expect(outcome.text == "")
    #expect(
      outcome.requests.map { $0.head.secrets.map(\.name).sorted() } == [
        ["TOKEN", "pass", "pass | …", "pass | …"], [], [],
      ])
    let secret = try #require(outcome.requests[0].head.secrets.first { $0.name == "pass" })
    #expect(secret.origins.map(\.description) == ["https://api.test"])
  }

  @Test(arguments: [
    "GET https://b.test/{$s}", "GET https://b.test/?q={+$s}", "GET https://b.test/ header X: \"a{$s}\"",
    "GET https://b.test/ query { \"{$s}\": 1 }", "GET https://b.test/ header { X: [\"{$s}\"] }",
    "POST https://b.test/ json { \"{$s}\": 1 }", "POST https://b.test/ json [{ a: [$s | upper] }]",
    "POST https://b.test/ form { a: \"1\", \"{$s}\": 2 }", "POST https://b.test/ multipart { a: \"x\" named $n }",
    "POST https://b.test/ multipart { a: \"x\" as \"a/{$s}\" }", "POST https://b.test/ text $s | sha256 | base64",
    "POST https://b.test/ body \"x\" as \"{$s}\"", "POST https://b.test/ a=$s", "GET https://b.test/ X:$s q==$s",
    "GET https://b.test/ auth bearer $s", "GET https://b.test/ auth basic \"u\", $s", "GET \"https://b.test/{$s}\"",
    "GET https://b.test/{if true then $s else 1}", "GET https://b.test/{$none ?? $s}",
    "POST https://b.test/ graphql \"{$s}\"",
    "POST https://b.test/ json ({ a: $s }).a", "POST https://b.test/ text \"x\" | hmac-sha256($s)",
  ])
  func `a secret is known wherever it appears`(step: String) {
    let step = step.replacing("named $n", with: "named \"{$s}\"").replacing("$none ??", with: "$env.NONE ??")
      .replacing(" https://b.test", with: " $b")
    let outcome = ScriptHarness().run(
      "profile api { base https://a.test }\nsecret s = \"\(Canary.secret("everywhere"))\" for api\nlet b = \"https://b.test\"\n\(step)"
    )
    #expect(outcome.text == "")
    #expect(outcome.requests.first?.head.secrets.filter { !$0.isMade }.map(\.name) == ["s"])
  }

  @Test(arguments: [
    "$g.text | upper", "$g.bytes | sha256", "$g.body | json | slice(3, 30)", "$g.body.other | upper",
    "$g.headers | json",
    "$g.headers.x-echo | slice(2, 10)", "$g.body.access_token | upper",
  ])
  func `whatever a later statement declares secret is secret as soon as the response arrives`(text: String) {
    let grant = Canary.secret("granted-later")
    var harness = ScriptHarness()
    harness.answer = { _, _ in
      .make(
        200, json: "{\"access_token\": \"\(grant)\", \"other\": \"x \(grant)\"}", headers: [("X-Echo", grant)])
    }
    let outcome = harness.run(
      """
      profile api { base https://a.test }
      let b = "https://b.test"
      g: POST api:/grant
      POST $b text (\(text))
      secret at = $g.body.access_token for api
      """)
    #expect(outcome.text == "")
    #expect(outcome.requests.last?.head.secrets.map(\.name).contains { $0.hasPrefix("at") } == true)
  }

  @Test func `a profile that waits for a secret is not used before it is set`() {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(200, json: "{\"access_token\": \"\(Canary.secret("grant"))\"}") }
    let script = { (early: String) in
      """
      profile login { base https://login.test }
      profile api { base https://api.test
        auth bearer $token }
      \(early)
      grant: POST login:/token
      secret token = $grant.body.access_token for api
      GET api:/sheets
      """
    }
    let fine = harness.run(script(""))
    #expect(fine.text == "")
    #expect(fine.requests.count == 2)
    #expect(fine.profiles["api"]?.credential?.secrets.first?.name == "token")
    // A login in the same profile does not need a token yet.
    #expect(harness.run(script("GET api:/early\n  auth none")).requests.count == 3)
    // Nor does one that says who asks.
    let own = harness.run(script("GET api:/early\n  auth bearer \"other\""))
    #expect(own.text == "" && own.requests.count == 3, "\(own.text)")
    let built = harness.run(script("let early = \"https://api.test/early\"\nGET $early auth basic \"u\", \"pass\""))
    #expect(built.error == nil && built.requests.count == 3)
    let early = harness.run(script("GET api:/early"))
    #expect(early.requests.isEmpty && early.text.contains("profile \"api\" needs $token, which is set later"))
    let hidden = harness.run(script("let early = \"https://api.test/early\"\nGET $early"))
    #expect(hidden.requests.isEmpty && hidden.error?.fact == .notRun("token", isName: true, isCredential: true))
  }

  @Test(arguments: [
    ("expect 201", ["status: 201 / 200"]),
    ("expect 2xx | 404", []),
    ("expect status == 204", ["status: 204 / 200"]),
    ("expect body.state == \"ready\"", ["body.state: \"ready\" / \"pending\""]),
    ("expect body.id > 7 and body.missing == 1", ["body.id: > 7 / 7", "body.missing == 1: to hold / body has no"]),
    (
      "expect body is { id: string, state: \"ready\" | \"pending\", tags: [int], at: datetime }",
      [
        "body.id: string / 7", "body.tags[1]: int / \"x\"", "body.at: datetime / missing",
        "body.url: no such key / \"http://a.test/\"",
      ]
    ),
    ("expect body is { id: int, url: url, note?: null, ... }", []),
    ("expect body.tags contains \"x\" and 1 in body.tags", []),
    ("expect not body.tags contains 1", ["not body.tags contains 1: true / false"]),
    ("expect headers.X-A matches '^b+$'", ["headers.X-A: matches \"^b+$\" / \"a\""]),
    ("expect 404\n expect body.id == 8", ["status: 404 / 200", "body.id: 8 / 7"]),
    ("expect body.id", ["body.id: to hold / expected true or false, found a number"]),
  ])
  func `an unmet expectation is reported with its path`(clause: String, unmet: [String]) {
    var harness = ScriptHarness()
    harness.answer = { _, _ in
      .make(
        200, json: "{\"id\": 7, \"state\": \"pending\", \"tags\": [1, \"x\"], \"url\": \"http://a.test/\"}",
        headers: [("x-a", "a")])
    }
    let outcome = harness.run("GET http://a.test/ \(clause)")
    #expect(outcome.text == "")
    let found = outcome.unmet.map { "\($0.subject): \($0.expected) / \($0.actual)" }
    #expect(found.count == unmet.count)
    for (found, unmet) in zip(found, unmet) { #expect(found.hasPrefix(unmet)) }
  }

  @Test(arguments: [
    ("timeout ($n * 1ms)", "a time limit must be more than 0s"), ("timeout ($n * -1ms + 1ms)", nil),
    ("timeout (1s - 2s)", "a time limit must be more than 0s"), ("limit ($n * 1MB)", "a size must be at least 1B"),
    ("limit ($t * 1B)", "made from a secret cannot be a part of a limit"),
    ("timeout ($t * 1ms)", "made from a secret cannot be a part of a time limit"),
  ])
  func `a limit is more than nothing and is no secret`(clause: String, message: String?) {
    let harness = ScriptHarness(variables: ["N": "481516"])
    let outcome = harness.run(
      "profile p { base http://p.test }\nsecret s = $env.N for p\nlet t = $s | to-number\nlet n = 0\nGET http://a.test/ \(clause)"
    )
    #expect(outcome.requests.count == (message == nil ? 1 : 0))
    #expect(message.map { outcome.text.contains($0) } ?? (outcome.text == ""), "\(outcome.text)")
  }

  /// A secret is never written on a command line.
  @Test func `what is set for a header of a profile is no secret`() {
    var harness = ScriptHarness(variables: ["A": "agent-of-the-test"])
    harness.settings = ["tenant": "tenant-of-the-test"]
    let outcome = harness.run(
      "let tenant = \"\"\nlet agent = $env.A\nprofile p { base http://p.test header X-T: $tenant header X-A: \"b {$agent}\" }\nGET p:/"
    )
    #expect(outcome.profiles["p"]?.otherSecrets.map(\.name) == ["a part of p's X-A", "a part of p's X-A (2)"])
  }

  @Test func `the interval of a repeated step is not negative`() {
    let outcome = ScriptHarness().run("GET http://a.test/ repeat every (1s - 2s) until status == 201")
    #expect(outcome.requests.count == 1)
    #expect(outcome.text.contains("a duration is not negative"), "\(outcome.text)")
  }

  /// Clients disagree about the host of `http://127.1/`: the one that connects is asked.
  @Test func `what a step's own auth is given belongs to the origin that is connected to`() throws {
    var harness = ScriptHarness(variables: ["T": "token-of-a-step"])
    let origin = try Origin("http://127.0.0.1:8080")
    harness.environment.origin = { $0.hasPrefix("http://127.1:8080/") ? origin : nil }
    for scheme in ["bearer $env.T", "basic \"ann\", $env.T", "basic $env.T, \"\""] {
      let secrets = harness.run("GET http://127.1:8080/x auth \(scheme)").requests.first?.head.secrets ?? []
      #expect(!secrets.isEmpty && secrets.allSatisfy { $0.origins == [OriginPattern(origin)] }, "\(scheme)")
    }
  }

  @Test func `a step that expects no status expects success`() {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(500) }
    #expect(harness.run("GET http://a.test/").unmet.map(\.expected) == ["2xx or 3xx"])
    #expect(harness.run("GET http://a.test/ expect status == 500").unmet == [])
  }
}
