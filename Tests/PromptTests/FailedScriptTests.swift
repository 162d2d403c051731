import HTTPTypes
import Requests
import Sessions
import Testing
import UploaderCore

/// What a script that fails leaves in the session.
@Suite struct FailedScriptTests {
  private static let script = """
    profile api { base https://a.example auth bearer $token }
    secret password = $env.API_PASSWORD for api
    let answer = 42
    login: POST /login json { password: $password } auth none expect 200
    secret token = $login.body.token for api
    GET /me
    """

  private static func session(_ answers: [Response]) -> PromptSession {
    var session = PromptSession(answers: answers)
    session.files = ["chain.wb": Array(script.utf8)]
    return session
  }

  @Test func `one that lacks a variable does not begin, and changes nothing`() async {
    let outcome = await Self.session([.json("{}")]).pipe([
      "profile api { base https://mine.example header X-Mine: 1 }", ":run chain.wb", "GET /x", ":vars",
    ])
    #expect(outcome.screen.contains("the environment has no \"API_PASSWORD\""), "\(outcome.screen)")
    #expect(outcome.screen.contains(":load .env gives those of a file"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://mine.example/x"], "\(outcome.screen)")
    #expect(outcome.screen.contains("There are no names yet"), "\(outcome.screen)")
  }

  @Test func `one that is debugged and lacks a variable gets it at the prompt`() async {
    let outcome = await Self.session([.json("{}")]).pipe([":debug chain.wb"])
    #expect(outcome.screen.contains("the environment has no \"API_PASSWORD\""), "\(outcome.screen)")
    #expect(outcome.screen.contains(":load .env gives those of a file"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("export") && outcome.requests.isEmpty, "\(outcome.screen)")
  }

  @Test func `one that stops before its profile has a credential gives the earlier one back`() async throws {
    var session = Self.session([.json("{}", status: 401), .json("{}")])
    session.environment = ["API_PASSWORD": "wrong-password"]
    let outcome = await session.pipe([
      "profile api { base https://mine.example header X-Mine: 1 }", ":run chain.wb", "GET /x", ":vars",
    ])
    #expect(
      outcome.requests.map(\.url) == ["https://a.example/login", "https://mine.example/x"], "\(outcome.screen)")
    #expect(outcome.screen.contains("profile api is what it was before: "), "\(outcome.screen)")
    // What the script came to know stays.
    #expect(outcome.screen.contains("$answer  42") && outcome.screen.contains("$login  $1, 401"), "\(outcome.screen)")
  }

  @Test func `a profile that the session did not have stays, for whoever goes on by hand`() async {
    var session = Self.session([.json("{}", status: 401), .json("{\"token\": \"a-long-token\"}"), .json("{}")])
    session.environment = ["API_PASSWORD": "wrong-password"]
    let outcome = await session.pipe([
      ":run chain.wb", "POST api:/login auth none", "secret token = $_.body.token for api", "GET api:/me",
    ])
    #expect(outcome.requests.last?.headers[.authorization] == "Bearer a-long-token", "\(outcome.screen)")
  }
}
