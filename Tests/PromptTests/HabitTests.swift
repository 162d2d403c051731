import Canaries
import Formats
import HTTPTypes
import Presentation
import RequestSyntax
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

@Suite struct HabitTests {
  @Test(arguments: [
    ("get /items", "GET /items"), ("https://a.example/x?y=1", "GET https://a.example/x?y=1"), ("/items", "GET /items"),
    ("/items a=1", "POST /items a=1"), ("/items q==1 X-A:b", "GET /items q==1 X-A:b"),
    ("/items expect 200", "GET /items\n  expect 200"),
    ("post https://a.example name=x", "POST https://a.example name=x"),
    // A URL without a method, as HTTPie takes it.
    ("https://a.example name=x q==1", "POST https://a.example name=x q==1"),
    ("https://a.example q==1 X-A:b", "GET https://a.example q==1 X-A:b"),
    ("https://a.example {\"a\": 1}", "POST https://a.example\n  json { \"a\": 1 }"),
    ("localhost:8080/x", "GET http://localhost:8080/x"), ("127.0.0.1:8080 a=1", "POST http://127.0.0.1:8080 a=1"),
    ("GET localhost:8080/x", "GET http://localhost:8080/x"), ("api:/items", "GET api:/items"),
    ("c: /items", "c: GET /items"), ("d: http://a.example/x a==1", "d: GET http://a.example/x a==1"),
    ("e: :8080/x a=1", "e: POST http://localhost:8080/x a=1"), ("Referer: https://a.example", nil),
    // Bodies and files in the syntax of other tools.
    ("POST /x {\"a\": 1}", "POST /x\n  json { \"a\": 1 }"), ("put $1.body.url [1]", "PUT $1.body.url\n  json [1]"),
    ("POST /x {\n  \"a\": 1\n}", "POST /x\n  json { \"a\": 1 }"),
    ("POST /x {\"a\": 1}  # why\n  expect 201", "POST /x\n  json { \"a\": 1 }  # why\n  expect 201"),
    ("GET /x Accept: text/plain", "GET /x\n  header Accept: text/plain"),
    ("GET /x Accept: text/html, */*", "GET /x\n  header Accept: \"text/html, */*\""),
    ("GET /x Cookie: sid=abc; b=def", "GET /x\n  header Cookie: \"sid=abc; b=def\""),
    ("GET /x Accept-Language: en-US,en; q=0.9", "GET /x\n  header Accept-Language: \"en-US,en; q=0.9\""),
    ("GET /x Authorization: Bearer a-token-of-ours", "GET /x\n  auth bearer \"a-token-of-ours\""),
    (
      "GET https://a.example Authorization: Basic YW5uOmI=",
      "GET https://a.example\n  header Authorization: \"Basic YW5uOmI=\""
    ),
    ("/x X-A:b {\"a\": 1}", "POST /x X-A:b\n  json { \"a\": 1 }"),
    ("PUT /x @a.png X-A:1", "PUT /x X-A:1\n  body file(\"a.png\")"),
    ("PUT /x < a.png q==1  # why\n  expect 2xx", "PUT /x q==1\n  body file(\"a.png\")  # why\n  expect 2xx"),
    ("POST /x {\"a\":1} X-A:1 timeout 3s", "POST /x X-A:1\n  json { \"a\": 1 }\n  timeout 3s"),
    (
      "POST /x '{\"a\":1}' q==1 -H 'A: b'",
      """
      POST /x q==1
        header A: "b"
        body '{"a":1}' as "application/json"
      """
    ),
    ("GET /x q==1 > a.json X-A:1", "GET /x q==1 X-A:1\n  save body to \"a.json\""),
    ("/x q==1 < a.png", "POST /x q==1\n  body file(\"a.png\")"),
    ("POST /x @a.png", "POST /x\n  body file(\"a.png\")"), ("PUT /x < a.png", "PUT /x\n  body file(\"a.png\")"),
    ("GET https://a.example/x > out.json", "GET https://a.example/x\n  save body to \"out.json\""),
    (
      "POST https://a.example -H 'A: b' -d '{\"a\":1}' -H 'Content-Type: application/json'",
      "POST https://a.example\n  json { a: 1 }\n  header A: \"b\""
    ),
    // A raw HTTP request.
    ("GET /x HTTP/1.1", "GET /x"),
    (
      "GET /x?a=1 HTTP/1.1\r\nHost: a.example\r\nAccept: text/plain\r\nConnection: close\r\n\r\n",
      "GET https://a.example/x?a=1\n  header Accept: \"text/plain\""
    ),
    (
      "POST /x HTTP/1.1\nHost: localhost:8080\nContent-Type: application/json\nAuthorization: Bearer t\n\n{\"a\":1}",
      "POST http://localhost:8080/x\n  json { a: 1 }\n  auth bearer \"t\""
    ),
    // HTTPie.
    ("http a.example/x", "GET http://a.example/x\n  redirects none"), ("http /items", "GET /items\n  redirects none"),
    (
      "https POST a.example/x name=ann age:=3 q==1 X-A:b",
      "POST https://a.example/x name=ann age:=3 q==1 X-A:b\n  redirects none"
    ),
    ("http a.example name='ann lee'", "POST http://a.example name=\"ann lee\"\n  redirects none"),
    ("http :5000/x", "GET http://localhost:5000/x\n  redirects none"),
    ("http :/x", "GET http://localhost/x\n  redirects none"),
    ("http -f put a.example a=1 f@x.png", "PUT http://a.example multipart a=1 f@x.png\n  redirects none"),
    (
      "http -v -a ann:pw --timeout 3 a.example",
      "GET http://a.example\n  timeout 3s\n  auth basic \"ann\", \"pw\"\n  redirects none"
    ),
    ("http -A bearer -a tok a.example", "GET http://a.example\n  auth bearer \"tok\"\n  redirects none"),
    ("http -A digest -a ann:pw a.example", "GET http://a.example\n  auth digest \"ann\", \"pw\"\n  redirects none"),
    (
      "xh --auth=ann:pw --auth-type=digest a.example",
      "GET http://a.example\n  auth digest \"ann\", \"pw\"\n  redirects none"
    ),
    ("http --follow --max-redirects=1 a.example", "GET http://a.example\n  redirects 1"),
    ("http --max-redirects 0 a.example", "GET http://a.example\n  redirects none"),
    ("http --print=hb -p h a.example", "GET http://a.example\n  redirects none"),
    ("http a.example | jq .id", "GET http://a.example\n  redirects none  # without: | jq .id"),
    (
      "http -f POST a.example file@p;type=image/png 'a[]=1'",
      "POST http://a.example\n  multipart { file: file(\"p\") as \"image/png\", \"a[]\": \"1\" }\n  redirects none"
    ),
    ("http a.example X-E; a=1", "POST http://a.example\n  header X-E: \"\"\n  json { a: \"1\" }\n  redirects none"),
    ("http a.example a=1;", "POST http://a.example a=1\n  redirects none"),
    (
      "curl -F file=@p;type=image/png https://a.example",
      "POST https://a.example\n  multipart { file: file(\"p\") as \"image/png\" }\n  redirects none"
    ),
    (
      "GET localhost:8080/x?a=1&b=2 -H 'A: b'", "GET http://localhost:8080/x?a=1&b=2\n  header A: \"b\""
    ),
    ("http a.example > x.json", "GET http://a.example\n  save body to \"x.json\"\n  redirects none"),
    ("http a.example >'x y.json' 2>&1", "GET http://a.example\n  save body to \"x y.json\"\n  redirects none"),
    ("http a.example >/dev/null", "GET http://a.example\n  redirects none"),
    ("http POST a.example <x", "POST http://a.example\n  body file(\"x\")\n  redirects none"),
    ("http a.example 2>/dev/null | jq .id", "GET http://a.example\n  redirects none  # without: | jq .id"),
    ("http -do f.zip a.example/x", "GET http://a.example/x\n  save body to \"f.zip\""),
    ("http -fvdof.zip POST a.example/x a=1", "POST http://a.example/x form a=1\n  save body to \"f.zip\""),
    ("http -vA bearer -atok a.example", "GET http://a.example\n  auth bearer \"tok\"\n  redirects none"),
    ("http -d a.example/f.zip", "GET http://a.example/f.zip\n  save body to \"f.zip\""),
    ("http a.example @a.png", "POST http://a.example\n  body file(\"a.png\")\n  redirects none"),
    ("http PUT a.example < a.png", "PUT http://a.example\n  body file(\"a.png\")\n  redirects none"),
    (
      "http a.example a:=@x.json b=@y.txt",
      "POST http://a.example a:=file(\"x.json\").json b=file(\"y.txt\").text\n  redirects none"
    ),
    ("curl https://a.example", "GET https://a.example\n  redirects none"),
    ("curl https://a.example ;", "GET https://a.example\n  redirects none"),
    ("curl -4 -w x https://a.example", "GET https://a.example\n  redirects none  # without: --ipv4"),
    ("$ curl -L https://a.example", "GET https://a.example"),
    ("wget https://a.example", "GET https://a.example"), ("wget -qO- https://a.example", "GET https://a.example"),
  ]) func `what is meant is done`(input: String, statement: String?) {
    #expect(meaning(of: input) == statement)
  }

