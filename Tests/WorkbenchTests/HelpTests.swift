import Testing

/// What `--help` says of an option that means something else in another command.
@Suite(.timeLimit(.minutes(2))) struct HelpTests {
  @Test(arguments: ["show", "resume", "replay"])
  func `where no run is named, last is offered`(command: String) async throws {
    let outcome = try await Workbench.run([command])
    #expect(outcome.code == 2 && outcome.errors.contains("a unique prefix of one, or last"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("run", false), ("debug", false), ("resume", true), ("replay", true),
  ])
  func `what is set replaces what was recorded, where there is a recording`(command: String, isRecorded: Bool)
    async throws
  {
    let outcome = try await Workbench.run([command, "--help"])
    #expect(outcome.output.contains("--set <name=value>"))
    #expect(outcome.output.contains("recorded one.") == isRecorded, "\(outcome.output)")
  }
}
