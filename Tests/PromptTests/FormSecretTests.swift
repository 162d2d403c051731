import Canaries
import Requests
import Testing
import UploaderCore

/// Passwords in forms and JSON that are typed as texts, where a server reads another text than is written.
@Suite struct FormSecretTests {
  /// What a server would repeat.
  private static let word = "correct"
  private static var password: String { "\(word) \(Canary.onScreen("form-password")) & co" }
  private static var encoded: String {
    PercentEncoding.component.encode(password).replacing("%20", with: "+")
  }

  private static func echo(_ text: String) -> Response {
    .json("{\"password\": \"\(text)\", \"note\": \"is correct\"}")
  }

  @Test(arguments: [
    "curl https://a.example/x -d user=ada -d 'password={}'", "curl 'https://a.example/x?password={}'",
    "POST https://a.example/x body \"user=ada&password={}\" as \"application/x-www-form-urlencoded\"",
  ])
  func `what a form has encoded is hidden as the server reads it`(line: String) async {
    let outcome = await PromptSession(answers: [Self.echo(Self.password)]).pipe([
      line.replacing("{}", with: Self.encoded)
    ])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("\"password\": \"••••\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"is correct\"") && !outcome.screen.contains("warning:"), "\(outcome.screen)")
  }

  @Test func `a form field with spaces is one secret, and none of its words is`() async {
    let outcome = await PromptSession(answers: [Self.echo(Self.password)]).pipe([
      "curl https://a.example/x -d user=ada -d \"password=\(Self.password.replacing(" & co", with: ""))\" -d csrf=abc"
    ])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("\"is correct\"") && !outcome.screen.contains("warning:"), "\(outcome.screen)")
  }

  @Test func `JSON with an escape in its secret is hidden as a whole`() async {
    let tail = Canary.onScreen("escaped-tail")
    let session = PromptSession(answers: [.json("{}")])
    let outcome = await session.pipe([
      "curl https://a.example/x --json '{\"password\": \"seal horse \\\"\(tail)\"}'", ":history",
    ])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(!outcome.screen.contains(tail), "\(outcome.screen)")
  }

  @Test func `a saved script encodes the password that a form has encoded`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "curl https://a.example/x -d user=ada --data-urlencode 'password=p&ss=w%rd+long word'", ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("user=ada&password={$password | url-encode"), "\(text)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }
}
