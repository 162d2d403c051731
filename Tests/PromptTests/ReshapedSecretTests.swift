import Canaries
import Diagnostics
import Formats
import HTTPTypes
import JSONValue
import Presentation
import Prompt
import Requests
import Subcommands
import Testing
import UploaderCore

/// Whatever is shown loses its secrets first, and only then is made visible, taken apart, joined and cut.
@Suite struct ReshapedSecretTests {
  /// What is between the parts of a secret, and is changed, or changes the text, on its way to the screen.
  private static let separators = ["\n", "\r\n", "\u{7F}", "\u{200B}", "\u{2028}", "\u{85}", "  ", "é\u{200B}"]

  private static func token(_ separator: String) -> String {
    Canary.secret("reshaped") + separator + "part-two" + separator + "part-three"
  }

  private static func expectNothing(of separator: String, in screen: String) {
    for part in ["c4n+ry", "reshaped", "part-two", "part-three"] {
      #expect(!screen.contains(part), "\(screen.debugDescription)")
    }
  }

  private static func text(_ text: String) -> Response {
    Response(status: .ok, headers: [.contentType: "text/plain"], body: ResponseBody(Array(text.utf8)))
  }

  @Test(arguments: separators)
  func `at the prompt`(separator: String) async throws {
    let token = Self.token(separator)
    let session = PromptSession(
      environment: ["TOKEN": token],
      answers: [Self.text("one\n\(token)\nend"), Self.text("other"), Self.text("\(token)x"), Self.text(token)])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", "secret tok = $env.TOKEN for a", "GET a:/x", "GET a:/y", ":diff $1 $2",
      ":diff $2 $1", "GET a:/z", ":set t = $1.text", ":set u = \"<{$tok}>\"", ":vars", ":explain POST a:/x text $t",
      ":explain POST a:/x text $tok", ":print $1.text | to-number", "POST a:/x text ($1.text | to-number)",
      "GET a:/v expect text == 1",
    ])
    Self.expectNothing(of: separator, in: outcome.screen)
    #expect(outcome.requests.count == 4, "\(outcome.screen)")
    #expect(outcome.screen.contains("line 1"), "\(outcome.screen)")
    #expect(outcome.screen.contains("line 2"), "\(outcome.screen)")
    #expect(outcome.screen.contains("$t  "), "\(outcome.screen)")
  }

  @Test(arguments: separators)
  func `in the lines of a program`(separator: String) async throws {
    let token = Self.token(separator)
    var session = PromptSession(
      environment: ["TOKEN": token], answers: [Self.text("<\(token)>"), .json("{\"a\": 1}"), Self.text(token)])
    let script = """
      profile a { base https://a.example }
      secret tok = $env.TOKEN for a
      a: GET a:/x
      b: GET a:/y
      c: GET a:/z expect text == 1
      """
    session.files = ["chain.wb": Array(script.utf8)]
    let outcome = await session.runScript(style: ReportStyle(.json, .verbose))
    Self.expectNothing(of: separator, in: outcome.screen)
    #expect(outcome.screen.contains("••••"), "\(outcome.screen)")
    #expect(outcome.requests.count == 3)
  }

  @Test func `in the lines of a diff a secret that continues is shown as dots`() throws {
    let token = Self.token("\n")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let shown = redactor.redact(["a\n", "\(token)\n", "b"])
    #expect(shown == ["a\n", "••••\n", "b"])
  }

  /// Messages are cut in the middle: what is left of a secret there is not followed by a mark.
  @Test(arguments: 0..<40)
  func `in a message that is cut`(shift: Int) {
    let token = Self.token("\n")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let source = SourceText(name: "a.wb", text: "x")
    for message in [
      String(repeating: "-", count: 1_000) + token + String(repeating: "-", count: 90 + shift),
      String(repeating: "-", count: 460 + shift) + token + String(repeating: "-", count: 1_000),
    ] {
      let diagnostic = Diagnostic(message, in: source, at: SourceRange(0, 1), label: message, notes: [message])
      let rendered = DiagnosticRenderer { redactor.redact($0) }.render(diagnostic)
      Self.expectNothing(of: "\n", in: rendered)
    }
  }

  @Test(arguments: 0..<60)
  func `in a line that is cut`(shift: Int) {
    let token = Canary.secret("reshaped-part-two-part-three")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let before = "GET /" + token + String(repeating: "-", count: shift)
    let source = SourceText(name: "a.wb", text: "\(before)$nope\(String(repeating: "-", count: shift))\(token)")
    let start = before.utf8.count
    let diagnostic = Diagnostic("it is wrong", in: source, at: SourceRange(start, start + 5))
    let rendered = DiagnosticRenderer(width: 60) { redactor.redact($0) }.render(diagnostic)
    let pieces = (0...token.count - 8).map { String(token.dropFirst($0).prefix(8)) }
    #expect(!pieces.contains { rendered.contains($0) }, "\(rendered)")
    #expect(rendered.contains("$nope"), "\(rendered)")
    // The carets are below what they point at.
    let lines = rendered.split(separator: "\n").map(String.init)
    let column = lines.firstIndex { $0.hasPrefix("1 |") }.flatMap {
      lines[$0].ranges(of: "$nope").first?.lowerBound
        .utf16Offset(in: lines[$0])
    }
    let carets = lines.last { $0.contains("^") }?.firstIndex(of: "^").map {
      String(lines.last { $0.contains("^") }?[..<$0] ?? "").count
    }
    #expect(column == carets, "\(rendered)")
  }

  @Test(arguments: 1...6)
  func `in a preview of a long value`(count: Int) {
    let token = Canary.secret("reshaped") + String(repeating: "part-two", count: 165)
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let session = ValuePreview { redactor.redact($0) }
    let text = String(repeating: token, count: count)
    Self.expectNothing(of: "", in: session.text(text) + session.line(text) + session.text(of: .scalar(.string(text))))
  }
}
