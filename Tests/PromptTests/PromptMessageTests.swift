import Canaries
import Foundation
import HTTPTypes
import LineEditing
import Requests
import Testing

@testable import Prompt

/// What the prompt says about lines that fingers type and that are not meant that way here.
@Suite struct PromptMessageTests {
  private static func screen(_ lines: String, answers: [Response] = []) async -> String {
    await PromptSession(environment: ["API_TOKEN": "tok_Zq8vR3mK", "API_PASSWORD": "hunter2-horse"], answers: answers)
      .type("profile a { base https://a.example }\n\(lines)\n\u{4}").screen
  }

  @Test(arguments: [
    ("$env.API_TOKN", "did you mean \"API_TOKEN\"?"), ("$env.NOTHING_LIKE_IT", ":load .env gives those of a file"),
    ("profile p3 base http://a.example", "profile p3 { base … }"), ("clear; ls", ":help shows what can be typed"),
    ("GET /get?q=a b", "in a URL, a space is written %20"),
    ("GET /echo auth none x-custom:1", "request items come directly after the target, before the clauses"),
    ("GET /echo auth basic ann:pw1", "two texts, or references: auth basic \"user\", $password"),
    ("GET /echo auth basic \"ann\":\"pw1\"", "a comma is between the user and the password"),
    ("POST /echo csrf=$_.text|upper a=1", "what is computed goes in parentheses: name=($x | …)"),
    ("GET https://a.example/{$_.body[?price > 3]}", "@ is the element: [?@.price > 30]"),
    ("GET /x?a={$env.API_TOKEN}&b={$env.API_TOKEM}", ":load .env gives those of a file"),
    ("$_.text | regex \"x\"", "what a function takes is in parentheses: regex(\"…\")"),
    ("let n = $_.text | regex 'x'", "what a function takes is in parentheses: regex(\"…\")"),
    ("!GET", "!! is the line before, ^R finds an earlier one"),
    ("1+1", "spaces are around an operator: a + b"), ("PATCH", "PATCH https://… or PATCH /path"),
    ("GET /x Authorization: Bearer $env.API_TOKEN", "write auth bearer $env.API_TOKEN"),
    ("GET items", "did you mean /items?"), ("POST /x a", "an item has a value: a=…"),
    ("POST /x \"a b\"=c", "a name that is quoted is a key: json { \"a b\": … }"),
    ("GET /x expect 200 OK", "only the number: expect 200\n"),
    ("profile x { base https://b.example, auth none }", "separated by spaces or lines: https://b.example auth"),
    (":headers", "did you mean :show headers?"), (":curl $1", "did you mean :show $1 curl?"),
    (":curl https://a.example/x", "did you mean curl …?"),
    (":status", "did you mean :print $_.status?"), (":shwo $2", "did you mean :show $2?"),
    ("showw $1", "did you mean :show $1?"), ("cooookies", "did you mean :cookies?"),
    ("profle x", "did you mean profile?"),
    ("GET /events stream until data.n == 3", "a value in the last event: body[-1].data.n\n"),
    ("GET /events stream until event.data.n == 3", "a value in the last event: body[-1].data.n\n"),
    ("GET /events stream until id == \"4\"", "of the last event: body[-1].id; in the last line: body[-1].id;"),
    ("GET /events stream until event.n == 3", "a value in the last event: body[-1].data.n\n"),
    ("http POST /x ...$1.body.fields file@a.png", "multipart { ...$1.body.fields, file: file(\"…\") }"),
    ("GET /events stream until job.done", "body[-1].data.job.done; in the last line: body[-1].job.done\n"),
    ("GET /x expect items[0].id == 1", "a value in the body: body.items[0].id\n"),
    (":use staging.wb", "to take what a file declares: :load staging.wb"),
    ("GET /x Authorization:Bearer $1.body.token", "write auth bearer $1.body.token"),
    ("GET /x X-A:b c $1.body.id", "a value with spaces is quoted: \"b c {$1.body.id}\""),
    ("GET /x X-A:b c", "a value with spaces is quoted: 'b c'"),
    ("login POST /x a=1", "a colon follows a label: login: POST /x\n"),
    ("get-me GET a:/me", "a colon follows a label: get-me: GET a:/me\n"),
    ("GET /x expect 200, body.id == 1", "each condition has its own expect: expect 200 expect body.id == 1"),
    ("GET /x expect 200, 201", "several statuses: 200 | 201"),
    ("GET /x expect duration < 1000", "how long it took: expect time.total < 1s"),
    ("POST /x form csrf=$1.text | regex(\"x\") a=1", "in parentheses: csrf=($1.text | …)"),
    ("GET /x header { Accept: text/plain }", "write \"text/plain\" for the text"),
    ("POST /x json = { a: 1 }", "without =: json {…"), ("POST /x json { a: `b` }", "quotes are \" or '"),
    ("PUT /x file(\"a.png\")", "a file as the body: body file(\"a.png\")"),
    ("GET http//a.example/x", "a URL has a colon: http://a.example/x"),
    ("GET /x expect staus == 200", "did you mean status?"),
    ("POST /x item: teapot", "for JSON: item=teapot; for a header: item:teapot"),
    ("GET /x/${one.body.id}", "the $ goes inside the braces: {$one.body.id}"),
    ("POST /x f@a.png ...$1.body.fields", "multipart { ...$1.body.fields, file: file("), (":set x 3", ":set x = …"),
    ("curl -X post https://a.example/x", "methods are written in uppercase: -X POST"),
    ("curl.exe https://a.example/x ^", "for cmd.exe"),
    ("PUT /x pic.png", "a file as the body: @pic.png"), ("POST /x ./pic.png", "a file as the body: @./pic.png"),
  ])
  func `says what to type`(line: String, hint: String) async {
    let screen = await Self.screen(line)
    #expect(screen.contains(hint), "\(screen)")
  }

