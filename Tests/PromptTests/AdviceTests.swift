import HTTPTypes
import Requests
import Testing

/// What an error says to do, where the line alone does not show it.
@Suite struct AdviceTests {
  private func screen(_ answer: Response, _ lines: String...) async -> String {
    await PromptSession(answers: [answer, .json("{}")]).pipe(["GET https://a.test/x"] + lines).screen
  }

  @Test(arguments: ["$_.body[0].data", "$_.events", "$1.body[0]"])
  func `events need stream`(line: String) async {
    let response = Response(
      status: .ok, headers: [.contentType: "text/event-stream"], body: ResponseBody(Array("data: 1\n\n".utf8)))
    let text = await screen(response, line)
    #expect(text.contains("\"stream\""), "\(text)")
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

  @Test(arguments: [
    ("GET http:/localhost:80/x", "a URL has two slashes: http://…"),
    ("crul -s https://a.test/x", "did you mean curl?"), ("htpp :8080/x", "did you mean http?"),
    ("curl --hedaer 'A: b' https://a.test/x", "did you mean --header?"),
    ("curl -d {\"a\": 1} https://a.test/x", "quote it: -d '{\"a\": 1}'"),
    ("POST https://a.test/x -d {\"a\": 1}", "quote it: -d '{\"a\": 1}'"),
    ("TOKEN=$(curl https://a.test/x)", "let token = $_.body.member"), ("`date`", "there is no shell here"),
    ("POST https://a.test/x {item: mug}", "json { item: \"mug\" }, or the item item=mug"),
    ("curl -c jar https://a.test/x", "a profile keeps the cookies"),
    ("$1.body.match(/a/)", "functions follow a pipe: … | match"),
    (":profile remove local", "there is no profile \"local\""),
    ("workbench run k.wb", "= :run k.wb\n"), ("workbench run k.wb --json", "^Z leaves for one"),
    ("workbench send GET /x", "= only: GET /x\n"), ("workbench prompt http://a.test", "= :profile http://a.test\n"),
    ("workbench eval '1 + 1'", "= :print 1 + 1\n"), ("workbench runs", "^Z leaves for one"),
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
  ])
  func `what was meant is said`(line: String, advice: String) async {
    let text = await screen(.json("{}"), line)
    #expect(text.contains(advice), "\(text)")
  }
}
