import Canaries
import HTTPTypes
import LineEditing
import Prompt
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

@Suite struct TranscriptTests {
  @Test func `a response is shown and named by its number`() async {
    let session = PromptSession(answers: [.json(#"{"id":7,"ok":true}"#), .json("[]")])
    let outcome = await session.type("GET https://a.example/items\nGET https://a.example/items/{$1.body.id}\n\u{4}")
    #expect(
      outcome.screen == """
        Type a request, :help, or ^D to leave.
        (none) $1> GET https://a.example/items
        $1  200 OK  a.example  0 µs  18 B  json
        {
          "id": 7,
          "ok": true
        }
        (none) $2 200> GET https://a.example/items/{$1.body.id}
        $2  200 OK  a.example  0 µs  2 B  json
        []
        (none) $3 200> \n
        """)
    #expect(outcome.requests.map(\.url) == ["https://a.example/items", "https://a.example/items/7"])
  }

  @Test func `an interrupt abandons the line and its continuation`() async {
    let outcome = await PromptSession().type("GET htt\u{3}POST https://a.example json {\n  a: 1\u{3}\u{4}")
    #expect(
      outcome.screen == """
        Type a request, :help, or ^D to leave.
        (none) $1> GET htt^C
        (none) $1> POST https://a.example json {
        ...   a: 1^C
        (none) $1> \n
        """)
    #expect(outcome.requests.isEmpty)
    #expect(outcome.code == .success)
  }

  @Test func `end of input on a line that is not empty does nothing`() async {
    let outcome = await PromptSession().type(":q\u{4}uit\n")
    #expect(outcome.screen == "Type a request, :help, or ^D to leave.\n(none) $1> :quit\n")
  }

  @Test func `a token from a response goes into a profile as it is typed`() async {
    let token = Canary.onScreen("typed-path")
    let session = PromptSession(answers: [.json(#"{"access_token":"\#(token)"}"#), .json("1"), .json("2")])
    let outcome = await session.pipe([
      "POST https://a.example/login", "GET /me",
      "profile api { base https://a.example auth bearer $1.body.access_token }", "GET /me", ":print $1.body",
      ":save s.wb",
    ])
    #expect(outcome.screen.contains("declare one: profile api { base https://a.example }"))
    #expect(outcome.screen.contains("secret api-token = $1.body.access_token for api"), "\(outcome.screen)")
    #expect(outcome.requests.last?.headers[.authorization] == "Bearer \(token)")
    #expect(outcome.screen.contains("\"access_token\": \"••••\""))
    #expect(
      outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } == """
        profile api {
          base https://a.example
          auth bearer $api-token
        }

        post-login: POST /login
          auth none
          expect 200

        secret api-token = $post-login.body.access_token for api

        get-me: GET /me
          expect 200

        """)
    #expect(outcome.screen.hasSuffix("it sends the same requests\n"), "\(outcome.screen)")
  }

  @Test(arguments: ["$_.body.access_token", "$1.body.access_token"])
  func `a profile whose token cannot be read is not made, and one of that name stays as it was`(token: String) async {
    let profile = "profile shop { base https://a.example auth bearer \(token) }"
    let session = PromptSession(answers: [.json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      profile, ":profile", "POST https://a.example/login", profile, "GET /me", ":save s.wb",
    ])
    #expect(outcome.screen.contains("there is no \(token.prefix(2)) yet"), "\(outcome.screen)")
    #expect(outcome.screen.contains("No profile is declared yet"), "\(outcome.screen)")
    #expect(outcome.screen.contains("has no \"access_token\""), "\(outcome.screen)")
    #expect(!outcome.screen.contains("has no value"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://a.example/login"])
    #expect(outcome.written["s.wb"].map { !String(decoding: $0, as: UTF8.self).contains("shop-token") } ?? false)

    let kept = await session.pipe([
      "profile shop { base https://a.example auth bearer 'abcd1234' }", profile, "GET /me",
    ])
    #expect(kept.screen.contains("there is no \(token.prefix(2)) yet"), "\(kept.screen)")
    #expect(kept.requests.last?.headers[.authorization] == "Bearer abcd1234", "\(kept.screen)")
  }

  @Test func `a profile that waits for its token says how a request goes without it`() async {
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "profile shop { base https://a.example }", "secret t = $_.body.token for shop",
      "profile shop { base https://a.example auth bearer $t }", "GET /me", "POST /login auth none",
    ])
    #expect(outcome.screen.contains("$t has no value: what gives it one failed, or did not run"), "\(outcome.screen)")
    #expect(outcome.screen.contains("^^ auth none sends a request without it"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://a.example/login"])
  }

