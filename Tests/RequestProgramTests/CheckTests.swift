import Canaries
import Diagnostics
import HTTPTypes
import RequestProgram
import RequestSyntax
import Requests
import Testing

struct CheckTests {
  private func messages(_ script: String, _ severity: Diagnostic.Severity = .error) -> [String] {
    var program = Program()
    return program.add(Parser.parse(SourceText(name: "test.wb", text: script))).filter { $0.severity == severity }
      .map { "\($0.message)\($0.label.map { " (\($0))" } ?? "")" }
  }

  @Test func `errors of the syntax do not hide the others`() {
    let script = """
      profile api { base http://a timout 5s auth bearr "x" }
      a: GET /items expect 20
      b: GET /items/{$aa.body[0].id}
        timeout 5
        retry x
      let c = $a.bodyy
      """
    #expect(
      messages(script) == [
        "expected a clause or the end of the line, found \"timout\" (did you mean timeout?)",
        "\"20\" is not a status (such as 201 or 2xx; a condition compares: expect status == 200)",
        "step \"b\" uses $aa, which names nothing (did you mean $a?)",
        "expected a duration such as 10s, found a number (add a unit: 500ms, 10s)",
        "expected a whole number, found \"x\" (such as 3)",
        "a step has no \"bodyy\" (did you mean \"body\"?)",
      ])
  }

  @Test(arguments: [
    "a GET http://a/\nGET http://a/{$a.body.id}", "let a =\nGET http://a/{$a}",
    "GET http://a/ retry x\nGET http://a/{$1.body.x}",
    "profle api { base http://a }\nGET /x", "profile api { bse http://a }\nGET /x", "sequence s() {\nGET http://a/{$b}",
    "for $i in [1] {\n  a: GET\n}\nGET http://a/{$a[0].body.id}", "use \"other.wb\nrun upload()",
    "sequence up(a { GET http://a/{$a} }\nrun up(a: 1)",
  ])
  func `one error of the syntax makes no others`(script: String) {
    #expect(messages(script).count == 1, "\(messages(script))")
  }

  @Test(arguments: [
    "GET http://other.test/?x={$g.body.access_token | upper}", "GET http://other.test/ header X: $g.body.access_token",
    "POST http://other.test/ json $g.body", "POST http://other.test/ json { all: $g.body }",
    "GET http://other.test/{$g.body.access_token.part}", "POST http://other.test/ text ($g.text | upper)",
    "POST http://other.test/ body $g.bytes",
  ])
  func `the source of a secret is secret wherever it is read, before anything is sent`(step: String) {
    let script = """
      profile api { base https://api.test }
      g: GET https://api.test/token
      \(step)
      secret at = $g.body.access_token for api
      """
    #expect(messages(script).count == 1)
    #expect(
      messages(script)[0].hasPrefix("the secret $at may go to https://api.test only, and this goes to http://other"))
    let beside = script.replacing("access_token | upper", with: "name").replacing("$g.body }", with: "$g.body.a }")
    if step.contains("token | upper") || step.contains("all:") { #expect(messages(beside).isEmpty) }
  }

  @Test(arguments: [
    (
      "allocate: GET http://a/\nupload: POST $alocate.body.url",
      "step \"upload\" uses $alocate, which names nothing (did you mean $allocate?)"
    ),
    (
      "a: GET $b.body.url\nb: GET http://a/",
      "step \"a\" uses $b before it runs ($b comes later; move it up, or move this down)"
    ),
    ("a: GET $a.body.url", "step \"a\" uses its own response (only a step with repeat has a previous round)"),
    ("GET http://a/{$2.status}", "there is no $2 here (no request is written before it)"),
    (
      "GET http://a/\nrun s()\nsequence s() { GET http://a/{$1.status} }",
      "there is no $1 here (no request is written before it in sequence \"s\"; of a response outside, pass what is needed)"
    ),
    ("GET http://a/{$_.status}", "$_ is the last exchange at the prompt; a script names its steps"),
    (
      "a: GET http://a/\na: GET http://b/",
      "there is already a step \"a\" (a name has one meaning in a sequence; choose another)"
    ),
    ("let a = 1\nlet a = 2", "there is already a name \"a\" (a name has one meaning in a sequence; choose another)"),
    ("run nope()", "there is no sequence \"nope\""),
    ("sequence upload() { GET http://a/ }\nrun uplaod()", "there is no sequence \"uplaod\" (did you mean upload?)"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s()", "sequence \"s\" needs a value for \"a\" (add a: …)"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(b: 1)", "sequence \"s\" has no parameter \"b\" (available: a)"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(1, a: 2)", "\"a\" is given twice"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(1, 2)", "sequence \"s\" takes 1 argument"),
    (
      "sequence s(a: integer) { GET http://a/{$a} }",
      "\"integer\" is not a type (types are any, string, int, number, bool, url, datetime, object, array, file, duration)"
    ),
    ("let a = 1 | cuont", "there is no function \"cuont\" (did you mean count?)"),
    ("let a = [1] | length", "there is no function \"length\" (count does that: [1, 2] | count)"),
    ("let a = count(1)", "count takes its input through a pipe (write … | count)"),
    ("let a = 1 | uuid", "uuid takes no input (write uuid(…) on its own)"),
    ("let a = \"x\" | replace(\"y\")", "replace takes 2 arguments"),
    ("let a = \"x\" matches '('", "the regular expression is not valid"),
    (
      "let a = command(\"ls\")", "a script never runs a program (command(…) is for the prompt and your own profiles.wb)"
    ),
    ("GET api:/x", "there is no profile \"api\""),
    (
      "profile api { base http://a }\nGET http://a/ with profile apo", "there is no profile \"apo\" (did you mean api?)"
    ),
    (
      "GET /x", "a path needs a profile with a base (declare one: profile api { base https://… }, or write a whole URL)"
    ),
    ("profile a { base http://a }\nprofile b { base http://b }\nGET /x", "2 profiles have a base (say which: a:/…)"),
    ("profile a { base htp://a }", "\"htp://a\" is not a base (it begins with http:// or https://)"),
    (
      "profile a { base $1.status }",
      "a profile cannot read $1, which needs a response (a secret may: secret name = … for profile)"
    ),
    ("GET http://a/ name=x", "a GET has no body (for the query, write name==…)"),
    ("POST http://a/ json {} text \"x\"", "a request has one body (there is another above)"),
    ("POST http://a/ a=1 json {}", "a request has one body (there is another above)"),
    (
      "GET x/y",
      "\"x/y\" is not a target (a path begins with /: /x/y; a URL with https://)"
    ),
    ("GET example.com/x", "\"example.com/x\" does not say how to reach it (write https://example.com/x)"),
    ("GET localhost:80/x", "\"localhost:80/x\" does not say how to reach it (write http://localhost:80/x)"),
    (
      "profile a { origin http://x }\nGET a:/y",
      "profile \"a\" has no base that /y could be appended to (add base http://x to the profile)"
    ),
    (
      "profile a { origin https://*.x.test }\nprofile b { origin https://*.x.test }\nGET https://s.x.test/",
      "profiles \"a\" and \"b\" both match https://s.x.test (choose one: with profile a, or with profile b)"
    ),
    (
      "profile a { base https://a.test }\nsecret s = \"{secret}\" for a\nGET https://b.test/?q={$s | base64}",
      "the secret $s may go to https://a.test only, and this goes to https://b.test (remove it, or declare it for a profile of that host)"
    ),
    (
      "profile a { base https://a.test auth bearer $env.T }\nPOST https://b.test/ json { t: $env.T }",
      "the secret $env.T may go to https://a.test only, and this goes to https://b.test (remove it, or declare it for a profile of that host)"
    ),
    (
      "profile a { base https://a.test auth bearer $t }\nsequence s() { GET a:/ }\nrun s()\nsecret t = \"{secret}\" for a",
      "profile \"a\" needs $t, which is set later (move this below secret t = …)"
    ),
    ("GET http://a/ timeout 1s timeout 2s", "timeout appears here twice (remove one of them)"),
    ("profile a { base http://a base http://b }", "base appears here twice (remove one of them)"),
    ("let env = 1", "\"env\" is reserved"),
    ("let a = \"x\" | split(by: \",\")", "the arguments of split have no names (remove by:)"),
    ("GET http://a/ auth bearer \"a\", \"b\"", "auth bearer takes one token (auth bearer $token)"),
    (
      "let b = \"http://a\"\nGET {$b}/x",
      "a target in braces would be encoded as a single path segment (write the reference without braces, or an expression in parentheses)"
    ),
    (
      "let h = \"a\"\nGET http://{$h}/x",
      "a host cannot be assembled in a target (write the whole URL as a string: \"http://{$host}/…\")"
    ),
    ("GET http://a/ auth basic \"u\"", "auth basic takes a user and a password (auth basic user, password)"),
    ("a: GET http://a/\nlet b = $a.body[?@.x = 1]", "the filter is not valid"),
    ("a: GET http://a/\nlet b = $a.body[?@.x == $aa]", "there is no $aa (did you mean $a?)"),
    ("for $x in [1] { GET http://a/ }\nGET http://a/{$x}", "this step uses $x, which names nothing"),
    ("use \"x.wb\"", "cannot read \"x.wb\": No such file or directory"),
    (
      "profile a { base http://a proxy p:3128 }",
      "this is not a proxy (such as http://proxy.example.com:3128 or socks5h://127.0.0.1:1080)"
    ),
    ("profile a { base http://a http 3 }", "there is no HTTP \"3\" here (http 1.1 or http 2; without it the server"),
    ("profile a { base http://a resolve a: 1.2.3.4/5 }", "\"1.2.3.4/5\" is not an address for a (such as 127.0.0.1,"),
    (
      "profile a { base http://a tls { cas: \"x\" } }",
      "tls has no \"cas\" (it has ca, cert, key, passphrase, minimum, insecure)"
    ),
    ("profile a { base http://a tls { minimum: \"1.1\" } }", "TLS \"1.1\" cannot be the minimum"),
    ("profile a { base http://a tls { key: \"x\" } }", "a key without a certificate proves nothing"),
    ("profile a { base http://a tls { passphrase: $env.P } }", "a passphrase without a certificate opens nothing"),
    ("profile a { base http://a tls { passphrase: [] } }", "a passphrase without a certificate opens nothing"),
    (
      "profile a { base http://a tls { cert: $env.C, passphrase: $env.P } }\nGET http://b.test/{$env.P}",
      "the secret $env.P may go nowhere, and this goes to http://b.test (it opens a key on this machine)"
    ),
    (
      "profile a { base http://a tls { ca: \"gone.pem\" } }",
      "cannot read \"gone.pem\": No such file or directory (relative paths start from the directory of the file"
    ),
    ("profile a { base http://a tls { insecure: 1 } }", "expected true or false, found a number"),
  ])
  func `a mistake is found before anything is sent`(script: String, message: String) {
    let found = messages(script.replacing("{secret}", with: Canary.secret("checked")))
    #expect(found.first?.hasPrefix(message) == true)
    #expect(!found.joined().contains(Canary.secret("checked")))
  }

  @Test(arguments: [
    ("GET http://a/?x={file(\"a\")}", "expected text, a number, or true or false, found a file (a file has"),
    ("let f = file(\"a\")\nGET http://a/ header X: $f", "expected text, a number, or true or false, found a file"),
    ("sequence s(f: file) { GET http://a/{$f} }", "expected text, a number, or true or false, found a file"),
    ("a: GET http://a/\nGET http://a/{$a}", "expected text, a number, or true or false, found a step (a step has"),
    ("GET http://a/ json { a: [file(\"x\")] }", "expected a JSON value, found a file"),
    ("GET http://a/ json { a: 1 as \"x\" }", "as and named belong to the parts of a multipart body"),
    ("GET http://a/ form \"a=1\"", "expected an object, found a string (write { name: value }, or … | parse-json)"),
    ("GET http://a/ form { a: file(\"x\") }", "expected text, a number, or true or false, found a file"),
    ("GET http://a/ multipart { a: { b: 1 } }", "expected text or a file, found an object (… | json makes it text"),
    (
      "GET http://a/ multipart { ...{ a: \"1\" }, a: null }",
      "expected text or a file, found null (leave the field out; one of a spread: ...$fields | without(\"name\"))"
    ),
    ("GET http://a/ body { a: 1 }", "expected a file, bytes or text, found an object (for JSON, write json …)"),
    (
      "GET http://a/ text [1]",
      "expected text, a number, or true or false, found an array (… | first takes its first; … | join"
    ),
    ("GET http://a/ timeout 10", "expected a duration such as 10s, found a number (add a unit: 500ms, 10s)"),
    ("GET http://a/ repeat every \"1s\" until true", "expected a duration such as 10s, found a string (write it"),
    ("GET http://a/ timeout 0s", "a time limit must be more than 0s (write one such as 10s)"),
    ("GET http://a/ timeout (-3s)", "a time limit must be more than 0s (write one such as 10s)"),
    ("profile p { base http://a timeout 0.0ms }", "a time limit must be more than 0s (write one such as 10s)"),
    ("GET http://a/ repeat every (-1s) until true", "a duration is not negative (write one such as 10s)"),
    ("GET http://a/ limit 0MB", "a size must be at least 1B (write one such as 64GiB)"),
    ("GET http://a/ when 1", "expected true or false, found a number (compare it: … == …)"),
    ("GET http://a/ expect status", "expected true or false, found a number"),
    ("GET http://a/ expect not body.x and text", "expected true or false, found a string"),
    ("let a = 1 + \"b\"", "+ adds numbers (texts are joined in a string: \"{$a}{$b}\")"),
    ("let a = \"1\" * 2", "expected a number, found a string (… | to-number makes it a number)"),
    ("let a = 1 < \"b\"", "a number and a string cannot be ordered"),
    ("let a = 10s < 5", "a duration and a number cannot be ordered"),
    ("let a = 1 | first", "first takes an array, found a number"),
    ("let a = \"a\" | chunks(5MB)", "chunks takes a file, found a string"),
    ("let a = file(\"x\") | upper", "upper takes text, a number, or true or false, found a file"),
    (
      "let a = \"{{ a: 1 }}\"\nlet b = \"{$a | split(\",\")}\"",
      "expected text, a number, or true or false, found an array"
    ),
    (
      "sequence s(f: file) { PUT http://a/ body $f }\nrun s(\"a.png\")",
      "parameter \"f\" is a file, not a string (write file"
    ),
    (
      "sequence s(n: int = \"1\") { GET http://a/{$n} }",
      "parameter \"n\" is an int, not a string (write it without quotes)"
    ),
    ("GET (file(\"x\"))", "expected text, a number, or true or false, found a file"),
    (
      "secret s = 10s for p\nprofile p { base http://a }",
      "expected text, a number, or true or false, found a duration"
    ),
    ("run s() expect 200\nsequence s() { GET http://a/ }", "expect cannot follow run"),
  ])
  func `values that cannot fit are found by their type`(script: String, message: String) {
    #expect(messages(script).first?.hasPrefix(message) == true, "\(messages(script))")
  }

  @Test func `paths that a recorded response did not have cause a warning`() throws {
    let head = RequestHead(.get, .url("http://a/"))
    let exchange = Exchange.make(
      .inMemory(.init(head)), .make(200, json: "{\"snapshot\": {\"upload_url\": 1}}"), number: 0)
    var program = Program()
    program.recorded = RecordedResponses { sequence, label in sequence == "up" && label == "a" ? exchange : nil }
    let found = program.add(
      Parser.parse(
        SourceText(
          name: "test.wb",
          text: """
            sequence up() {
              a: GET http://a/
              GET http://b/{$a.body.snapshot.upload_url}/{$a.body.snapshot.url}
              GET http://b/{$a.body.uid ?? 1}/{$a.headers.etag}
            }
            a: GET http://a/
            GET http://b/{$a.body.x}
            """)))
    #expect(
      found.map(\.message) == [
        "in the recorded run, $a.body.snapshot has no \"url\"", "in the recorded run, $a.headers has no \"etag\"",
      ])
    #expect(found.allSatisfy { $0.severity == .warning })
    #expect(found.first?.label == "did you mean \"upload_url\"?")
  }

  /// In a file the name would be declared twice.
  @Test func `at the prompt a label may hide the loop's name, which is said`() {
    var program = Program(isPrompt: true)
    let text = "for $o in [1] { o: GET https://x.test/{$o} }"
    let found = program.add(Parser.parse(SourceText(name: "<input 1>", text: text)))
    #expect(found.map(\.message) == ["step \"o\" uses its own response"])
    #expect(found.first?.label == "its label hides the other $o; give the step another")
  }

  @Test func `what a step's own credential is given is a secret, and no plain text`() {
    for script in ["GET http://a/ auth bearer $env.API_TOKEN", "GET http://a/ auth basic \"ann\", $env.PASSWORD"] {
      #expect(messages(script, .warning) == [] && messages(script) == [])
    }
  }

  @Test func `a quoted path needs a profile, as one without quotes does`() {
    let profiles = "profile a { base http://a.test }\nprofile b { base http://b.test }\nlet x = 1\n"
    for path in ["/items/{$x}", "\"/items/{$x}\"", "\"/items\""] {
      #expect(messages(profiles + "GET \(path)").first?.contains("2 profiles have a base") == true)
      #expect(messages(profiles + "GET \(path) with profile b") == [])
    }
    #expect(messages(profiles + "let s = \"s\"\nGET \"http{$s}://a.test/\"") == [])
  }

  @Test func `all mistakes are found`() {
    #expect(messages("a: GET $b.x\nGET api:/x json $c\nrun d()").count == 4)
  }

  @Test(
    arguments: [
      ("sequence s(a, b) { GET http://a/{$a} }", "sequence \"s\" never uses \"b\" (use $b, or remove it)"),
      ("GET http://a/ json {}", "a GET with a body is understood by few servers (did you mean POST?)"),
      (
        "profile p { header X: 1 }\nGET http://a/",
        "profile \"p\" has neither base nor origin, so no request goes to it (add base https://…)"
      ),
      (
        "GET http://a/{$env.API_TOKEN}",
        "$env.API_TOKEN looks like a secret: it is hidden, but may go anywhere (secret name = $env.API_TOKEN for profile)"
      ),
    ])
  func `anything odd is a warning`(script: String, message: String) {
    #expect(messages(script) == [])
    #expect(messages(script, .warning) == [message])
  }

  @Test(arguments: [
    ("GTE", "GET"), ("GETT", "GET"), ("PSOT", "POST"), ("PUTT", "PUT"), ("PTU", "PUT"), ("PATHC", "PATCH"),
    ("DELTE", "DELETE"), ("DELEET", "DELETE"), ("HAED", "HEAD"), ("OPTOINS", "OPTIONS"), ("QEURY", "QUERY"),
    ("TRACES", "TRACE"), ("CONECT", "CONNECT"), ("PROPFNID", "PROPFIND"), ("MKCL", "MKCOL"),
  ])
  func `a method that looks misspelled is a warning`(method: String, meant: String) {
    #expect(messages("\(method) http://a/") == [])
    #expect(
      messages("\(method) http://a/", .warning) == [
        "\(method) is not a common method (did you mean \(meant)? it is sent as written)"
      ])
  }

  @Test(arguments: [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY", "PROPFIND", "PROPPATCH",
    "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "M-SEARCH", "LINK", "BIND", "UNBIND", "NOTIFY",
    "PURGE", "BAN", "LIST", "TEST", "PUSH", "PULL", "FETCH", "VIEW", "SUBSCRIBE", "X", "FROBNICATE",
  ])
  func `a common method, and one that resembles none, is not a warning`(method: String) {
    #expect(messages("\(method) http://a/") == [])
    #expect(messages("\(method) http://a/", .warning) == [])
  }

  @Test(arguments: [
    "profile p { base http://a\n auth bearer $env.TOKEN }\nGET /x json { t: $env.OTHER } expect 2xx",
    "sequence s(a: file = file(\"x\")) { one: PUT http://a/ body $a\n run s(a: $a) when $one.status == 200 }",
    "p: GET ($p.body.next ?? \"http://a/\") repeat until body.next ?? null == null\nlet ids = $p.rounds[*].body.id | unique",
    "let a = 1\nsequence s() { GET http://a/{$a} }\nrun s()",
    "for $x in [1] parallel 2 { a: GET http://a/{$x}\n let b = $a.status }\nGET http://a/ json [$a[*].status, $b]",
    "parallel { a: GET http://a/\n b: GET http://a/ }\nGET http://a/{$a.status}/{$b.status}",
    "GET http://a/\nfinally { GET http://a/{$1.status} }",
    "x: run s()\nsequence s() { a: GET http://a/\n let id = $a.body.id }\nGET http://b/{$x.id}",
  ])
  func `correct scripts pass`(script: String) {
    #expect(messages(script) == [])
    #expect(messages(script, .warning).filter { !$0.contains("body") } == [])
  }
}
