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

  @Test(arguments: ["http POST https://a.example/x", Self.curl])
  func `a variable and a reference in one have their values`(command: String) async {
    let line = "\(command) <<EOF\n{\"a\": \"$OUTSIDE\", \"id\": $1.body.id}\nEOF\n"
    let session = PromptSession(environment: ["OUTSIDE": "o"], answers: [.json("{\"id\": 7}"), .json("1")])
    let outcome = await session.pasting("GET https://a.example/first\n\(line)")
    let sent = outcome.requests.last?.body?.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } }
    #expect(
      sent.map { String(decoding: $0, as: UTF8.self) }?.trimmingPrefix(/\s*/) == "{\"a\": \"o\", \"id\": 7}\n",
      "\(outcome.screen)")
  }

  @Test func `a password is hidden in the history`() async {
    let secret = Canary.secret("here-document")
    let outcome = await PromptSession(answers: [.json("1")]).pasting(
      "\(Self.curl) <<EOF\n{\"password\": \"\(secret)\"}\nEOF\n")
    #expect(outcome.requests.count == 1 && !outcome.screen.contains(secret), "\(outcome.screen)")
  }
}
