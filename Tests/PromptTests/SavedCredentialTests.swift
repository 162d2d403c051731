import Canaries
import Formats
import Requests
import Testing

@testable import Prompt

/// At a prompt, a profile is declared again with another credential; what was sent before has the first one.
@Suite struct SavedCredentialTests {
  private static let first = Canary.secret("first-credential")
  private static let second = Canary.secret("second-credential")

  @Test func `a token that was renewed is saved with both logins`() async {
    let profile = "profile shop { base https://shop.example auth bearer $login.body.token }"
    let session = PromptSession(answers: [
      .json("{\"token\": \"\(Self.first)\"}"), .json("{}"), .json("{\"token\": \"\(Self.second)\"}"), .json("{}"),
    ])
    let outcome = await session.pipe([
      "login: POST https://shop.example/login user=ann", profile, "GET /me", "login: POST /login user=ann", profile,
      "GET /me", ":save all.wb", ":save last.wb 4",
    ])
    #expect(
      outcome.screen.ranges(of: "run over these responses, it sends the same requests").count == 2, "\(outcome.screen)")
    let all = outcome.written["all.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(all.contains("login: POST /login\n  json { user: \"ann\" }\n  auth none\n"), "\(all)")
    #expect(all.contains("get-me: GET /me\n  auth bearer $shop-token\n"), "\(all)")
    #expect(all.contains("login-2: POST /login\n  json { user: \"ann\" }\n  auth bearer $shop-token\n"), "\(all)")
    #expect(all.contains("get-me-2: GET /me\n  expect 200\n"), "\(all)")
    // The second login was sent with the token of the first.
    let last = outcome.written["last.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(last.ranges(of: ": POST /login").count == 2 && last.ranges(of: "GET /me").count == 1, "\(last)")
  }

  @Test func `a declared token that is pasted again keeps its name`() async {
    let session = PromptSession(answers: [.json("{\"token\": \"\(Self.first)\"}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "profile shop { base https://shop.example }", "login: POST /login user=ann",
      "secret token = $login.body.token for shop",
      "curl https://shop.example/me -H 'Authorization: Bearer \(Self.first)'", "GET /orders auth bearer $token",
      ":save all.wb",
    ])
    let text = outcome.written["all.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.ranges(of: "secret token").count == 1, "\(text) \(outcome.screen)")
    #expect(text.ranges(of: "auth bearer $token\n").count == 2, "\(text) \(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test func `a password that is in the path too is called a password, and servers on one host are told apart by port`()
    async
  {
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "GET http://localhost:8411/ann/correct-horse-81 auth basic \"ann\", \"correct-horse-81\"",
      "GET http://localhost:8412/x",
      ":save all.wb",
    ])
    let text = outcome.written["all.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("secret password = $env.LOCAL_PASSWORD for local\n"), "\(text) \(outcome.screen)")
    #expect(text.contains("profile local-8412 {"), "\(text) \(outcome.screen)")
  }

  /// - Parameters:
  ///   - credential: what the profile has, twice.
  ///   - written: how the step says that it was sent with the first.
  @Test(arguments: [
    ("auth bearer \"1\"", "auth bearer \"2\"", "auth bearer $"),
    ("auth basic \"ann\", \"1\"", "auth bearer \"2\"", "auth basic \"ann\", $"),
    ("auth bearer \"1\"", "auth basic \"ann\", \"2\"", "auth bearer $"),
    ("auth basic \"ann\", \"1\"", "auth basic \"bob\", \"1\"", "auth basic \"ann\", $"),
  ])
  func `what was sent with another credential says so`(before: String, after: String, written: String) async {
    let filled = { (text: String) in
      text.replacing("\"1\"", with: "\"\(Self.first)\"").replacing("\"2\"", with: "\"\(Self.second)\"")
    }
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "profile p { base https://p.example \(filled(before)) }", "GET /one",
      "profile p { base https://p.example \(filled(after)) }", "GET /two", ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    let (one, two) = (text.ranges(of: "GET /one\n  \(written)"), text.ranges(of: "GET /two\n  expect 200"))
    #expect(one.count == 1 && two.count == 1, "\(text)\(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(text)\(outcome.screen)")
    #expect([Self.first, Self.second].allSatisfy { !text.contains($0) }, "\(text)")
  }
}
