import Testing

/// `workbench eval`, as its users run it.
@Suite(.timeLimit(.minutes(2))) struct EvalCommandTests {
  private static let document = """
    {"items": [{"id": 1, "state": "ready"}, {"id": 2, "state": "new"}], "note": "a\\nb"}
    """

  @Test(arguments: [
    (["$.items[0].id"], "1\n"),
    (["$.items[*].id"], "[\n  1,\n  2\n]\n"),
    (["$.items[?@.state == 'new'].id | first"], "2\n"),
    (["$.items | count == 2 and $.items[0].state is \"ready\""], "true\n"),
    (["$..id | count"], "2\n"),
    (["{ ...$.items[0], n: $.items | count }"], "{\n  \"id\": 1,\n  \"state\": \"ready\",\n  \"n\": 2\n}\n"),
    (["$.nothing ?? \"-\""], "\"-\"\n"),
    (["$.note"], "\"a\\nb\"\n"),
    (["-r", "$.note"], "a\nb\n"),
    (["--text", "$ | sha256"], "\"7cafad83b6f494beb6f22826b3437f581bde3d127d84f69e06ce8603c9e90c01\"\n"),
    (["-r", "if 1 < 2 then \"less\" else \"more\""], "less\n"),
    (["-r", "$env.GREETING | upper"], "HELLO\n"),
  ])
  func `an expression is evaluated, and $ is the document`(arguments: [String], output: String) async throws {
    let outcome = try await Workbench.run(
      ["eval"] + arguments, input: Self.document, environment: ["GREETING": "hello"])
    #expect(outcome.output == output)
    #expect(outcome.errors == "" && outcome.code == 0)
  }

  @Test func `the document can be a file or a text`() async throws {
    let json = try TemporaryFile("[3, 4]", name: "a.json")
    #expect(try await Workbench.run(["eval", "$[1]", json.path]).output == "4\n")
    let csv = try await Workbench.run(["eval", "--text", "($ | parse-csv)[0].b"], input: "a,b\n1,2\n")
    #expect(csv.output == "\"2\"\n")
  }

  @Test func `a path that finds nothing is shown with what is there`() async throws {
    let outcome = try await Workbench.run(["eval", "$.itmes[0]"], input: Self.document)
    #expect(
      outcome.errors == """
        error: $ has no "itmes"
         --> <expression>:1:3
          |
        1 | $.itmes[0]
          |   ^^^^^ did you mean "items"?

        """)
    #expect(outcome.output == "" && outcome.code == 1)
  }

  @Test(arguments: [
    ("1 +", "expected a value"), ("$x", "there is no $x"), ("1 | uper", "did you mean upper?"),
    ("$.items + 1", "expected"), ("command(\"ls\")", "never runs a program"), ("status", "only in expect and until"),
  ])
  func `a wrong expression exits with 2`(expression: String, message: String) async throws {
    let outcome = try await Workbench.run(["eval", expression], input: Self.document)
    #expect(outcome.errors.contains(message), "\(outcome)")
    #expect(outcome.output == "" && outcome.code == 2)
  }

  @Test func `a document that is not JSON is shown where it goes wrong`() async throws {
    let outcome = try await Workbench.run(["eval", "$.a"], input: "{\"a\": tru}")
    #expect(outcome.errors.hasPrefix("error: the document is not JSON"))
    #expect(outcome.errors.contains(" --> <stdin>:1:7\n") && outcome.errors.contains("--text"))
    #expect(outcome.code == 2)
  }

  @Test func `a missing file exits with 25`() async throws {
    #expect(try await Workbench.run(["eval", "$", "/no/such.json"]).code == 25)
    #expect(try await Workbench.run(["eval", "file(\"/no/such\")"]).code == 25)
  }
}
