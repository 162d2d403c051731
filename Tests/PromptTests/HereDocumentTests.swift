import Canaries
import Requests
import Testing

@testable import Prompt

/// Texts that a line for another tool reads: `<<END`.
@Suite struct HereDocumentTests {
  private static let curl = "curl https://a.example/x -H 'Content-Type: application/json' --data-binary @-"

  @Test(arguments: [
    (curl + " <<EOF\n{\"a\": 1,\n \"b\": 2}\nEOF", "{\"a\": 1,\n \"b\": 2}\n"),
    (curl + " <<'EOF'\n{\"a\": \"$HOME\"}\nEOF", "{\"a\": \"$HOME\"}\n"),
    (curl + " <<-EOF\n\tit's\n\tEOF", "it's\n"), (curl + " <<< '{\"a\": 1}'", "{\"a\": 1}\n"),
    ("curl https://a.example/x -d @- \\\n  -H 'A: b' <<EOF\na=1\nEOF", "a=1"),
    (curl + " <<EOF\n{\"a\": \"$OUTSIDE\"}\nEOF", "{\"a\": \"from outside\"}\n"),
    ("http POST https://a.example/x <<EOF\n{\"a\": 1}\nEOF", "{\"a\": 1}\n"),
  ])
  func `is the body, typed or pasted, at the prompt and for send`(line: String, body: String) async {
    var session = PromptSession(answers: [.json("1")])
    session.environment = ["OUTSIDE": "from outside"]
    let typed = await session.type("\(line)\n\u{4}")
    #expect(typed.requests.map(\.body) == [[.bytes(Array(body.utf8))]], "\(typed.screen)")
    let pasted = await session.pasting(line + "\n")
    #expect(pasted.requests.map(\.body) == [[.bytes(Array(body.utf8))]], "\(pasted.screen)")
    let sent = await session.send(line).outcome
    #expect(sent.requests.map(\.body) == [[.bytes(Array(body.utf8))]], "\(sent.screen)")
  }

  @Test func `what comes after its end is another line`() async {
    let text = "\(Self.curl) <<EOF\na=1\nEOF\ncurl https://a.example/2\n"
    let outcome = await PromptSession(answers: [.json("1"), .json("2")]).pasting(text)
    #expect(outcome.requests.map(\.url) == ["https://a.example/x", "https://a.example/2"], "\(outcome.screen)")
  }

  @Test func `a variable in one for HTTPie is refused, and a password is hidden in the history`() async {
    let refused = await PromptSession().pasting("http POST https://a.example/x <<EOF\n{\"a\": \"$OUTSIDE\"}\nEOF\n")
    #expect(refused.screen.contains("\"$OUTSIDE\" is for a shell to replace"), "\(refused.screen)")
    let secret = Canary.secret("here-document")
    let outcome = await PromptSession(answers: [.json("1")]).pasting(
      "\(Self.curl) <<EOF\n{\"password\": \"\(secret)\"}\nEOF\n")
    #expect(outcome.requests.count == 1 && !outcome.screen.contains(secret), "\(outcome.screen)")
  }
}
