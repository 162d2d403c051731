import Canaries
import HTTPTypes
import Interactive
import Requests
import Testing
import UploaderCore

@Suite struct TranscriptTests {
  @Test func anAnswerIsShownAndNamedByItsNumber() async {
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

  @Test func anInterruptGivesUpTheLineAndItsContinuation() async {
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

  @Test func endOfInputOnALineThatIsNotEmptyDoesNothing() async {
    let outcome = await PromptSession().type(":q\u{4}uit\n")
    #expect(outcome.screen == "Type a request, :help, or ^D to leave.\n(none) $1> :quit\n")
  }

  @Test func aTokenOfAnAnswerGoesIntoAProfileAsItIsTyped() async {
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
}
