import Diagnostics
import Formats
import Requests
import Sessions
import Testing

/// Carets are laid out below a line in which everything is hidden already: nothing hides more of it afterwards.
@Suite struct MaskedCaretTests {
  private static let secret = "hunter2-of-a-test"

  private func lines(_ text: String, from start: Int = 0, to end: Int? = nil) -> [String] {
    let screen = Recorder("")
    let output = World.Output { text in screen.update { $0 += text } }
    let secrets = KnownSecrets()
    secrets.learn([Secret(hidden: Self.secret, name: "password")])
    let source = SourceText(name: "<request>", text: text)
    ErrorPrinter(Printer(output: output, errorOutput: output, secrets: secrets)).print([
      Diagnostic("expected status 2xx or 3xx, got 422", in: source, at: SourceRange(start, end ?? text.utf8.count))
    ])
    return screen.value.split(separator: "\n").map(String.init)
  }

  /// Where it is cut, the beginning of the secret may be, as of any other word.
  @Test(arguments: 60..<100) func `they are never longer than the line`(length: Int) throws {
    let filler = String(repeating: "x", count: length - 42)
    let found = lines(
      "POST https://a.test/ password=\(Self.secret) b=\(filler) hunter2-of-another-kind c=1 d=2 e=3 f=4")
    let (line, carets) = (try #require(found.first { $0.hasPrefix("1 |") }), try #require(found.last))
    #expect(!found.joined().contains(Self.secret), "\(found)")
    #expect(carets.contains("^") && carets.count <= line.count, "\(line)\n\(carets)")
  }

  @Test func `a place inside of what is hidden is at its mask`() throws {
    let text = "POST https://a.test/ password=\(Self.secret)"
    let found = lines(text, from: text.utf8.count - 3)
    let (line, carets) = (try #require(found.first { $0.hasPrefix("1 |") }), try #require(found.last))
    #expect(line.hasSuffix("password=••••"), "\(found)")
    #expect(carets.contains("^") && carets.count == line.count, "\(line)\n\(carets)")
  }
}
