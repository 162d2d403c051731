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
}
