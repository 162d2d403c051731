import Formats
import HTTPTypes
import Requests
import Sessions
import Testing

@testable import Prompt

/// For curl and HTTPie, a 404 is a response like any other, unless they are told otherwise.
@Suite struct AnyStatusTests {
  private static let missing = PromptSession(answers: [
    Response(status: .notFound, body: ResponseBody(Array("no such item".utf8)))
  ])

  @Test(arguments: [
    ("curl -s https://a.example/x", ExitCode.success), ("curl -sf https://a.example/x", .failed),
    ("curl --fail-with-body https://a.example/x", .failed), ("http https://a.example/x", .success),
    ("http --check-status https://a.example/x", .failed), ("http --download https://a.example/x", .failed),
    ("xh https://a.example/x", .failed), ("xh --no-check-status https://a.example/x", .success),
    ("GET https://a.example/x", .failed),
  ])
  func `send ends as that tool does`(line: String, code: ExitCode) async {
    let sent = await Self.missing.send(line)
    #expect(sent.code == code, "\(sent.outcome.screen)")
    #expect(sent.outcome.requests.count == 1)
    let words = line.split(separator: " ").map(String.init)
    let sentWords = await Self.missing.send(SentWords(words))
    #expect(sentWords.code == code, "\(sentWords.outcome.screen)")
  }

  @Test(arguments: [
    ("curl -o f.txt https://a.example/x", true), ("curl -f -o f.txt https://a.example/x", false),
    ("http -o f.txt https://a.example/x", true), ("http -d -o f.txt https://a.example/x", false),
    ("curl https://a.example/x > f.txt", true), ("GET https://a.example/x -o f.txt", false),
  ])
  func `its file has what that tool writes`(line: String, isWritten: Bool) async {
    let typed = await Self.missing.type("\(line)\n\u{4}")
    #expect((typed.written["f.txt"]?.count == 12) == isWritten, "\(typed.screen)")
    let sent = await Self.missing.send(line).outcome
    #expect((sent.written["f.txt"]?.count == 12) == isWritten, "\(sent.screen)")
  }

  @Test func `a refused credential is told where any status will do`() async {
    var refused = Response.json("{}", status: 401)
    refused.headers[.wwwAuthenticate] = "Basic realm=x"
    let session = PromptSession(answers: [refused])
    for (line, isTold) in [("curl https://a.example/x", true), ("GET https://a.example/x expect 401", false)] {
      let typed = await session.type("\(line)\n\u{4}").screen
      #expect(typed.contains("it asks for Basic (realm \"x\"): auth basic") == isTold, "\(typed)")
    }
  }

  @Test func `a body for /dev/null is not shown, and the status is`() async {
    let session = PromptSession(answers: [.json("{\"shown\": 1}")])
    let typed = await session.type("curl -s -o /dev/null https://a.example/x\n\u{4}")
    #expect(typed.screen.contains("$1  200 OK") && !typed.screen.contains("shown"), "\(typed.screen)")
    #expect(await session.send("curl -s -o /dev/null https://a.example/x").outcome.screen == "")
  }

  @Test(arguments: [
    ("%{http_code}", "404"), ("%{http_code} %{method} %{url_effective}\\n", "404 GET https://a.example/x\n"),
    ("100%% %{size_download} %header{x-a}\\t|", "100% 12 b\t|"), ("plain", "plain"), ("%{num_redirects}", "0"),
  ])
  func `what curl writes after the response is written`(format: String, text: String) async {
    let response = Response(
      status: .notFound, headers: [.init("X-A")!: "b"], body: ResponseBody(Array("no such item".utf8)))
    let words = SentWords(["curl", "-s", "-o", "/dev/null", "-w", format, "https://a.example/x"])
    let sent = await PromptSession(answers: [response]).send(words)
    #expect(sent.outcome.screen == text && sent.code == .success)
    let whole = SentWords(["curl", "-w", format, "https://a.example/x"])
    #expect(await PromptSession(answers: [response]).send(whole).outcome.screen.hasSuffix(text))
  }

  @Test func `a variable that is not known is an error, and nothing is sent`() async {
    let sent = await Self.missing.send(SentWords(["curl", "-w", "%{no_such}", "https://a.example/x"]))
    #expect(sent.code == .usage && sent.outcome.requests.isEmpty, "\(sent.outcome.screen)")
    #expect(sent.outcome.screen.contains("-w knows no %{no_such} here"), "\(sent.outcome.screen)")
  }
}
