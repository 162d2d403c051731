import Canaries
import HTTPTypes
import Requests
import Testing

/// A secret that nobody declared, typed into a request at the prompt, is hidden as one of a pasted curl line is.
@Suite struct TypedSecretTests {
  private static let secret = Canary.secret("typed")

  private func screen(_ lines: [String], echoing echo: String = "{}") async -> PromptSession.Outcome {
    let session = PromptSession(answers: Array(repeating: .json(echo), count: lines.count))
    return await session.pipe(lines)
  }

  @Test(arguments: [
    "POST https://a.example/login name=ann password={}", "POST https://a.example/login json { password: \"{}\" }",
    "POST https://a.example/login form { password: \"{}\" }",
    "POST https://a.example/login text \"user=ann&password={}\"",
    "GET https://a.example/login query { access_token: \"{}\" }", "GET https://a.example/login access_token=={}",
    "GET https://a.example/login X-Api-Key:{}", "GET https://a.example/login header Authorization: \"Bearer {}\"",
    "GET https://a.example/login auth basic \"ann\", \"{}\"", "GET https://a.example/login auth bearer \"{}\"",
    "let password = \"{}\"\nPOST https://a.example/login json { a: $password }",
  ])
  func `it is in nothing that shows the request`(line: String) async {
    let lines = line.replacing("{}", with: Self.secret).split(separator: "\n").map(String.init)
    let outcome = await screen(
      lines + [":show request", ":show wire", ":show curl", "$1.request", ":diff $1 $1", ":explain $1"],
      echoing: "{\"echo\":\"\(Self.secret)\"}")
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(Canary.place(of: Self.secret, in: .init(outcome.screen.utf8)) == nil, "\(outcome.screen)")
    #expect(outcome.screen.contains("••••"), "\(outcome.screen)")
  }

  @Test func `it goes wherever it is written`() async {
    let outcome = await screen([
      "POST https://a.example/login password=\(Self.secret)", "POST https://b.example/login password=\(Self.secret)",
      "POST https://c.example/login text \"\(Self.secret)\"",
    ])
    #expect(outcome.requests.count == 3, "\(outcome.screen)")
  }

  @Test func `what something is compared with is shown where it comes from`() async {
    let outcome = await screen(
      ["GET https://a.example/me expect body.token == \"none-of-these\"", "$1.body"],
      echoing: "{\"token\":\"none-of-these\"}")
    #expect(outcome.screen.contains("\"token\": \"none-of-these\""), "\(outcome.screen)")
  }

  @Test func `a short one is warned about, since other texts are hidden with it`() async {
    let outcome = await screen(["POST https://a.example/login name=guest password=guest"], echoing: "{\"a\":\"guest\"}")
    #expect(outcome.screen.contains("warning: the password is shorter than 8 bytes"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"a\": \"••••\""), "\(outcome.screen)")
  }

  @Test func `the next one is warned about if that one was refused`() async {
    let refused = Response.json("{}", status: 401)
    let outcome = await PromptSession(answers: [refused, .json("{}"), .json("{}")]).pipe([
      "POST https://a.example/login name=guest password=wrong",
      "POST https://a.example/login name=guest password=guest",
      "POST https://a.example/login name=ann password=other",
    ])
    #expect(outcome.screen.ranges(of: "warning: the password is shorter").count == 2, "\(outcome.screen)")
  }

  @Test func `one that reads like a word of the program leaves that word in its warning and its help`() async {
    let outcome = await screen(
      ["POST https://a.example/login name=ann password=secret", ":help profile"], echoing: "{\"a\":\"secret\"}")
    #expect(outcome.screen.contains("warning: the password is shorter than 8 bytes"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\n  secret token = ask(\"token\") for api"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"a\": \"••••\""), "\(outcome.screen)")
  }

  @Test func `a list of words of the language has no gap where one is a password`() async {
    let outcome = await screen(
      ["GET https://a.example/x -u ann:secret", "gte https://a.example/x"], echoing: "{\"a\":\"secret\"}")
    #expect(outcome.screen.contains("profile, run, secret, sequence"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"a\": \"••••\""), "\(outcome.screen)")
  }

  @Test func `one that was declared is hidden there, too`() async {
    var session = PromptSession(answers: [.json("{}")])
    session.environment = ["PIN": "secret"]
    let outcome = await session.pipe([
      "profile p { base https://a.example }", "secret pin = $env.PIN for p", "GET /x X-Pin:$pin",
      "gte https://a.example/x",
    ])
    #expect(outcome.requests.count == 1 && !outcome.screen.contains("run, secret, sequence"), "\(outcome.screen)")
  }

  @Test func `the debugger shows it neither before nor after its step`() async {
    var session = PromptSession(answers: [.json("{\"a\":\"\(Self.secret)\"}")])
    session.files["chain.wb"] = Array("POST https://a.example/login json { password: \"\(Self.secret)\" }\n".utf8)
    let outcome = await session.debug("p request", "n", "p request", "p")
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(!outcome.screen.contains(Self.secret), "\(outcome.screen)")
  }

  @Test(arguments: [
    #"curl https://a.example/me -H 'X-Api-Key: $1.body.access_token'"#,
    #"curl https://a.example/me -H 'Authorization: Bearer $1.body.access_token'"#,
  ])
  func `a reference that was typed as a text is not hidden`(line: String) async {
    let session = PromptSession(answers: [.json(#"{"access_token":"x"}"#), .json("{}"), .json("{}")])
    let outcome = await session.pipe(["POST https://a.example/token", line, ":print \"say $1.body.access_token\""])
    #expect(
      outcome.screen.hasSuffix("say $1.body.access_token\"\n")
        || outcome.screen.hasSuffix("say $1.body.access_token\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("warning: $1.body.access_token is sent as it is written\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("••••"), "\(outcome.screen)")
  }

  @Test func `a user with a very short password is no key`() async {
    let session = PromptSession(answers: [.json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "GET https://a.example/users -u admin:x", "POST https://b.example/post who=admin",
      "GET https://a.example/users auth basic \"admin\", \"xy\"",
    ])
    #expect(outcome.requests.count == 3 && !outcome.screen.contains("warning"), "\(outcome.screen)")
  }

  @Test func `a secret with a dollar sign is hidden, whatever it looks like`() async {
    let session = PromptSession(answers: [.json("{}")])
    let outcome = await session.pipe([
      #"GET https://a.example/me Authorization:"Bearer $ecret.word""#, ":print \"say $ecret.word\"",
    ])
    #expect(outcome.screen.contains("say ••••"), "\(outcome.screen)")
  }
}