  @Test func `help fits in a terminal`() async {
    let screen = await Self.screen(":help\n:help request\n:help items\n:help loop")
    #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(screen)")
  }

  @Test func `a response without a body is said to have none`() async {
    let screen = await Self.screen("HEAD /x\njq .total", answers: [Response(status: .ok)])
    #expect(screen.contains("with no body, as for every HEAD") && !screen.contains("it has address"), "\(screen)")
  }

  @Test func `a variable that is named like a secret is not shown`() async {
    let screen = await Self.screen("$env.API_PASSWORD\n:print $env.API_PASSWORD | base64")
    #expect(screen.contains("\"••••\"") && !screen.contains("hunter2"), "\(screen)")
  }

  @Test(arguments: [
    (
      "expect body.items.count == 2",
      "body.items.count == 2 does not hold: body.items has no \"count\" (to count: body.items | count)"
    ),
    ("expect body.json.x == 2", "body.json.x == 2 does not hold: body has no \"json\" (it has \"items\")"),
    (
      "expect time < 1s",
      "time < 1s does not hold: an object and a duration cannot be ordered (how long it took is time.total)"
    ),
    (
      "expect body contains \"bob\"",
      #"expected body contains "bob", got {"items":[]}; that is about its keys, and for its text: text contains "bob""#
    ),
  ])
  func `an expectation that cannot be looked into says why`(clause: String, message: String) async {
    let outcome = await PromptSession(answers: [.json("{\"items\": []}")]).pipe(["GET https://a.example/x \(clause)"])
    #expect(outcome.screen.contains("error: \(message)"), "\(outcome.screen)")
  }

