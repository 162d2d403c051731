import Testing

/// `workbench check`, as its users run it.
@Suite(.timeLimit(.minutes(2))) struct CheckCommandTests {
  @Test func `a script without mistakes prints nothing`() async throws {
    let script = try TemporaryFile("ping: GET http://a.test/\n", name: "a.wb")
    let outcome = try await Workbench.run(["check", script.path])
    #expect(outcome.output == "" && outcome.errors == "" && outcome.code == 0)
  }

  @Test func `a warning is not an error`() async throws {
    let outcome = try await Workbench.run(["check", "-"], input: "sequence s(a) { GET http://a.test/ }\n")
    #expect(outcome.errors.hasPrefix("warning: sequence \"s\" never uses \"a\"\n --> <stdin>:1:12\n"))
    #expect(outcome.code == 0)
  }

  @Test func `every mistake of every file is shown`() async throws {
    let good = try TemporaryFile("GET http://a.test/\n", name: "good.wb")
    let bad = try TemporaryFile("GET $x\nGET $y\n", name: "bad.wb")
    let outcome = try await Workbench.run(["check", bad.path, good.path, "/no/such.wb"])
    #expect(outcome.errors.contains("--> \(bad.path):1:5") && outcome.errors.contains("--> \(bad.path):2:5"))
    #expect(outcome.errors.contains("error: cannot read \"/no/such.wb\": No such file or directory"))
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
  }
}