  @Test func `an address is a profile from then on`() async {
    var session = PromptSession(answers: [.json("1"), .json("2"), .json("3")])
    session.address = "https://api.example.com/v1"
    let outcome = await session.pipe([
      "GET /items", ":profile http://127.0.0.1:8080", "GET /x", ":profile https://api.example.com", "GET /y",
    ])
    #expect(outcome.screen.hasPrefix("profile api {\n  base https://api.example.com/v1\n}\n$1"))
    #expect(outcome.screen.contains("profile local {\n  base http://127.0.0.1:8080\n}\n"))
    #expect(
      outcome.requests.map(\.url) == [
        "https://api.example.com/v1/items", "http://127.0.0.1:8080/x", "https://api.example.com/v1/y",
      ])
  }

  @Test func `a status that is an error is not reported twice`() async {
    let session = PromptSession(answers: [.json("1", status: 404), .json("2", status: 401), .json("3", status: 404)])
    let outcome = await session.type(
      "GET https://a.example/x\nGET https://a.example/y\nGET https://a.example/z expect 200\n")
    #expect(
      outcome.screen.hasPrefix(
        """
        Type a request, :help, or ^D to leave.
        (none) $1> GET https://a.example/x
        $1  404 OK  a.example  0 µs  1 B  json
        1
        (none) $2 404> GET https://a.example/y
        $2  401 OK  a.example  0 µs  1 B  json
        2
            no credential was sent
            it does not say which: auth bearer $env.TOKEN, auth basic …, or a login in a profile with cookies on
        (none) $3 401>
        """), "\(outcome.screen)")
    #expect(outcome.screen.contains("error: expected status 200, got 404"))
  }

  @Test func `a redirect that is not followed shows where it leads`() async {
    let moved = Response(status: .found, headers: [.location: "/login?next=%2Fx"])
    let typed = await PromptSession(answers: [moved, moved]).pipe([
      "GET https://a.example/x redirects none", "GET https://a.example/x redirects none -i",
    ])
    #expect(typed.screen.contains("0 B\n    leads to /login?next=%2Fx\n"), "\(typed.screen)")
    #expect(typed.screen.ranges(of: "leads to").count == 1, "\(typed.screen)")
    var session = PromptSession(answers: [moved])
    session.files = ["chain.wb": Array("GET https://a.example/x redirects none".utf8)]
    #expect(await !session.runScript().screen.contains("/login"))
  }

  @Test func `a password comes back in the session but not from the file`() async {
    let session = PromptSession(answers: [.json("1")], history: History(path: nil))
    let outcome = await session.type("POST https://a.example/login password=••••\n")
    #expect(outcome.requests.isEmpty)
    #expect(outcome.screen.contains("error: •••• stands for a text that is hidden, and cannot be sent\n"))
  }

  @Test func `the profile that was typed last is where paths go`() async {
    let session = PromptSession(answers: [.json("1"), .json("2"), .json("3")])
    let outcome = await session.pipe([
      "profile one { base https://one.example }", "GET /a", "profile two { base https://two.example }", "GET /b",
      "profile three { origin https://three.example }", "GET /c",
    ])
    #expect(
      outcome.requests.map(\.url) == ["https://one.example/a", "https://two.example/b", "https://two.example/c"])
  }

  @Test func `the prompt reports a failure immediately and a script retries`() async {
    var session = PromptSession(answers: [.json("1", status: 503), .json("2", status: 503), .json("3")])
    session.files = ["s.wb": Array("GET https://a.example/script".utf8)]
    let outcome = await session.pipe(["GET https://a.example/typed", ":run s.wb"])
    #expect(
      outcome.requests.map(\.url) == [
        "https://a.example/typed", "https://a.example/script", "https://a.example/script",
      ])
    session.answers = [.json("1", status: 503), .json("2")]
    let written = await session.pipe(["GET https://a.example/x retry 2"])
    #expect(written.requests.count == 2, "\(written.screen)")
  }

  @Test func `a repetition that does not begin leaves the label what it had`() async {
    let session = PromptSession(answers: [.json(#"{"links":{}}"#)])
    let outcome = await session.pipe([
      "p: GET https://a.example/a", "p: GET $p.body.links.next repeat until links.next ?? null == null", "$p.status",
    ])
    #expect(outcome.requests.count == 1 && outcome.screen.hasSuffix("200\n"), "\(outcome.screen)")
    #expect(
      outcome.screen.contains("step \"p\" has no previous round yet")
        && outcome.screen.contains("its label hides the other $p; ?? gives a default"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("until not body.next", "body.next is a string; for whether it is missing: until body.next ?? null == null"),
    ("until body.next", "body.next is a string; for whether it is there: until body.next ?? null != null"),
  ])
  func `a condition that is neither true nor false says what to write`(condition: String, sentence: String) async {
    let session = PromptSession(answers: [.json(#"{"next":"/b"}"#)])
    let outcome = await session.pipe(["GET https://a.example/a repeat \(condition)"])
    #expect(outcome.screen.contains("\(condition) does not hold: \(sentence)"), "\(outcome.screen)")
  }
}
