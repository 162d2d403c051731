import Diagnostics
import HTTPTypes
import RequestSyntax
import Requests
import Testing

/// What an error says to do, where the line alone does not show it.
@Suite struct AdviceTests {
  private func screen(_ answer: Response, _ lines: String...) async -> String {
    await PromptSession(answers: [answer, .json("{}")]).pipe(["GET https://a.test/x"] + lines).screen
  }

  @Test func `events are looked for in the body`() async {
    let response = Response(
      status: .ok, headers: [.contentType: "text/event-stream"], body: ResponseBody(Array("data: 1\n\n".utf8)))
    let text = await screen(response, "$_.events")
    #expect(text.contains(".body"), "\(text)")
  }

  @Test func `a profile is not chosen that could not be made`() async {
    let text = await screen(.json("{}"), ":profile https://b.test/x?a=1", "GET /y")
    #expect(text.contains("a base has no query") && !text.contains("there is no profile \"b\""), "\(text)")
  }

  /// A variable in quotes is sent as it is written, and is no secret: what is said of it can be read.
  @Test(arguments: [
    "GET https://a.test/x Authorization:\"Bearer $env.TOKEN_OF_API\"",
    "GET https://a.test/x auth bearer \"$env.TOKEN_OF_API\"",
    "POST https://a.test/x home=\"$env.TOKEN_OF_API\"",
  ])
  func `a variable in quotes is remarked on`(line: String) async {
    let text = await screen(.json("{}"), line, "GET https://a.test/x Authorization:\"Bearer {$env.TOKEN_OF_API}\"")
    #expect(text.contains("$env.TOKEN_OF_API is sent as it is written"), "\(text)")
    #expect(text.contains("{$env.TOKEN_OF_API}…\"") && !text.contains("••••"), "\(text)")
  }

  @Test func `a list of a text is remarked on`() async {
    let text = await screen(
      Response(
        status: .ok, headers: [.contentType: "text/plain"], body: ResponseBody(Array("{\"a\":1}\n{\"a\":2}\n".utf8))),
      "$_.body[*].a", "$_.body[*].a | count")
    #expect(text.ranges(of: "the body is a text, which has no elements").count == 2, "\(text)")
  }

  @Test func `a program without its bar is offered it, and no line is sent again`() async {
    let text = await screen(.json("{}"), ":show $1 body jq", ":body $1 jq", ":!", ":! ls")
    #expect(text.contains(":show $1 body | jq\n") && text.contains(":body $1 | jq\n"), "\(text)")
    #expect(text.ranges(of: "there is no shell here").count == 2 && !text.contains("$2  "), "\(text)")
  }

  @Test(arguments: [
    ("GET https://a.test/orders/$id", "$id was sent as it is written; for the value of a name: {$id}"),
    ("GET https://a.test/orders/$id/lines", "{$id}"), ("GET https://a.test/orders/1?$filter=x", nil),
    ("GET https://a.test/orders/{1}", nil),
  ])
  func `a refused request says what of its path was a text`(line: String, advice: String?) async {
    let text = await PromptSession(answers: [.json("{}", status: 404)]).type("\(line)\n\u{4}").screen
    if let advice {
      #expect(text.contains(advice), "\(text)")
    } else {
      #expect(!text.contains("as it is written"), "\(text)")
    }
  }

