import Diagnostics
import JSONValue
import Requests
import Testing

@testable import RequestProgram

/// Anything that a few words could make grow without bound ends with an error, long before the machine does.
struct ValueLimitTests {
  private static func said(_ script: String) -> String {
    var harness = ScriptHarness()
    harness.environment.valueLimit = 4 << 20
    harness.answer = { _, _ in .make(200, json: "[1]") }
    return harness.run(script).text
  }

  private static func doubling(_ start: String, _ double: (String) -> String) -> String {
    "let x0 = \(start)\n" + (1...60).map { "let x\($0) = \(double("$x\($0 - 1)"))\n" }.joined()
      + "GET http://a.test/ query { n: $x60 | count }"
  }

  @Test(arguments: [
    doubling("[1]") { "[...\($0), ...\($0)]" }, doubling("[1]") { "[\($0), \($0)]" },
    doubling("{ a: 1 }") { "{ a: \($0), b: \($0) }" }, doubling("\"a\"") { "\"{\($0)}{\($0)}\"" },
    doubling("\"a\"") { "[\($0), \($0)] | join(\($0))" }, doubling("\"aa\"") { "\($0) | replace(\"a\", \($0))" },
    doubling("\"a\"") { "[\($0) | url-encode, \($0) | base64] | json" },
    doubling("\"a,b\"") { "[...(\($0) | split(\"\")), ...(\($0) | split(\"\"))] | join" },
  ])
  func `a value that doubles is refused with its limit`(script: String) {
    #expect(Self.said(script).contains("error: this value would be larger than 4 MiB, and no value may be"))
  }

  @Test func `a value that nests is refused with its limit`() {
    let script =
      "let x0 = [1]\n" + (1...1_100).map { "let x\($0) = [$x\($0 - 1)]\n" }.joined()
      + "GET http://a.test/{$x1100 | count}"
    #expect(Self.said(script).contains("error: this value would be nested deeper than 1000, and no value may be"))
  }

  @Test func `a file is not cut into more pieces than there may be`() throws {
    let directory = try TemporaryDirectory(["large": String(repeating: "x", count: 1 << 20)])
    let script = "let pieces = file(\"\(directory.path)/large\") | chunks(1)\nGET http://a.test/{$pieces | count}"
    #expect(Self.said(script).contains("this value would be larger than 4 MiB"))
  }

  @Test func `a value needs no explicit limit`() {
    #expect(ProgramEnvironment().valueLimit == 256 << 20)
  }

  @Test func `a value that is large but not too large is allowed`() {
    let script =
      "let x0 = \"\(String(repeating: "a", count: 1_024))\"\n"
      + (1...12).map { "let x\($0) = \"{$x\($0 - 1)}{$x\($0 - 1)}\"\n" }.joined() + "GET http://a.test/{$x12 | count}"
    #expect(Self.said(script) == "")
  }

  /// Nested arrays: four of them can be chosen from it in a billion ways.
  private static let chain = (0..<400).reduce(JSON.array([])) { inner, _ in .array([inner]) }
  private static let long = "$[?count(@..*..*..*..*) > 0] | count"

  private static func evaluate(_ text: String, patience: Duration?) -> String {
    let (expression, found) = DocumentExpression.parse(SourceText(name: "expression", text: text))
    guard let expression else { return found.map(\.message).joined() }
    var environment = ProgramEnvironment()
    environment.patience = patience
    do throws(ProgramError) {
      return try expression.value(of: chain, in: environment, at: .fixed).printed
    } catch {
      return error.diagnostic.message
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a filter ends when nobody waits any longer`() {
    #expect(Self.evaluate(Self.long, patience: .milliseconds(300)) == "this path was not finished after 0 s")
    #expect(Self.evaluate("$[?count(@..*) > 0] | count", patience: .seconds(60)) == "1")
    #expect(Self.evaluate("$..*..*..*..* | count", patience: .seconds(60)).contains("larger than 256 MiB"))
  }

  @Test(.timeLimit(.minutes(1))) func `a filter ends when it is interrupted`() async throws {
    let task = Task { Self.evaluate(Self.long, patience: nil) }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    #expect(await task.value == "interrupted")
  }
}
