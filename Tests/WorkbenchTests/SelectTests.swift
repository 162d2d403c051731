import Foundation
import Testing

/// `workbench select` as its users run it: exact output, exact errors, exit codes.
@Suite(.timeLimit(.minutes(2))) struct SelectTests {
  private static let text = #"""
    { "b" : 1.0, "a": [1e400, {"x": "\u00e9\/", "y": -0}, 9007199254740993 ],
      "b": 2}
    """#

  private static func select(_ arguments: [String], _ input: String = text) async throws -> Workbench.Outcome {
    try await Workbench.run(["select"] + arguments, input: input)
  }

  @Test(arguments: [
    (["$.a[1].x"], "\"\\u00e9\\/\"\n"), (["$.b"], "2\n"), (["$.a[0]"], "1e400\n"),
    (["$.a[1]"], "{\n  \"x\": \"\\u00e9\\/\",\n  \"y\": -0\n}\n"),
    (["$.a[1]", "--lines"], "{\"x\":\"\\u00e9\\/\",\"y\":-0}\n"),
    (["$.a[0,2]"], "[\n  1e400,\n  9007199254740993\n]\n"), (["--lines", "$.a[0,2]"], "1e400\n9007199254740993\n"),
    (["$..y"], "[\n  -0\n]\n"), (["$.b", "-"], "2\n"),
  ])
  func `what is found is printed as it is`(arguments: [String], output: String) async throws {
    let outcome = try await Self.select(arguments)
    #expect(outcome.output == output)
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
  }

  @Test func `the root comes out byte for byte, white space aside`() async throws {
    let outcome = try await Self.select(["$"])
    #expect(outcome.output.filter { !$0.isWhitespace } == Self.text.filter { !$0.isWhitespace })
    #expect(try await Self.select(["$", "--lines"]).output == Self.text.filter { !$0.isWhitespace } + "\n")
  }

  @Test(arguments: [["$.none"], ["$.a[7]"], ["$..none"], ["$.none", "--lines"]])
  func `if nothing is found, nothing is printed, and it exits with 1`(arguments: [String]) async throws {
    let outcome = try await Self.select(arguments)
    #expect(outcome.output == "")
    #expect(outcome.errors == "")
    #expect(outcome.code == 1)
  }

  @Test func `a wrong path is shown where it goes wrong`() async throws {
    let outcome = try await Self.select(["$.a[?@.x==]"])
    #expect(
      outcome.errors == """
        error: expected a condition
         --> <path>:1:11
          |
        1 | $.a[?@.x==]
          |           ^

        """)
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
  }

  @Test func `wrong JSON is shown where it goes wrong, even if the path does not lead there`() async throws {
    let file = try TemporaryFile("{\"a\": 1,\n \"é\": tru}")
    let outcome = try await Self.select(["$.a", file.path])
    #expect(
      outcome.errors == """
        error: this is not JSON: expected a value
         --> \(file.path):2:7
          |
        2 |  "é": tru}
          |       ^
          = byte 16

        """)
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
    let piped = try await Self.select(["$.a"], "[1,]")
    #expect(piped.errors.contains(" --> <stdin>:1:4\n"))
    #expect(piped.code == 2)
  }

  @Test func `a missing file exits with 25`() async throws {
    let outcome = try await Self.select(["$", "/no/such.json"])
    #expect(outcome.errors == "error: cannot read \"/no/such.json\": No such file or directory\n")
    #expect(outcome.code == 25)
  }

  @Test func `a wrong command line exits with 2`() async throws {
    #expect(try await Self.select([]).code == 2)
    #expect(try await Self.select(["$", "a", "b"]).code == 2)
  }
}
