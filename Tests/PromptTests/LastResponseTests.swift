import Formats
import HTTPTypes
import Requests
import Testing
import UploaderCore

@testable import Prompt

/// `$_` in a step is the response before it.
@Suite struct LastResponseTests {
  private static let jobs: [Response] = [
    .json("{}", status: 202, headers: [.location: "https://a.example/jobs/5"]), .json("{\"state\": \"queued\"}"),
    .json("{\"state\": \"running\"}"), .json("{\"state\": \"done\"}"),
  ]

  @Test(arguments: [
    ["POST https://a.example/jobs", "done: GET $_.headers.location repeat every 10ms until body.state == \"done\""],
    [
      """
      for $i in [1] {
        POST https://a.example/jobs
        done: GET $_.headers.location repeat every 10ms until body.state == \"done\" and $_.status == 202
      }
      """
    ],
  ])
  func `in each round of a step it is the same response`(lines: [String]) async {
    let outcome = await PromptSession(answers: Self.jobs).pipe(lines + [":save s.wb"])
    let urls = outcome.requests.map(\.url)
    #expect(urls.dropFirst() == Array(repeating: "https://a.example/jobs/5", count: 3)[...], "\(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("repeat 3 times every 10ms until $_.body.state == \"done\"", "body.state"),
    ("repeat 3 times every 10ms until $_ is { body: { state: string } }", "status == 200"),
    ("stream until $_.body.state == \"done\"", "body.state"),
  ])
  func `what is awaited is no earlier response`(clause: String, written: String) async {
    let outcome = await PromptSession(answers: Self.jobs).pipe([
      "POST https://a.example/jobs", "GET https://a.example/jobs/5 \(clause)",
    ])
    #expect(outcome.screen.contains("error: $_ is the response before this step"), "\(outcome.screen)")
    #expect(outcome.screen.contains("what comes is written without it: \(written)"), "\(outcome.screen)")
    #expect(outcome.requests.count == 1)
  }

  @Test func `what is awaited may be compared with an earlier response`() async {
    let outcome = await PromptSession(answers: [.json("{\"n\": 1}"), .json("{\"n\": 1}"), .json("{\"n\": 2}")]).pipe([
      "GET https://a.example/n", "GET https://a.example/n repeat 5 times every 10ms until body.n > $_.body.n",
    ])
    #expect(outcome.requests.count == 3 && !outcome.screen.contains("error"), "\(outcome.screen)")
  }
}
