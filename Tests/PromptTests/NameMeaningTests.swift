import Requests
import Testing
import UploaderCore

/// A name means one thing, whoever asks.
@Suite struct NameMeaningTests {
  private static func session(_ lines: String...) async -> PromptSession.Outcome {
    let answers = (1...6).map { Response.json("{\"id\": \($0), \"list\": [1, 2]}") }
    return await PromptSession(answers: answers).pipe(["for $i in [1, 2, 3] { x: GET https://a.example/{$i} }"] + lines)
  }

  @Test func `after a loop it is the array of its responses`() async {
    let outcome = await Self.session(
      "$x", "$x[1].body.id", "GET https://a.example/{$x[2].body.id}?n={$x | count}", ":vars", ":show $x")
    let screen = outcome.screen
    #expect(screen.contains("an array: $x[0] is the first of them"), "\(screen)")
    #expect(screen.contains("\n2\n") && outcome.requests.last?.url == "https://a.example/3?n=3", "\(screen)")
    #expect(screen.contains("$x  an array: $1, $2, $3\n"), "\(screen)")
    #expect(screen.contains("error: $x is an array of 3 responses\n = they are $1, $2, $3\n"), "\(screen)")
  }

  @Test(arguments: ["$x.body.id", "GET https://a.example/{$x.body.id}", ":print $x.body.id"])
  func `what it lacks is missing everywhere, and the error says how one of them is written`(line: String) async {
    let outcome = await Self.session(line)
    #expect(outcome.screen.contains("error: $x has no \"body\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("it is an array: $x[0].body"), "\(outcome.screen)")
    #expect(outcome.requests.count == 3)
  }

  @Test func `a later step of that name is what it means from then on`() async {
    let outcome = await Self.session("x: GET https://a.example/4", "$x.body.id", ":vars")
    #expect(outcome.screen.contains("\n4\n") && outcome.screen.contains("$x  $4, 200\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("an array"), "\(outcome.screen)")
  }

  @Test func `a name of yours is listed once, and one without a value not at all`() async {
    let outcome = await Self.session(
      "let y = 7", "y: GET https://a.example/4", "let z = $y.boddy", ":vars", "$y.body.id")
    let listed = outcome.screen.split(separator: "\n").filter { $0.hasPrefix("$y  ") }
    #expect(listed == ["$y  $4, 200"] && !outcome.screen.contains("$z  "), "\(outcome.screen)")
    #expect(outcome.screen.hasSuffix("\n4\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("$1.body.list[9]", "it has 2 elements, from [0] to [1]"),
    ("$1.body.list.id", "it is an array: $1.body.list[0].id"),
  ])
  func `what an array has is said`(expression: String, hint: String) async {
    let screen = await Self.session(expression).screen
    #expect(screen.contains(hint), "\(screen)")
  }
}
