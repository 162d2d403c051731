import Canaries
import Requests
import Subcommands
import Testing

@testable import Formats

/// A password that is a common word is also the name of something, which is not its value.
@Suite struct SavedWordTests {
  private func saved(_ lines: String..., numbers: String = "") async -> (text: String, screen: String) {
    let session = PromptSession(answers: [.json(#"{"secret":{"password":1}}"#), .json("{}")])
    let outcome = await session.pipe(lines + [":save s.wb \(numbers)"])
    return (outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? "", outcome.screen)
  }

  @Test(arguments: [
    ("POST https://a.example/login user=ann password=secret", "json { user: \"ann\", password: $password }"),
    (
      "POST https://a.example/login json { password: \"password\", \"secret\": 1 }",
      "password: $password, \"secret\": 1"
    ),
    ("POST https://a.example/login json { \"a password\": 1, password: \"password\" }", "\"a password\": 1"),
    ("curl https://a.example/login -d user=ann -d password=secret", "user=ann&password={$password}"),
    ("POST https://a.example/login password=expect", "expect 200"),
  ])
  func `it is in the environment, and names stay`(line: String, written: String) async {
    let (text, screen) = await saved(line)
    #expect(text.contains(written), "\(text)\(screen)")
    #expect(text.contains("secret password = $env.A_PASSWORD for a\n"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a path to a member of that name stays`() async {
    let (text, screen) = await saved(
      "POST https://a.example/login password=secret", "POST https://a.example/x n=$1.body.secret.password")
    #expect(text.contains("$post-login.body.secret.password"), "\(text)\(screen)")
  }

  @Test func `a comment is written without it`() async {
    let (text, screen) = await saved("# my secret santa\nPOST https://a.example/login password=secret")
    #expect(text.contains("password: $password"), "\(screen)")
    #expect(!text.contains("my secret santa"), "\(text)")
  }

  @Test func `in the place of a value its request is left out, and the message says which`() async {
    let (text, screen) = await saved(
      "POST https://a.example/login password=secret", "POST https://a.example/secret/items note=\"top secret\"")
    #expect(text.contains("post-login:") && !text.contains("items"), "\(text)")
    #expect(
      screen.contains("left out $2, which would contain the value of \"password\": post-items: POST /••••/items"),
      "\(screen)")
    #expect(screen.contains("secret name = $env.NAME for profile"), "\(screen)")
  }

  @Test func `in the place of a value it is refused where it is asked for, and the message says which and where`() async
  {
    let (text, screen) = await saved(
      "POST https://a.example/login password=secret", "POST https://a.example/secret/items note=\"top secret\"",
      numbers: "1 2")
    #expect(text.isEmpty, "\(text)")
    #expect(screen.contains("s.wb is not written: it would contain the value of \"password\""), "\(screen)")
    #expect(screen.contains(" = line 13, $2, would be: post-items: POST /••••/items"), "\(screen)")
    #expect(screen.contains(":save chain.wb 3..7"))
  }

  @Test func `no step is called after it`() async {
    let word = "lavender"
    let session = PromptSession(environment: ["WORD": word], answers: [.json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", "secret word = $env.WORD for a", "POST https://a.example/items/\(word)",
      ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("post-items: POST /items/{$word}"), "\(text)\(outcome.screen)")
    #expect(!text.contains(word), "\(text)")
  }

  @Test func `what no name looks like is refused in a name, too`() {
    let token = Canary.secret("in-a-name")
    let secrets: Set = [Secret(token, name: "token", for: [])]
    #expect(WrittenSecrets("POST https://a.example json { \(token): 1 }").leak(of: secrets)?.line == 1)
    #expect(WrittenSecrets("GET https://a.example\n  header X: \"b\"\n").leak(of: secrets) == nil)
  }
}