  @Test(arguments: [
    ("let who = \"ann\"", "a.http", "GET https://a.test/{{who}}\n"),
    (":set who = \"ann\"", "a.hurl", "GET https://a.test/{{who}}\n"),
    (":set password = \"ann\"", "a.http", "GET https://a.test/{{password}}\n"),
  ])
  func `an imported file uses the names of the session`(line: String, name: String, text: String) async {
    var session = PromptSession(answers: [.json("{}")])
    session.files[name] = Array(text.utf8)
    let outcome = await session.pipe([line, ":import \(name)"])
    #expect(outcome.requests.map(\.url) == ["https://a.test/ann"], "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl -s $HB/get", "https://a.test/get", nil), ("curl -s https://a.test/$tag", "https://a.test/t1", nil),
    ("curl https://a.test/x -H \"X-A: a $TAG\"", "https://a.test/x", "a T2"),
    ("GET https://a.test/x -H \"X-A: $TAG\"", "https://a.test/x", "T2"),
    ("GET https://a.test/x -H \"X-A: $tag\"", "https://a.test/x", "t1"),
    ("curl https://a.test/x -H \"X-A: $OTHER\"", "https://a.test/x", "o3"),
    ("GET https://a.test/x -H \"X-A: $env.TAG\"", "https://a.test/x", "outside"),
  ])
  func `a variable of a shell is a name of the session, if it has it`(line: String, url: String, field: String?) async {
    var session = PromptSession(answers: [.json("{}")])
    session.environment = ["OTHER": "o3", "TAG": "outside"]
    let outcome = await session.pipe([
      "let HB = \"https://a.test\"", "let tag = \"t1\"", "let TAG = \"T2\"", ":explain \(line)", line,
    ])
    let sent = outcome.requests.first
    #expect(sent?.url == url && HTTPField.Name("X-A").flatMap { sent?.headers[$0] } == field, "\(outcome.screen)")
    #expect(!outcome.screen.contains("has no"), "\(outcome.screen)")
  }

  @Test(arguments: ["POST http://localhost:8411/x", "POST :8411/x", "POST localhost:8411/x", "r: POST :8411/x"])
  func `JSON in quotes is JSON, however the address is written`(request: String) async {
    let lines = [":explain \(request) tags:='[1]'", "\(request) tags:='[1]'"]
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(lines)
    guard case .bytes(let bytes)? = outcome.requests.first?.body?.first else {
      Issue.record("nothing was sent: \(outcome.screen)")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"tags":[1]}"#, "\(outcome.screen)")
    #expect(!outcome.screen.contains("[1]'"), "\(outcome.screen)")
  }

  @Test func `each line has its own time and randomness`() async {
    let text = await PromptSession().pipe([":print uuid()", ":print uuid()", ":print now()"]).screen
    let lines = text.split(separator: "\n")
    #expect(Set(lines).count == 3, "\(text)")
  }

  @Test(arguments: [
    ("GET https://a.test/x | count", "on the next line: $_.body | count"),
    ("GET https://a.test/x timeout 2s | sort  | unique", "on the next line: $_.body | sort | unique"),
    ("for $i in [1] { GET https://a.test/{$i} | count }", "on the next line: $_.body | …"),
  ])
  func `functions after a request are offered for its response`(line: String, hint: String) async {
    let screen = await PromptSession(answers: [.json("[1]")]).pipe([line]).screen
    #expect(screen.contains(hint), "\(screen)")
    let script = Parser.parse(SourceText(name: "a.wb", text: "list: GET https://a.test/x | count\n"))
    #expect(script.diagnostics.first?.label?.hasSuffix("on the next line: let name = $list.body | count") == true)
  }

  @Test func `a member of a response is shown, too`() async {
    let screen = await PromptSession(answers: [.json("{\"id\": 4711}")]).pipe([
      "GET https://a.test/x", ":show $1.body.id", ":sh $_.body.id", ":show $2.body",
    ]).screen
    #expect(screen.contains("\n4711\n4711\n"), "\(screen)")
    #expect(screen.contains("there is no $2 yet"), "\(screen)")
  }

  @Test func `what was sent is a part of what is shown`() async {
    let screen = await PromptSession(answers: [.json("1")]).pipe(["GET https://a.test/x", ":show sent"]).screen
    #expect(screen.contains("what was sent: :show $1 request"), "\(screen)")
  }

  @Test(arguments: ["links.next == null", "not links.next"])
  func `a typed condition that never holds is not waited for`(condition: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(["GET https://a.test/x repeat until \(condition)"])
    #expect(
      outcome.requests.isEmpty
        && outcome.screen.contains(
          "p: GET ($p.links.next ?? \"https://a.test/x\") repeat until links.next ?? null == null"),
      "\(outcome.screen)")
    let pages = await PromptSession(answers: [.json("{}")]).pipe([
      "all: GET ($all.links.next ?? \"https://a.test/x\") repeat until \(condition)"
    ])
    #expect(pages.requests.isEmpty && pages.screen.contains("until links.next ?? null == null"), "\(pages.screen)")
  }

  @Test func `a misspelt name in a URL is not sent`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(["let order = 5", "DELETE https://a.test/x/$ordr"])
    #expect(outcome.requests.isEmpty && outcome.screen.contains("for its value: {$order}"), "\(outcome.screen)")
  }

  @Test func `what no element has is said`() async {
    let text = await screen(.json(#"{"items": [{"id": 1, "name": "a"}, {"id": 2}]}"#), "$1.body.items[*].length")
    #expect(text.contains("[]\nnone of the 2 elements has \"length\"; the first has id, name; how many"), "\(text)")
    let empty = await screen(.json(#"{"items": []}"#), "$1.body.items[*].length")
    #expect(empty.hasSuffix("[]\n"), "\(empty)")
  }

  @Test func `escapes are read in a part of a response, too`() async {
    let text = await screen(.json(#"{"items": [{"name": "caf\u00e9"}]}"#), "$1.body.items")
    #expect(text.ranges(of: #""name": "café""#).count == 2, "\(text)")
  }

  @Test func `links need a header`() async {
    let without = await screen(.json("{}"), "$1.links.next")
    #expect(without.contains("has no Link header"), "\(without)")
    let others = await screen(.json("{}", headers: [.init("Link")!: "</y>; rel=prev"]), "$1.links.next")
    #expect(others.contains("it has \"prev\"") && !others.contains("has no Link header"), "\(others)")
  }

  @Test func `a computed target is shown`() async {
    let response = Response.json("{}", headers: [.init("Link")!: "</y?page=2>; rel=next"])
    let text = await screen(response, "GET $_.links.next")
    #expect(text.contains("GET https://a.test/y?page=2\n$2  200 OK"), "\(text)")
  }

  @Test(arguments: ["$_.body", "$1.body", "$_.text"])
  func `a fragment of a page is HTML if its response says so`(body: String) async {
    let response = Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(Array("<p>one<br>two <input name=csrf value=t-1>".utf8)))
    let text = await screen(response, "\(body) | xpath(\"string(//input/@value)\")")
    #expect(text.contains("\"t-1\""), "\(text)")
  }

  @Test(arguments: [
    ("GET http:/localhost:80/x", "a URL has two slashes: http://…"),
    ("crul -s https://a.test/x", "did you mean curl?"), ("htpp :8080/x", "did you mean http?"),
    ("curl --hedaer 'A: b' https://a.test/x", "did you mean --header?"),
    ("curl -d {\"a\": 1} https://a.test/x", "quote it: -d '{\"a\": 1}'"),
    ("POST https://a.test/x -d {\"a\": 1}", "quote it: -d '{\"a\": 1}'"),
    ("POST https://a.test/x {\"a\": \"b\" \"c\": 2}", "json {\"a\": \"b\" \"c\": 2}"),
    ("POST https://a.test/x {\"a\": None}", "write null"),
    ("TOKEN=$(curl https://a.test/x)", "there is no shell here"),
    ("TOKEN=$(curl https://a.test/x)", "then let token = $_.body.member names what it brought"),
    ("`date`", "there is no shell here"),
    ("POST https://a.test/x {item: mug}", "json { item: \"mug\" }, or the item item=mug"),
    ("GET /x --cookie-jar jar", "type profile name { cookies on }, then the line again"),
    (
      "curl --resolve a.test:80:127.0.0.1 http://a.test/x",
      "type profile name { base http://a.test resolve a.test: 127.0.0.1 }, then the line again"
    ),
    (
      "curl --connect-to a.test:443:b.test:8443 https://a.test/x",
      "type profile name { base https://a.test resolve a.test: b.test:8443 }, then the line again"
    ),
    (
      "curl -x ann:pass-word@p:3128 https://a.test/x",
      "type profile name { base https://a.test proxy http://user:password@p:3128 }, then the line again"
    ),
    (
      "curl --cert me.pem:pass-word https://a.test/x",
      "{ base https://a.test tls { cert: \"me.pem\", key: \"me.pem\", passphrase: $env.PASSPHRASE } }, then the line"
    ),
    ("curl --tlsv1.3 --unix-socket /run/x https://a.test", "--tlsv1.3 and --unix-socket are refused"),
    ("http --cert x https://a.test", "type profile name { base https://a.test tls { cert: \"x\", key: \"x\" } }, then"),
    ("http --proxy http:http://p:1 a.test", "type profile name { base http://a.test proxy http://p:1 }, then"),
    ("http --ssl=tls1.3 https://a.test", "type profile name { base https://a.test tls { minimum: \"1.3\" } }, then"),
    ("http --verify ca.pem https://a.test", "type profile name { base https://a.test tls { ca: \"ca.pem\" } }, then"),
    ("$1.body.match(/a/)", "functions follow a pipe: … | match"),
    (":profile remove local", "there is no profile \"local\""),
    ("workbench run k.wb", "= :run k.wb\n"), ("workbench run k.wb --json", "^Z leaves for a shell"),
    ("workbench send GET /x", "= only: GET /x\n"), ("workbench prompt http://a.test", "= :profile http://a.test\n"),
    ("workbench eval '1 + 1'", "= :print 1 + 1\n"), ("workbench runs", "^Z leaves for a shell"),
    ("workbench import api.http", "= :import api.http\n"), ("workbench import http x.http", "= :import x.http\n"),
    ("workbench", ":help shows what can be typed"),
    ("GET https://a.test/ auth bearer token", "a value by its name: auth bearer $name"),
    ("GET https://a.test/ auth bearer literal", "a text is between quotes: auth bearer \"…\""),
    ("POST https://a.test/ multipart { $1.body.fields, a: 1 }", "...$1.body.fields"),
    ("POST https://a.test/ multipart { ..$1.body.fields }", "...$1.body.fields"),
    ("GET https://a.test/{$99.body.id}", "the last is $1"),
    ("hurl --test flow.hurl", ":run flow.hurl"),
    ("$99", "the last is $1"), ("GET $99.links.next", "the last is $1"),
    ("POST https://a.test/ \"hello world\"", "a text as the body: text \"…\""),
    ("a: POST $1.request.url 'hello world'", "a text as the body: text \"…\""),
    ("POST $1.request.url $1.body.fields file@a.png", "multipart { ...$1.body.fields, file: file(\"a.png\") }"),
    (
      "POST /x $1.body",
      "its members as the body: json { ...$1.body }, form { ...$1.body } or multipart { ...$1.body, … }"
    ),
    ("POST https://a.test/ name=ann lee age:=3", "quoted: 'ann lee'\n"),
    ("POST https://a.test/ name=ann van lee expect 200", "quoted: 'ann van lee'\n"),
    ("profile w { base https://a.test header X-A: b c }", "quoted: 'b c'\n"),
    ("POST https://a.test/ name=ann lee; GET https://a.test/", "quoted: 'ann lee'\n"),
    ("POST https://a.test/ a=1; GET https://a.test/", "another request has a line of its own"),
    ("POST $1.request.url ...$1.body.f file@a.png", "multipart { ...$1.body.f, file: file(\"a.png\") }"),
    ("POST https://a.test/ multipart $1.body.f file@a.png", "multipart { ...$1.body.f, file: file(\"a.png\") }"),
    ("POST https://a.test/ multipart ...$1.body.f file@a.png", "multipart { ...$1.body.f, file: file(\"a.png\") }"),
    ("POST https://a.test/ form ...$1.body.f", "form { ...$1.body.f }"),
    ("POST https://a.test/ form { ...$1.body.f, file: file(\"a.png\") }", "is sent in parts: multipart { … }"),
    ("GET https://a.test/ bearer $1.body.token", "auth bearer $token"),
    ("GET https://a.test/ repeat every 1s until status == 200 for 3s", "repeat every 1s for 3s until …"),
    ("GET https://a.test/ for 1s", "stream for …"), ("POST https://a.test/ age := 3", "no spaces around :=: age:=…"),
    ("await fetch(\"https://a.test/\", {\"a\": 1});", "this is JavaScript"),
    ("GET https://a.test/ repeat until state == \"ready\"", "a value in the body: body.state"),
    ("GET $1.links.next ?? \"/x\"", "in parentheses: GET ($1.links.next ?? \"/x\")"),
    ("token = $1.body.token", "let token = …"), ("GET /x auth basic \"ann\" \"pw\"", "a comma is between the user"),
    ("GET /x repeat 3", "for $i in range(1, 3) { GET … }"),
    ("GET /x repeat 3 times", "for $i in range(1, 3) { GET … }"),
    ("GET /x/a b", "in a URL, a space is written %20; an item has a value: b=…"),
    ("GET https://a.test/a b", "in a URL, a space is written %20; an item has a value: b=…"),
    ("sequence mk(a) { GET https://a.test/{$a} }\nmk(\"bob\")", "run mk(\"bob\")"),
    ("GET /x 2>/dev/null", "leave out 2>…"),
    ("GET https://a.test/x expect body.item contain \"a\"", "did you mean contains?"),
    ("GET https://a.test/x expect body.item startswith \"a\"", "did you mean starts-with?"),
    ("GET https://a.test/x expect body.item start \"a\"", "did you mean starts-with?"),
    ("GET https://a.test/x expect 200 timout 1s", "did you mean timeout?"),
    ("GET /orders?per_page=20 while $_.links.next", "p: GET ($p.links.next ?? \"/orders?per_page=20\") repeat until"),
    ("GET /job while $_.body.busy", "there is no while: repeat until …"),
    ("get https://a.test/get?a=1&b=two words", "in a URL, a space is written %20"),
    ("HTTP 200", "after the request: GET /path expect 200\n"), ("HTTP *", "GET /path expect any status\n"),
    ("POST https://a.test/x -f a=1 csrf=$_.text | xpath(\"string(//input)\")", "form { csrf: $_.text | … }"),
    ("POST https://a.test/x -d a=1 && ls", "leave it out, and what follows it"),
    (":8411/basic-auth/joe -a joe", "there is no password after the user \"joe\"\n = in the line: -a joe:…"),
    ("r = GET /me", "a response is named by a label: r: GET /me\n"),
    ("let r = GET /me", "a response is named by a label: r: GET /me\n"),
    ("$r = GET /me", "a response is named by a label\n = r: GET /me\n"), ("$n = 3", "= let n = 3\n"),
    ("POST https://a.test/x -d {\"item\":\"cup\",\"quantity\":1}", "quote it: -d '{"),
    ("curl -d {\"item\":\"cup\"} https://a.test/x", "quote it: -d '{"),
    ("curl https://a.test/x --json [{\"a\":1}]", "quote it: -d '{"),
    ("POST https://a.test/x json { a: 1\nb: 2 }", "a comma is missing between the members"),
    ("POST https://a.test/x json [1\n2]", "a comma is missing between the elements"),
    ("POST https://a.test/x a=$HOME", "a variable of the environment is $env.HOME"),
    ("$HOME", "a variable of the environment is $env.HOME"),
    ("POST https://a.test/x a=b quantity:=2,", "items are separated by spaces, without commas"),
    ("for $i in [201, 202] { GET :8411/status/{$i} }", "write http://localhost:8411/status/{$i}\n"),
    ("GET https://a.test/x expect status 201", "found \"201\"\n"),
    ("GET https://a.test/x expect status 201", "^^^ write expect 201,"),
    (":repeat 1", ":repeat $1 sends $1 again"), (":repeat 3 times", "for $i in range(1, 3) { GET … }"),
    (":repeat every 1s until body.state == done", "write $done for its value, \"done\" for the text"),
    ("q", ":quit or ^D leaves"), ("let x == 3", "one = gives a name its value: let x = 3\n"),
    ("profile p { base https://a.test auth bearer }", "such as auth bearer $env.TOKEN"),
    ("ETAG=$_.headers.etag", "= let ETAG = $_.headers.etag\n"),
    ("TOKEN=$_.body.token.value", "= let TOKEN = $_.body.token.value\n"),
    ("HB=http://127.0.0.1:8411", "= let HB = \"http://127.0.0.1:8411\"\n"),
    ("let hb = http://127.0.0.1:8411/x", "a text is between quotes: \"http://127.0.0.1:8411/x\""),
    ("GET https://a.test/x?sig=••••", "•••• stands for a text that is hidden"),
    ("$_.text | regex('.') | count", "the length of what regex found, which is the first match"),
    ("-a ann:pw :8411/x", "options come after the request\n = GET :8411/x -a …"),
    ("-f :8411/x a=1", "= POST :8411/x form name=text …"),
    ("$_.body | map(id)", "of each element: $_.body[*].id"), ("$_.body | map(.id)", "of each element: $_.body[*].id"),
    ("$1.body.items | select(.price > 3)", "those that it is true of: $1.body.items[?@.price == …]"),
    ("$1.body.items[*] | filter(price == 3)", "those that it is true of: $1.body.items[?@.price == …]"),
    ("$1 > pig.jpg", "into a file: :body $1 > pig.jpg"),
    ("$_.body | map(\"id\")", "of each element: $x.body.items[*].name"),
    ("bad: GET https://a.test/{$_.body.no}\nGET https://a.test/{$bad.body.x}", "type its request again, or ??"),
    ("login: POST https://a.test/x password=$pw", "uses $pw, which names nothing"),
    ("POST https://a.test/x item=“mug”", "the quotes of item are sent, too"),
    ("POST https://a.test/x item=“big mug”", "quotes are \" or '"),
  ])
  func `what was meant is said`(line: String, advice: String) async {
    let text = await screen(.json("{}"), line)
    #expect(text.contains(advice), "\(text)")
  }

  @Test(arguments: ["import http x.http", ":import http x.http", ":import x.http"])
  func `the format of a file that is imported may be said`(line: String) async {
    var session = PromptSession(answers: [.json("{}")])
    session.files["x.http"] = Array("GET https://a.test/y\n".utf8)
    let outcome = await session.pipe([line])
    #expect(outcome.requests.map(\.url) == ["https://a.test/y"], "\(outcome.screen)")
  }

  @Test(arguments: [
    "POST https://a.test/x -d '{\"a\":1}'", "POST https://a.test/x -H 'A: -d {\"b' -d a=1",
    "curl https://a.test/x -d '{\"a\":1}'", "curl https://a.test/x -d \"{\\\"a\\\":1}\"",
    "curl https://a.test/x -d {\\\"a\\\":1}",
  ])
  func `JSON with quotes around it is sent`(line: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([line])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
  }
}
