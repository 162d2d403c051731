import Canaries
import LineEditing
import Requests
import Testing

/// What the program writes in place of what was typed has no more in it than the history.
@Suite struct WrittenBackTests {
  @Test(arguments: [
    ("http -a ann:SECRET a.test/x", "auth basic \"ann\", \"••••\""),
    ("http a.test/x Authorization:SECRET", "Authorization:\"••••\""),
    ("http a.test/x Cookie:SECRET", "Cookie:\"••••\""), ("http a.test/x password=SECRET", "password=\"••••\""),
    ("curl -u ann:SECRET http://a.test/x", "auth basic \"ann\", \"••••\""),
    ("localhost/x?access_token=SECRET", "GET http://localhost/x?access_token=••••"),
    ("POST localhost/x password=SECRET", "POST http://localhost/x password=••••"),
  ])
  func `an echoed line hides what was typed`(line: String, shown: String) async {
    let secret = Canary.secret("echoed")
    let outcome = await PromptSession(answers: [.json("{\"a\":1}")]).pipe([line.replacing("SECRET", with: secret)])
    #expect(outcome.screen.contains(shown), "\(outcome.screen)")
    #expect(!outcome.screen.contains(secret), "\(outcome.screen)")
    #expect(outcome.requests.count == 1)
  }

  @Test func `what a server repeats of a line for another tool is hidden`() async {
    let secret = Canary.secret("repeated")
    let outcome = await PromptSession(answers: [.json("{\"Authorization\":\"Token \(secret)\"}")]).pipe([
      "http a.test/x 'Authorization:Token \(secret)'"
    ])
    #expect(!outcome.screen.contains(secret), "\(outcome.screen)")
  }

  @Test(arguments: [("timeout true ", false), ("", true), ("base https://a.example ", true)])
  func `what is refused is not written back before`(base: String, isTaken: Bool) async {
    let screen = await PromptSession(answers: [.json("{\"token\": \"token-of-ann\"}")]).pipe([
      "profile a { base https://a.example }", "POST /login name=ann", "profile a { \(base)auth bearer $_.body.token }",
    ]).screen
    #expect(screen.contains("auth bearer $a-token\n") == isTaken, "\(screen)")
    #expect(screen.contains("error:") != isTaken, "\(screen)")
  }

  @Test func `the history is listed without it`() async {
    let secret = Canary.secret("listed")
    var session = PromptSession(answers: [.json("{}")])
    session.history = History(path: nil)
    let outcome = await session.pipe(["POST https://a.test/x password=\(secret)", ":history"])
    #expect(outcome.screen.contains("POST https://a.test/x password=••••\n"), "\(outcome.screen)")
  }
}