  private func meaning(of input: String) -> String? {
    switch HabitualInput(input) {
    case .foreign(.script(let meaning))?: String(SyntaxPrinter.print(meaning.script).dropLast())
    case .foreign(.hint), .foreign(.open), .command, .hint, nil: nil
    }
  }

  @Test(arguments: ["POST /x {", "GET \"https://a.example/a b\" [", "https://a.example [1,", "POST /x {\n  \"a\": 1,"])
  func `an open body continues on the next line`(input: String) {
    #expect(HabitualInput(input) == .foreign(.open))
  }

  @Test func `a shell's variables in a curl line are those of the environment`() async {
    let secret = Canary.secret("curl-of-environment")
    let session = PromptSession(
      environment: ["API_TOKEN": secret, "ID": "7"], answers: [.json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      #"curl -H "Authorization: Bearer $API_TOKEN" "https://a.example/x/$ID?y=${ID}""#,
      "curl https://a.example/$(date)",
      "curl https://a.example/$NOBODY",
    ])
    #expect(outcome.requests.map(\.url) == ["https://a.example/x/7?y=7"], "\(outcome.screen)")
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer \(secret)")
    #expect(outcome.screen.contains("is for a shell to replace") && !outcome.screen.contains(secret))
    #expect(outcome.screen.contains("the environment has no \"NOBODY\""), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl $1.body.url", "GET https://a.example/got"),
    ("curl \"https://a.example/x?q=$_.body.id\"", "GET https://a.example/x?q=7"),
    ("curl a.example/$first.body.id", "GET http://a.example/7"),
    ("curl https://a.example/x -d \"id=$1.body.id\"", "POST https://a.example/x id=7"),
    ("curl https://a.example/x -d \"{\\\"id\\\": {$1.body.id}}\"", "POST https://a.example/x {\"id\": 7}"),
    (
      "curl https://a.example/x -F \"f=$1.body.name\"",
      "POST https://a.example/x --boundary\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\na b\r\n--boundary--\r\n"
    ),
    ("http $1.body.url", "GET https://a.example/got"),
    ("http https://a.example/x q==$1.body.id", "GET https://a.example/x?q=7"),
    (
      "http https://a.example/x id:=$1.body.id \"name=$1.body.name\"",
      "POST https://a.example/x {\"id\":7,\"name\":\"a b\"}"
    ),
    ("http -f https://a.example/x \"n={$1.body.name}!\"", "POST https://a.example/x n=a+b%21"),
    ("http POST https://a.example/x --raw \"$1.body.name\"", "POST https://a.example/x a b"),
    // Around a variable, a shell keeps them, and curl does not in a URL.
    ("curl https://a.example/x -d \"{$oid}\"", "POST https://a.example/x {12}"),
    ("http $BASE/x", "GET https://a.example/x"), ("http {$BASE}/x", "GET https://a.example/x"),
    ("http https://a.example/{$oid}", "GET https://a.example/12"),
    ("curl \"https://a.example/{$oid}?a={$BASE}\"", "GET https://a.example/12?a=https://a.example"),
  ])
  func `a line for curl or HTTPie refers to responses, and to names of the session`(line: String, sent: String) async {
    let session = PromptSession(answers: [
      .json("{\"id\": 7, \"name\": \"a b\", \"url\": \"https://a.example/got\"}"), .json("{}"),
    ])
    let outcome = await session.pipe([
      "let BASE = \"https://a.example\"", "let oid = 12", "first: GET https://a.example/", line,
    ])
    let request = outcome.requests.last
    let body = (request?.body ?? []).map { segment in
      if case .bytes(let bytes) = segment { String(decoding: bytes, as: UTF8.self) } else { "" }
    }.joined()
    let words = ["\(request?.method.rawValue ?? "")", request?.url ?? "", body].filter { !$0.isEmpty }
    #expect(outcome.requests.count == 2 && words.joined(separator: " ") == sent, "\(outcome.screen)")
  }

  @Test(arguments: ["curl http://other.example/ -d \"t=$1.body.echo\"", "http http://other.example/ t=$1.body.echo"])
  func `a secret does not go to another origin so`(line: String) async {
    let secret = Canary.secret("reference-in-curl")
    let session = PromptSession(
      environment: ["TOKEN": secret], answers: [.json("{\"echo\": \"\(secret)\"}"), .json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example auth bearer $env.TOKEN }", "GET https://a.example/", line,
    ])
    #expect(outcome.requests.count == 1 && !outcome.screen.contains(secret), "\(outcome.screen)")
    #expect(outcome.screen.contains("https://a.example"), "\(outcome.screen)")
  }

  @Test(arguments: [
    (#"POST /x {"a":1}"#, "POST https://a.example/x"), ("PUT /x -d a=1", "PUT https://a.example/x"),
    ("GET /x > o.json", "GET https://a.example/x"),
    ("GET /x Accept: text/plain", "GET https://a.example/x"),
    ("curl https://a.example/y?z=1", "GET https://a.example/y?z=1"),
  ])
  func `a label changes nothing of what is understood`(line: String, request: String) async {
    let session = PromptSession(answers: [.json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", ":profile a", "made: \(line)", "$made.status",
    ])
    #expect(outcome.requests.map { "\($0.method) \($0.url)" } == [request], "\(outcome.screen)")
    #expect(outcome.screen.contains("200\n"), "\(outcome.screen)")
  }

  @Test(arguments: ["PUT /x @a.txt", "PUT /x < a.txt"])
  func `a file is the body after a label, too`(line: String) async {
    let outcome = await PromptSession().pipe([":explain made: \(line)", "made: \(line)"])
    #expect(outcome.screen.contains("made: PUT /x\n  body file(\"a.txt\")"), "\(outcome.screen)")
  }

  @Test func `what a path has of a response is its value, and other texts with a $ are as they are, or not sent`() async
  {
    let outcome = await PromptSession(answers: (7...12).map { .json("{\"id\": \"a/\($0)\"}") }).pipe([
      "x: GET https://a.example/x", "GET https://a.example/x/$1.body.id/y", "GET https://a.example/x?of=$_.body.id&n=1",
      "GET https://a.example/$metadata.x/$9.99/$_", "GET https://a.example/x/$x.body.id", "GET https://a.example/x/$x",
      "GET https://a.example/x?$x.body.id=1",
      // The rounds of a step have numbers, too.
      "GET https://a.example/x/$22.body.id",
    ])
    #expect(outcome.screen.contains("GET https://a.example/x/{$1.body.id}/y\n"), "\(outcome.screen)")
    for (written, meant) in [("$x", "$x.body.…"), ("$x.body.id", "$x.body.id"), ("$22.body.id", "$22.body.id")] {
      #expect(outcome.screen.ranges(of: "\(written) is a text here").count == 1, "\(outcome.screen)")
      #expect(outcome.screen.contains("for its value: {\(meant)}"), "\(outcome.screen)")
    }
    let paths = ["x", "x/a%2F7/y", "x?of=a%2F8&n=1", "$metadata.x/$9.99/$_", "x/a%2F7"]
    #expect(outcome.requests.map(\.url) == paths.map { "https://a.example/\($0)" }, "\(outcome.screen)")
  }

  @Test func `{{name}} is a name of the session, and a path goes where a profile says`() async {
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}")]).pipe([
      "let base = \"https://a.example\"", "let id = 7", "GET {{base}}/get", "profile api { base https://b.example/v1 }",
      "GET /orders/{{id}}",
    ])
    #expect(
      outcome.requests.map { "\($0.url)" } == [
        "https://a.example/get", "https://b.example/v1/orders/7",
      ], "\(outcome.screen)")
  }

  @Test func `a file that is run at the prompt is sent as it is by run`() async {
    var session = PromptSession(answers: [.json("{}")])
    session.files["f.wb"] = Array("let id = 7\nGET https://a.example/x/$id\n".utf8)
    let outcome = await session.pipe([":run f.wb"])
    #expect(outcome.requests.map { "\($0.url)" } == ["https://a.example/x/$id"], "\(outcome.screen)")
    #expect(outcome.screen.contains("warning: $id is sent as it is written\n"), "\(outcome.screen)")
  }

  @Test func `a member of a page says how a page is read`() async {
    let page = Response(
      status: .ok, headers: [.contentType: "text/html"], body: ResponseBody(Array("<title>x</title>".utf8)))
    let outcome = await PromptSession(answers: [page]).pipe(["GET https://a.example/login", "$1.body.csrf"])
    #expect(
      outcome.screen.contains("a page is read with xpath: $1.text | xpath(\"string(//title)\")"), "\(outcome.screen)")
  }

  @Test func `a variable of a shell is a name here`() async {
    let outcome = await PromptSession(answers: []).pipe(["export SHOP=https://a.example"])
    #expect(outcome.screen.contains("let SHOP = \"https://a.example\"\n"), "\(outcome.screen)")
  }

  @Test(arguments: ["/x/{'$id'}", "/x X:'$id'", "/x\n  header X: '$id'"])
  func `what is in single quotes is sent as it is, without a word`(rest: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(["let id = 7", "GET https://a.example\(rest)"])
    #expect(outcome.requests.count == 1 && !outcome.screen.contains("warning"), "\(outcome.screen)")
  }

  /// As in a shell, and in a pasted line for curl.
  @Test(arguments: [
    ("X:\"id $id.html\"", "id 7.html"), ("X:\"$u.body.id.\"", "9."), ("X:\"$1.body.id/$_.status\"", "9/200"),
    ("\n  header X: \"$env.HOME_OF_ANN:$5.00\"", "/home/ann:$5.00"), ("X:\"$nobody $u\"", "$nobody $u"),
    ("X:'$id'", "$id"), ("auth bearer \"$id$id\"", "Bearer 77"),
  ])
  func `a name in double quotes is its value`(item: String, sent: String) async {
    let session = PromptSession(
      environment: ["HOME_OF_ANN": "/home/ann"], answers: [.json(#"{"id": 9}"#), .json("{}")])
    let outcome = await session.pipe(["let id = 7", "u: GET https://a.example/u", "GET https://a.example/x \(item)"])
    let headers = outcome.requests.last?.headers
    #expect((headers?[.init("X")!] ?? headers?[.authorization]) == sent, "\(outcome.screen)")
  }

  @Test(arguments: [
    "graphql \"query One($id: ID!) { order(id: $id) { total } }\"", "query=\"mutation($id: ID!) { drop(id: $id) }\"",
    "query=\"{ order(id: $id) { total } }\"",
  ])
  func `a variable of GraphQL is none of the session`(body: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "let id = 7", "POST https://a.example/graphql \(body)",
    ])
    let bytes = (outcome.requests.last?.body ?? []).flatMap { segment in
      if case .bytes(let bytes) = segment { bytes } else { [UInt8]() }
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains("(id: $id)"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("csrf=$1.text | regex(\"id\\\": (.)\")", "csrf=9"), ("a=b csrf=$1.body.id | to-string", "a=b&csrf=9"),
    ("csrf=$u.body.name|upper", "csrf=ANN"),
  ])
  func `what is computed at the end of a line needs no parentheses`(items: String, sent: String) async {
    let session = PromptSession(answers: [.json(#"{"id": 9, "name": "ann"}"#), .json("{}")])
    let outcome = await session.pipe(["u: GET https://a.example/u", "POST https://a.example/x form \(items)"])
    let bytes = (outcome.requests.last?.body ?? []).flatMap { segment in
      if case .bytes(let bytes) = segment { bytes } else { [UInt8]() }
    }
    #expect(String(decoding: bytes, as: UTF8.self) == sent, "\(outcome.screen)")
  }

  @Test(arguments: [
    ("https://a.example/a$u.body.id", "{$u.body.id}"), ("https://a.example/$host.html", "{$host}"),
    ("\"https://a.example/$u.body[0].id\"", "\"…{$u.body[0].id}…\""),
  ])
  func `the whole reference is offered in braces`(rest: String, offered: String) async {
    let outcome = await PromptSession(answers: [.json(#"{"id": 7}"#), .json("{}")]).pipe([
      "u: GET https://a.example/x", "let host = \"a\"", "GET \(rest)",
    ])
    #expect(outcome.screen.contains("for its value: \(offered)"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl https://a.example/1\nGET https://a.example/2", ["/1", "/2"]),
    (
      "curl https://a.example/1 \\\n  -H 'A: b'\ncurl https://a.example/2 -d '\n{}'\n:show headers\n/3",
      ["/1", "/2", "/3"]
    ),
    ("GET https://a.example/1\n  header A: b\nhttp a.example/2 a=1", ["/1", "/2"]),
    ("curl https://a.example/1\n-H 'A: b'\n  -d a=1", ["/1"]),
  ])
  func `lines that are pasted together are several`(text: String, paths: [String]) async {
    var session = PromptSession(answers: Array(repeating: .json("{}", headers: [.eTag: "e"]), count: 3))
    session.address = "https://a.example"
    let outcome = await session.pasting(text)
    #expect(outcome.requests.map { "/\($0.url.split(separator: "/").last ?? "")" } == paths, "\(outcome.screen)")
    #expect(outcome.screen.contains("ETag") == text.contains(":show"), "\(outcome.screen)")
    let isWithHeader = outcome.requests.first?.headers[HTTPField.Name("A")!] == "b"
    #expect(isWithHeader == text.contains("A: b"), "\(outcome.screen)")
    let sent = await PromptSession(answers: [.json("1"), .json("2")]).send("http a.example/1\ncurl a.example/2")
    #expect(sent.outcome.requests.count == 2, "\(sent.outcome.screen)")
  }

  @Test(arguments: [
    ("echo '{\"a\":1}' | http POST :8090/x", "http POST :8090/x --raw '{\"a\":1}'"),
    ("cat n.json | http POST :8090/x", "http POST :8090/x < n.json"),
    ("cat n.json | curl :8090/x -d @- -i", "curl :8090/x -i --data-binary @n.json"),
    ("printf 'a=1' | curl :8090/x --data=@-", "curl :8090/x -d 'a=1'"),
    ("echo '{\"a\":1}' | http POST :8090/x | jq '.a | .b'", "http POST :8090/x --raw '{\"a\":1}' | jq '.a | .b'"),
    ("cat n.json | curl :8090/x -d @- | head -3", "curl :8090/x --data-binary @n.json | head -3"),
    ("echo a | jq . | http :8090/x", "^Z leaves for one, and fg comes back"),
  ])
  func `what a shell would give a line for another tool is written into it`(line: String, instead: String) async {
    let outcome = await PromptSession().pipe([line])
    #expect(outcome.screen.hasPrefix("error: there is no shell here\n = \(instead)\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl https://a.example/1 && curl https://a.example/2", ["/1", "/2"]),
    ("curl 'https://a.example/1?a;b'; http a.example/2; curl https://a.example/3", ["/1?a;b", "/2", "/3"]),
    ("curl https://a.example/1 --no-such && curl https://a.example/2", []),
    ("curl https://a.example/1 --no-such; curl https://a.example/2", ["/2"]),
  ])
  func `commands in one line are sent one after another`(line: String, paths: [String]) async {
    let answers = Array(repeating: Response.json("{}"), count: 3)
    let outcome = await PromptSession(answers: answers).pipe([line])
    #expect(
      outcome.requests.map { String($0.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }) } == paths,
      "\(outcome.screen)")
    let sent = await PromptSession(answers: answers).send(line)
    #expect(sent.outcome.requests.count == paths.count, "\(sent.outcome.screen)")
  }

  @Test func `an offline line is explained`() async {
    let outcome = await PromptSession().pipe(["http --offline a.example/x"])
    #expect(outcome.screen.hasPrefix("GET http://a.example/x\n"), "\(outcome.screen)")
    #expect(outcome.requests.isEmpty)
  }

  @Test(arguments: [":print 41 + 1", "1 + 41"])
  func `!! does the line before again, and shows a request that it sends`(line: String) async {
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe(["POST https://a.example/orders a=1", line, "!!"])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "42\n").count == 2, "\(outcome.screen)")
    let again = await session.pipe(["POST https://a.example/orders a=1", "!!"])
    #expect(again.requests.count == 2, "\(again.screen)")
    #expect(again.screen.contains("POST https://a.example/orders a=1\n"), "\(again.screen)")
  }

  @Test(arguments: [
    ("quit", ":quit"), ("exit", ":quit"), ("exit()", ":quit"), ("\\q", ":quit"), ("help", ":help"), ("?", ":help"),
    ("help save", ":help save"), ("$1.body.id", ":print $1.body.id"), ("1 + 1", ":print 1 + 1"),
    ("show $1 headers", ":show $1 headers"), ("diff $1 $2", ":diff $1 $2"), ("history ", ":history "),
    ("headers", ":show headers"), ("status", ":print $_.status"), ("body", ":body "), ("clear", ":clear "),
    ("env", ":vars"), ("file(\"a.json\").json", ":print file(\"a.json\").json"),
    ("cd https://a.example", ":profile https://a.example"), ("echo $1.body", ":print $1.body"),
    ("jq .items[0].id", ":print $_.body.items[0].id"),
    ("jq .", ":print $_.body"), ("source a.wb", ":run a.wb"), ("run a.wb", ":run a.wb"), ("load a.wb", ":load a.wb"),
    ("profile", ":profile "), ("profile api", ":profile api"), ("use api", ":profile api"), ("!!", ":repeat"),
    ("repeat every 2s until body.done", ":repeat every 2s until body.done"), ("set a = 1", ":set a = 1"),
    ("save body to \"a.json\"", ":body > a.json"), ("save a.wb 1..2", ":save a.wb 1..2"),
    ("true and false", ":print true and false"), ("not $1.body.a", ":print not $1.body.a"),
    ("if $1.status == 200 then 1 else 2", ":print if $1.status == 200 then 1 else 2"),
  ]) func `words of other prompts are commands`(input: String, command: String) {
    #expect(HabitualInput(input) == .command(command))
  }

  @Test(arguments: [
    ("{\"a\": 1}", "a body needs a request before it"), ("example.com/x", "a URL needs its scheme here"),
    ("10.0.0.1:8080/x", "a URL needs its scheme here"), ("cd /items", "a profile's base says where /paths go"),
    ("ls", "there is no shell here"), ("!ls", "there is no shell here"), ("cat a.json", "there is no shell here"),
    ("Accept:text/plain", "a header belongs to a request, or to all of a profile"),
    ("name=ann", "a value belongs to a request, or has a name"), ("page==2", "a query belongs to a request"),
    ("export TOKEN=abc", "a value belongs to a request, or has a name"), ("rm -h Accept", "nothing stays set here"),
    ("http -A ntlm -a ann:pw a.example", "-A takes basic, digest or bearer here"),
    ("http -a ann a.example", "http would ask for the password of \"ann\""),
    ("http -x POST a.example a=1", "-x is not understood here"),
    ("http --compress POST a.example a=1", "--compress is not understood here"),
    ("http --max-redirects x a.example", "\"x\" is not a number of redirects"), ("http -v", "this line has no URL"),
    ("http a.example?a=1&b=2", "\"&\" is for a shell"),
    ("jq '.items[] | .id'", "a program takes the last response after |"),
    ("jq -r .a.b", "a program takes the last response after |"),
    ("iwr https://a.example", "this is for PowerShell"), ("fetch(\"https://a.example\", {", "this is JavaScript"),
    ("curl", "paste the whole curl line"), ("http a.example a=1; ls", "\";\" ends a command for a shell"),
    ("http a.example;ls", "\";\" ends a command for a shell"),
    ("POST /x a=1 -d b=2", "the request has two bodies"), ("GET /x -H 'A: b' expect 200", "\"expect\" comes after"),
    ("GET /x -v b=$c", "\"b=$c\" comes after"), ("POST /x json { a: 1 } -f", "the body of this request is not a form"),
    ("-f POST /login a=1", "form comes after the target"),
    ("POST /x -H 'A: b' -d $(date)", "\"$\" is for a shell to replace"),
    ("http a.example 'Authorization:Bearer {$1.body.token}'", "{$1.body.token} would be sent as it is written"),
    ("http a.example 'Authorization:Bearer $1.body.token'", "$1.body.token would be sent as it is written"),
    ("http a.example a==$(date)", "\"$\" is for a shell to replace"),
    ("http a.example --timeout $1.body.id", "\"$1.body.id\" is not a number of seconds"),
    ("http a.example X-A:'{$login.headers.etag}'", "{$login.headers.etag} would be sent as it is written"),
    ("GET /x --no-such", "--no-such is not understood here"),
    ("POST /x a=1 --session=me", "--session is not understood here"), ("GET /x -p Q", "\"Q\" does not name what to"),
    ("auth bearer $env.TOKEN", "a credential belongs to a request, or to all of a profile"),
  ]) func `otherwise there is a hint`(input: String, message: String) {
    let report: ErrorReport
    switch HabitualInput(input) {
    case .hint(let found)?, .foreign(.hint(let found))?: report = found
    case .foreign, .command, nil:
      Issue.record("no hint for \(input)")
      return
    }
    #expect(report.message.hasPrefix(message))
    #expect(!report.notes.isEmpty)
  }

  @Test(arguments: [
    ("POST /x -H 'A: b'", "POST /x\n  header A: \"b\""),
    ("curl -s /login", "GET /login\n  redirects none"), ("curl /a -G -d b=1", "GET /a?b=1\n  redirects none"),
    ("POST /x q==1 -d '{\"a\":1}' -H 'Content-Type: application/json'", "POST /x q==1\n  json { a: 1 }"),
    (
      "POST :8090/x -d @n.json -H 'Content-Type: application/json' > out.json",
      """
      POST http://localhost:8090/x
        body (file("n.json").text | replace-regex('[\\r\\n\\x00]', "")) as "application/json"
        save body to "out.json"
      """
    ),
    ("GET /x -u ann:pw-of-ann", "GET /x\n  auth basic \"ann\", \"pw-of-ann\""),
    ("x: POST /x name=ann -H 'A: b'\n  expect 201", "x: POST /x name=ann\n  header A: \"b\"\n  expect 201"),
    ("/x -d a=1", "POST /x\n  body \"a=1\" as \"application/x-www-form-urlencoded\""), ("/x -I", "HEAD /x"),
    ("GET /x -G -d q=1", "GET /x?q=1"), ("GET $1.body.next -G -d q=1", "GET $1.body.next?q=1"),
    ("put api:/up/ -T a.png", "PUT api:/up/a.png\n  body file(\"a.png\")\n  header Content-Type:"),
    ("GET /x -O", "GET /x\n  save body to \"x\""), ("GET /x -X PURGE", "PURGE /x"),
    // HTTPie's, with a space or `=` before the value.
    ("POST /x a=1 --auth=ann:pw-of-ann", "POST /x a=1\n  auth basic \"ann\", \"pw-of-ann\""),
    ("GET /x -a ann:pw-of-ann", "GET /x\n  auth basic \"ann\", \"pw-of-ann\""),
    ("GET /x -a=ann:{$1.body.pw} -A digest", "GET /x\n  auth digest \"ann\", $1.body.pw"),
    ("GET /x --auth token-of-ann --auth-type bearer", "GET /x\n  auth bearer \"token-of-ann\""),
    ("POST /x a=1 --timeout=3", "POST /x a=1\n  timeout 3s"), ("GET /x --timeout 3 --follow", "GET /x\n  timeout 3s"),
    ("POST /x a=1 --header=X-A:b", "POST /x a=1\n  header X-A: \"b\""), ("GET /x --verify=yes", "GET /x"),
    ("POST /x a=1 --user=ann:pw-of-ann", "POST /x a=1\n  auth basic \"ann\", \"pw-of-ann\""),
    ("POST /x a=1 --output=x.json", "POST /x a=1\n  save body to \"x.json\""),
    ("GET /x -d --auth=x", "GET /x\n  body \"--auth=x\" as \"application/x-www-form-urlencoded\""),
    // HTTPie's -f, where there are items; else it is curl's.
    ("POST /x a=1 -f", "POST /x form a=1"), ("POST /x -f csrf=$csrf 'b=c d'", "POST /x form csrf=$csrf b=\"c d\""),
    (
      "http https://a.example/x Content-Type:text/plain --raw hello",
      "POST https://a.example/x\n  body \"hello\" as \"text/plain\"\n  redirects none"
    ),
    ("POST /x -v -f a=1 -H 'A: -f b'", "POST /x form a=1\n  header A: \"-f b\""),
    ("in: POST /x a=1 q==2 --form", "in: POST /x form a=1 q==2"), ("/x a=1 -f", "POST /x form a=1"),
    (
      "POST /x -F a=b --form c=d -b sid=1",
      "POST /x\n  multipart { a: \"b\", c: \"d\" }\n  header Cookie: \"sid=1\""
    ),
    ("GET /x -f", "GET /x"), ("POST /x -f -d a=1", "POST /x\n  body \"a=1\" as \"application/x-www-form-urlencoded\""),
    // Values of responses, and of the environment as in a line for curl.
    ("GET /x -H \"Authorization: Bearer $1.body.token\"", "GET /x\n  auth bearer $1.body.token"),
    ("GET /x -H \"Authorization: Bearer {$login.body.token}\"", "GET /x\n  auth bearer $login.body.token"),
    ("GET /x -H 'A: $1.body.a' -H \"B: $5, $B\"", "GET /x\n  header { A: \"$1.body.a\", B: \"$5, {$env.B}\" }"),
    (
      "POST /x -d id=$1.body.items[0].id",
      "POST /x\n  body \"id={$1.body.items[0].id}\" as \"application/x-www-form-urlencoded\""
    ),
    ("POST https://a.example/{$1.body.id} -H A:$token", "POST https://a.example/{$1.body.id}\n  header A: $token"),
  ])
  func `options of curl go with any request`(input: String, statement: String) {
    #expect(meaning(of: input) == statement)
  }

  @Test(arguments: ["POST /x -H 'A: b' \\", "POST /x -d '{", "get /x -H \"A"])
  func `open options continue on the next line`(input: String) {
    #expect(HabitualInput(input) == .foreign(.open))
  }

  @Test(arguments: [
    ("GET https://a.example/me -v", true, true, true), ("-v GET https://a.example/me", true, true, true),
    ("GET https://a.example/me -i", false, true, true), ("GET https://a.example/me -I", false, true, false),
    ("-i https://a.example/me", false, true, true), ("GET https://a.example/me -h", false, true, false),
    ("GET https://a.example/me -p Hh", true, true, false), ("GET https://a.example/me --print=b", false, false, true),
    ("GET https://a.example/me -H 'A: b'", false, false, true), ("GET https://a.example/me", false, false, true),
  ])
  func `an option says what is shown`(line: String, request: Bool, headers: Bool, body: Bool) async {
    let answer = Response.json("{\"answer\": 1}", headers: [.eTag: "\"e\""])
    let screen = await PromptSession(answers: [answer]).pipe([line]).screen
    // As it was sent, which is also what is meant; apart from the response.
    #expect(screen.contains("\n\n$1  200") == request, "\(screen)")
    #expect(!request || screen.ranges(of: "GET https://a.example/me\n").count == 1, "\(screen)")
    #expect(screen.contains("ETag") == headers && screen.contains("answer") == body, "\(screen)")
    let sent = await PromptSession(answers: [answer]).send(line)
    let isOnScreen = sent.outcome.screen.contains("ETag")
    #expect(sent.code == .success && isOnScreen == headers, "\(sent.outcome.screen)")
  }

  @Test func `options go where a profile says, are explained, and have what the debugger edits`() async {
    let secret = Canary.onScreen("options-token")
    let profile = "profile api { base https://a.example }"
    let outcome = await PromptSession(answers: [.json("{\"token\": \"\(secret)\"}"), .json("{}")]).pipe([
      profile, "POST /login -d a=b", ":explain GET /x -H \"Authorization: Bearer $1.body.token\"",
      "GET /x -H \"Authorization: Bearer $1.body.token\"",
    ])
    #expect(outcome.requests.map(\.url) == ["https://a.example/login", "https://a.example/x"], "\(outcome.screen)")
    #expect(outcome.requests.last?.headers[.authorization] == "Bearer \(secret)")
    #expect(outcome.screen.contains("authorization  Bearer ••••"), "\(outcome.screen)")
    let debugged = await PromptSession(
      files: ["chain.wb": Array("a: GET https://a.example/x\n".utf8)], answers: [.json("{}")]
    ).debug("e POST https://a.example/y -H \"X-A: b\" -d c=d", "n", "q")
    #expect(debugged.requests.first?.url == "https://a.example/y", "\(debugged.screen)")
    #expect(debugged.requests.first?.body == [.bytes(Array("c=d".utf8))], "\(debugged.screen)")
  }

  @Test(arguments: [
    "GET /x", "let a = 1", "login: POST /x", "profile a { base https://a.example }", "run up(1)", "exit now",
    "POST /x json {a: 1}", "POST /x name=y X-A:b\n  expect 201", "GET ($1.body | first) json {}", "use \"a.wb\"",
    "GET $1.body.next", "body file(\"x\")", "Accept: text/plain", "POST https://a.example\n  json {a: 1}",
    "secret t = ask(\"t\") for api", "for $x in [1] { GET /x }",
  ])
  func `statements are left alone`(input: String) {
    #expect(HabitualInput(input) == nil)
  }

  @Test(arguments: [
    ("POST /login user=ann password={secret}", "POST /login user=ann password=••••"),
    ("POST /login json { password: \"{secret} 2\", x: 1 }", "POST /login json { password: \"••••\", x: 1 }"),
    (
      "curl -H 'Authorization: Bearer {secret}' -d '{\"api_key\":\"{secret}\"}'",
      "curl -H 'Authorization: Bearer ••••' -d '{\"api_key\":\"••••\"}'"
    ),
    ("curl -u ann:{secret} https://a.example", "curl -u ann:•••• https://a.example"),
    ("curl -u {secret}: https://a.example", "curl -u ••••: https://a.example"),
    ("GET /x auth basic \"{secret}\", \"\"", "GET /x auth basic \"••••\", \"\""),
    ("GET /x auth bearer \"{secret}\"", "GET /x auth bearer \"••••\""),
    ("GET /x auth basic \"u\", \"{secret}\"", "GET /x auth basic \"u\", \"••••\""),
    ("GET /x X-Api-Key:{secret} page==2", "GET /x X-Api-Key:•••• page==2"),
    ("secret token = \"{secret}\" for api", "secret token = \"••••\" for api"),
    ("secret token = $1.body.token for api", "secret token = $1.body.token for api"),
    ("secret token = ask(\"token\") for api", "secret token = ask(\"token\") for api"),
    (
      "profile api { base https://a.example auth bearer $token }",
      "profile api { base https://a.example auth bearer $token }"
    ),
    ("GET /x expect body is { token: string, ... }", "GET /x expect body is { token: string, ... }"),
    ("GET /x cookies on", "GET /x cookies on"),
    ("GET http://h/x?access_token={secret}&page=2", "GET http://h/x?access_token=••••&page=2"),
    ("GET \"http://h/x?a=1&client_secret={secret}#top\"", "GET \"http://h/x?a=1&client_secret=••••\""),
    ("GET http://h/x#id_token={secret}", "GET http://h/x#id_token=••••"),
    ("GET http://h/x?access%5Ftoken={secret}", "GET http://h/x?access%5Ftoken=••••"),
    ("GET https://me:{secret}@h/x", "GET https://me:••••@h/x"), ("GET https://{encoded}@h/x", "GET https://••••@h/x"),
    ("https://me:{secret}@h/x", "https://me:••••@h/x"), ("GET api:/x?sig={secret}", "GET api:/x?sig=••••"),
    ("GET /x?apiKey={secret}", "GET /x?apiKey=••••"), ("GET /x?token={$t}&page=1", "GET /x?token={$t}&page=1"),
    ("curl 'https://h/x?access_token={secret}'", "curl 'https://h/x?access_token=••••'"),
    ("curl https://me:{secret}@h/x -d a=b", "curl https://me:••••@h/x -d a=b"),
    ("curl --url https://h/x?api_key={secret}", "curl --url https://h/x?api_key=••••"),
    ("curl https://h -d 'user=ann&password={secret}'", "curl https://h -d 'user=ann&password=••••'"),
    (
      "curl https://h --json '{\"credentials\": {\"user\": \"{secret}\"}}'",
      "curl https://h --json '{\"credentials\": {\"user\": \"••••\"}}'"
    ),
    ("curl https://h -d \"{\\\"token\\\": \\\"{secret}\\\"}\"", "curl https://h -d \"{\\\"token\\\": \\\"••••\\\"}\""),
    ("http POST https://h/x password={secret}", "http POST https://h/x password=••••"),
    (
      "POST /x json { credentials: { user: \"{secret}\", n: [\"{secret}\"] } }",
      "POST /x json { credentials: { user: \"••••\", n: [\"••••\"] } }"
    ),
    (
      "POST /x json { clientSecret: \"{secret}\", tokenType: \"Bearer\", max_tokens: 100 }",
      "POST /x json { clientSecret: \"••••\", tokenType: \"Bearer\", max_tokens: 100 }"
    ),
    ("POST /x json { password: \"{secret}\" | upper }", "POST /x json { password: \"••••\" | upper }"),
    ("POST /x body \"{\\\"token\\\": \\\"{secret}\\\"}\"", "POST /x body \"{\\\"token\\\": \\\"••••\\\"}\""),
    ("let api-key = \"{secret}\"", "let api-key = \"••••\""), (":set token = \"{secret}\"", ":set token = \"••••\""),
    (":set token = {secret}", ":set token = ••••"), ("run up(password: \"{secret}\")", "run up(password: \"••••\")"),
    (":explain GET https://h/x?token={secret}", ":explain GET https://h/x?token=••••"),
    (":import curl https://h/x?token={secret}", ":import curl https://h/x?token=••••"),
    ("GET /x expect body.token == \"{secret}\"", "GET /x expect body.token == \"••••\""),
    (
      "GET /x auth sigv4 { key: \"{secret}\", secret: \"{secret}\", region: \"eu\" }",
      "GET /x auth sigv4 { key: \"••••\", secret: \"••••\", region: \"eu\" }"
    ),
    (
      "profile p { base https://h proxy http://me:{secret}@proxy.example:3128 }",
      "profile p { base https://h proxy http://me:••••@proxy.example:3128 }"
    ),
    ("GET http://h/x?access_token={secret}\n  json {", "GET http://h/x?access_token=••••\n  json {"),
    ("GET https://h/x?page=2", "GET https://h/x?page=2"), ("GET https://h:8080/a", "GET https://h:8080/a"),
  ]) func `what is secret by its place is not recorded`(typed: String, written: String) {
    let secret = Canary.secret("habit")
    let typed = typed.replacing("{secret}", with: secret)
      .replacing("{encoded}", with: PercentEncoding.component.encode(secret))
    #expect(TypedSecrets.masked(typed) == written)
  }
}
