import Canaries
import Testing

/// The commands of Documentation/runs.md, typed one after another, show what is written there.
@Suite(.timeLimit(.minutes(2))) struct RunsDocumentationTests {
  @Test func `the commands of the page show what is written there`() async throws {
    try await DocumentedCommands(page: "runs.md")
      .check(["chain.wb"], token: Canary.secret("runs-documentation"), atLeast: 12)
  }
}

/// The same of Documentation/suites.md.
@Suite(.timeLimit(.minutes(2))) struct SuitesDocumentationTests {
  @Test func `the commands of the page show what is written there`() async throws {
    try await DocumentedCommands(page: "suites.md")
      .check(["tests/jobs.wb", "tests/wrong.wb"], token: Canary.secret("suites-documentation"), atLeast: 6)
  }
}