  @Test func `what the editor leaves as it is, is not sent again`() async {
    let session = PromptSession(answers: [.json("1"), .json("2")], edit: { $0.trimmed })
    let outcome = await session.type("POST https://a.example/x a=1\n:edit\n\u{4}")
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("Nothing was changed"), "\(outcome.screen)")
  }

  @Test func `whose credential a redirect brings into play is said`() async {
    let moved = Response(status: .found, headers: [.location: "https://b.example/x"])
    let screen = await Self.screen(
      "profile b { base https://b.example auth bearer \"tok_1234567890\" }\nGET https://c.example/x",
      answers: [moved, .json("1")])
    #expect(screen.contains("followed with the credential of profile \"b\""), "\(screen)")
  }

  @Test(arguments: ["profile none", ":profile none"])
  func `none leaves the profile`(line: String) async {
    let screen = await Self.screen("profile b { base https://b.example }\n\(line)\nGET /x", answers: [.json("1")])
    #expect(screen.contains("Paths go to no profile; a URL of a profile still has its credential"), "\(screen)")
    #expect(screen.contains("no profile says which host"), "\(screen)")
  }

  @Test func `what was withheld from a host is said once where it was typed`() async {
    let lines =
      "profile b { base https://b.example auth bearer \"tok_1234567890\" }\n"
      + "GET https://c.example/x\nGET https://c.example/y\nGET https://d.example/z"
    let screen = await Self.screen(lines, answers: [.json("1"), .json("2"), .json("3")])
    #expect(screen.components(separatedBy: "withheld authorization").count == 3, "\(screen)")
  }

  @Test func `what was withheld is still to be said where nothing was shown`() async {
    var session = PromptSession(answers: [.json("1"), .json("2")])
    session.program = { _, _ in "" }
    let screen = await session.pipe([
      "profile b { base https://b.example auth bearer \"tok_1234567890\" }", "GET https://c.example/x -i | cat",
      "GET https://c.example/y",
    ]).screen
    #expect(screen.components(separatedBy: "withheld authorization").count == 2, "\(screen)")
  }

  @Test func `what was withheld is said each time where nobody typed where it goes`() async {
    let lines =
      "profile b { base https://b.example auth bearer \"tok_1234567890\" }\nGET /up\n"
      + "GET https://c.example/x\nPUT $1.body.url a=1\nPUT $1.body.url a=1"
    let up = Response.json(#"{"url":"https://c.example/up"}"#)
    let screen = await Self.screen(lines, answers: [up, .json("2"), .json("3"), .json("4")])
    #expect(screen.components(separatedBy: "withheld authorization").count == 4, "\(screen)")
  }

  @Test func `what was withheld on the way is said of the host on the way`() async {
    func moved(_ url: String) -> Response { Response(status: .found, headers: [.location: url]) }
    let answers = [moved("https://c.example/hop"), moved("https://b.example/end"), .json("1"), .json("2")]
    let screen = await Self.screen(
      "profile b { base https://b.example auth bearer \"tok_1234567890\" }\nGET /one\nGET https://c.example/y",
      answers: answers)
    #expect(
      screen.contains("withheld authorization from https://c.example: it belongs to https://b.example\n"), "\(screen)")
    #expect(screen.components(separatedBy: "withheld authorization").count == 3, "\(screen)")
  }

  @Test func `a name of two steps is listed once, with the one that it means`() async {
    let screen = await Self.screen("pre: GET /x\npre: GET /y\n:vars", answers: [.json("1"), .json("2")])
    #expect(screen.contains("$pre  $2, 200") && !screen.contains("$pre  $1"), "\(screen)")
  }

  @Test func `what a script declares is said when it is loaded`() async {
    var session = PromptSession()
    session.files["a.wb"] = Array(
      "let z = 3\nprofile p { base https://p.example }\nsequence one(id: int) { GET https://a.example/{$id} }\n".utf8)
    let outcome = await session.type(":load a.wb\n\u{4}")
    #expect(outcome.screen.contains("z, profile p, one(…)\n"), "\(outcome.screen)")
  }

  @Test func `the rest of a long response is a command away`() async {
    let body = "[" + (0..<400).map { "\($0)" }.joined(separator: ",") + "]"
    let screen = await Self.screen("GET /x", answers: [.json(body)])
    #expect(screen.contains("in all; :body $1 shows it\n"), "\(screen)")
  }

  @Test func `a secret that is refused is not taken for a pipe`() async {
    let lines =
      "secret t = $env.API_TOKEN for a\nPOST https://b.example/x json {a: $t | base64}"
    var session = PromptSession(environment: ["API_TOKEN": "tok_Zq8vR3mK"])
    session.program = { _, _ in "" }
    let screen = await session.type("profile a { base https://a.example }\n\(lines)\n\u{4}").screen
    #expect(screen.contains("may go to https://a.example only") && !screen.contains("type it next"), "\(screen)")
  }

  @Test func `help and members are listed once, and only those that there are`() async {
    let topics = await Self.screen(":help pro\t\u{3}")
    #expect(topics.components(separatedBy: "profile").count <= 4, "\(topics)")
    let members = await Self.screen("GET /x\n$1.\t\u{3}", answers: [.json("1")])
    #expect(members.contains(".body") && !members.contains(".certificate"), "\(members)")
    #expect(!members.contains("1 relations") && !members.contains("0 on the way"), "\(members)")
  }

  @Test(arguments: [
    ("GET /orders --json", "", nil), ("POST /orders --json a=1 b='x y'", #"{"a":"1","b":"x y"}"#, "application/json"),
    ("POST /orders -j a=1", #"{"a":"1"}"#, "application/json"),
    ("POST /orders a=1 --json", #"{"a":"1"}"#, "application/json"),
    ("POST /orders --json '{\"a\": 1}'", #"{"a": 1}"#, "application/json"),
    ("POST /orders --form a=1 b=2", "a=1&b=2", "application/x-www-form-urlencoded"),
    ("POST /orders -f a=1", "a=1", "application/x-www-form-urlencoded"),
  ])
  func `options of HTTPie about the items mean what they mean there`(line: String, body: String, type: String?) async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe(["profile a { base https://a.example }", line])
    let sent = outcome.requests.first
    let bytes = sent?.body?.flatMap { segment -> [UInt8] in if case .bytes(let bytes) = segment { bytes } else { [] } }
    #expect(String(decoding: bytes ?? [], as: UTF8.self) == body, "\(outcome.screen)")
    #expect(sent?.headers[.contentType] == type, "\(outcome.screen)")
  }

  @Test func `a redirect is not followed with the option of HTTPie`() async {
    let answer = Response(status: .found, headers: [.location: "https://a.example/y"], body: ResponseBody([]))
    let outcome = await PromptSession(answers: [answer]).pipe(["GET https://a.example/x --no-follow"])
    #expect(outcome.requests.count == 1 && outcome.screen.contains("redirects none"), "\(outcome.screen)")
  }

  @Test(arguments: ["GET /x \"--auth=ann:pw-of-ann\"", "POST /x form --form=1 a=2", "POST /x a=1 --multipart=x"])
  func `no option of another tool is an item`(line: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(["profile a { base https://a.example }", line])
    #expect(outcome.requests.isEmpty, "\(outcome.screen)")
  }

  @Test func `the index in a loop is apart from the name of a response`() async {
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}")]).pipe([
      "for $i in [1, 2] { GET https://a.example/{$i} }"
    ])
    #expect(outcome.screen.contains("$2 [1]  200 OK"), "\(outcome.screen)")
  }

  @Test func `rounds that a failure left out are counted`() async {
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}", status: 404)]).pipe([
      "for $i in [1, 2, 3, 4] { GET https://a.example/{$i} }"
    ])
    #expect(outcome.screen.contains("2 of 4 did not begin"), "\(outcome.screen)")
  }

  @Test func `a file that was edited and not written is not made`() async {
    let outcome = await PromptSession(answers: [], edit: { _ in "" }).pipe([":edit nope.wb"])
    #expect(outcome.written["nope.wb"] == nil, "\(outcome.screen)")
    #expect(outcome.screen.contains("Nothing was written, so there is no nope.wb."), "\(outcome.screen)")
  }

  /// What is in it has a name, which is shown; and ↑ brings back what was typed, not what it meant.
  @Test func `a file that is imported is shown with the names of its secrets`() async {
    let hurl = """
      POST https://a.example/login
      HTTP 200
      [Captures]
      token: jsonpath "$.token"

      GET https://a.example/me
      Authorization: Bearer {{token}}
      HTTP 200

      """
    let history = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: history) }
    var session = PromptSession(
      files: ["flow.hurl": Array(hurl.utf8)],
      answers: [.json(#"{"token": "\(Canary.secret("imported-and-shown"))"}"#), .json("{}")])
    session.history = History(path: history.path)
    let outcome = await session.pipe([":import flow.hurl"])
    #expect(outcome.screen.contains(#"header Authorization: "Bearer {$token}""#), "\(outcome.screen)")
    let kept = (try? String(contentsOf: history, encoding: .utf8)) ?? ""
    #expect(kept.contains(":import flow.hurl") && !kept.contains("POST"), "\(kept)")
  }
}
