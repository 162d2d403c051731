import HTTPTypes
import Requests
import Testing

@testable import RequestProgram

/// What was recorded in an earlier version of the language means what it meant there.
@Suite struct EarlierLanguageTests {
  private static func run(_ script: String, in version: Int, _ response: Response) -> ScriptHarness.Outcome {
    var harness = ScriptHarness()
    harness.environment.language = version
    harness.answer = { _, _ in response }
    return harness.run(script)
  }

  @Test func `what is missing has no shape, which was an error`() {
    let script = "a: GET http://a.test/\nGET http://a.test/{if $a.body.x is string then 1 else 2}"
    let response = Response(
      status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(Array("{}".utf8)))
    #expect(Self.run(script, in: 1, response).error != nil)
    #expect(Self.run(script, in: 2, response).requests.map(\.url).last == "http://a.test/2")
  }

  @Test func `a text is in the charset of its type, and was in UTF-8`() {
    let script = "a: GET http://a.test/\nGET http://a.test/{$a.text}"
    let response = Response(
      status: .ok, headers: [.contentType: "text/plain; charset=iso-8859-1"], body: ResponseBody([0xE9]))
    #expect(Self.run(script, in: 1, response).requests.map(\.url).last == "http://a.test/%EF%BF%BD")
    #expect(Self.run(script, in: 2, response).requests.map(\.url).last == "http://a.test/%C3%A9")
  }

  @Test func `a status that is not asked for is waited out, and ended it`() {
    let script = "GET http://a.test/ repeat 3 times until status == 200"
    let response = Response(status: .serviceUnavailable)
    #expect(Self.run(script, in: 1, response).requests.count == 1)
    #expect(Self.run(script, in: 2, response).requests.count == 3)
    #expect(Self.run(script, in: 1, response).requests.first?.head.patience == nil)
    #expect(Self.run(script, in: 2, response).requests.first?.head.patience != nil)
  }
}
