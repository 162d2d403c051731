import HTTPTypes
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

@Suite struct SendTests {
  @Test func `a pipe gets the body and nothing else`() async {
    let (code, outcome) = await PromptSession(answers: [.json("{\"a\": [1.0]}")]).send("GET https://a.example/x")
    #expect(code == .success)
    #expect(outcome.screen == "")
    #expect(outcome.written == ["-": Array("{\"a\": [1.0]}".utf8)])
  }

  @Test func `a failure is reported beside the body`() async {
    let (code, outcome) = await PromptSession(answers: [.json("{}", status: 404)])
      .send("GET https://a.example/x", output: "out.json")
    #expect(code == .failed)
    #expect(outcome.written["out.json"] == Array("{}".utf8))
    #expect(outcome.screen.hasPrefix("error: expected status 2xx or 3xx, got 404"))
  }

  @Test func `what failed is written, and not what was done finally`() async {
    let (code, outcome) = await PromptSession(answers: [.json("{\"is\": \"wrong\"}", status: 404), .json("{}")])
      .send("finally { DELETE https://a.example/x }\nGET https://a.example/x", output: "out.json")
    #expect(code == .failed && outcome.requests.count == 2, "\(outcome.screen)")
    #expect(outcome.written["out.json"] == Array("{\"is\": \"wrong\"}".utf8))
  }

  @Test(arguments: [
    ("GET", ExitCode.usage), ("let a = 1", .usage), ("GET /x", .usage), ("get https://a.example", .success),
  ])
  func `exit codes tell what happened`(request: String, code: ExitCode) async {
    #expect(await PromptSession(answers: [.json("1")]).send(request).code == code)
  }

  @Test func `profiles of the user are there`() async {
    let session = PromptSession(
      environment: ["HOME": "/h"],
      files: [
        "/h/.config/workbench/profiles.wb": Array(
          "profile a { base https://a.example }\nprofile b { base https://b.example }".utf8)
      ],
      answers: [.json("1")])
    let (code, outcome) = await session.send("GET /x", profile: "b")
    #expect(code == .success && outcome.requests.map(\.url) == ["https://b.example/x"])
    #expect(await session.send("GET /x", profile: "c").code == .usage)
  }

  @Test func `a profile of the user that lacks its variable is missed when it is used`() async {
    let session = PromptSession(
      environment: ["HOME": "/h"],
      files: [
        "/h/.config/workbench/profiles.wb": Array(
          "profile a { base https://a.example auth bearer $env.A_TOKEN }\nprofile b { base https://b.example }".utf8)
      ],
      answers: [.json("1"), .json("2")])
    let (code, outcome) = await session.send("GET /x", profile: "b")
    #expect(code == .success && outcome.requests.map(\.url) == ["https://b.example/x"], "\(outcome.screen)")
    let refused = await session.send("GET https://a.example/x")
    #expect(refused.code != .success && refused.outcome.requests.isEmpty, "\(refused.outcome.screen)")
    #expect(refused.outcome.screen.contains("the environment has no \"A_TOKEN\""), "\(refused.outcome.screen)")
    #expect(await session.send("GET https://a.example/x auth none").code == .success)
  }

  @Test(arguments: [
    ("expect status < 400", false), ("expect status >= 200 and status < 400", false),
    ("expect not (status == 200)", false),
    ("expect status != 500", false), ("expect status in [200, 201, 204] or true", false), ("expect 2xx | 3xx", true),
    ("expect status == 307", true), ("expect status in [302, 307]", true), ("expect 307", true),
    ("expect status == (\"307\" | to-number)", true), ("redirects none", true), ("", false),
  ])
  func `a refused redirect is expected only if it is named`(clause: String, isExpected: Bool) async {
    let refused = PromptSession(
      answers: [.json("{}", status: 307, headers: [.location: "https://other.example/"])])
    let (code, outcome) = await refused.send("POST https://a.example/x text \"a\" \(clause)")
    #expect(code == (isExpected ? .success : .failed), "\(clause): \(outcome.screen)")
    #expect(outcome.requests.count == 1)
  }
}
