import Foundation
import Prompt
import RunStore
import Sessions
import Subcommands
import Testing

@Suite(.timeLimit(.minutes(2))) struct PreparedChainTests {
  @Test func `there are twelve`() {
    #expect(PreparedChain.all.count == 12)
  }

  /// With `RECORD=1` in the environment the sessions are rewritten, which fails the run.
  @Test(arguments: PreparedChain.all)
  func `is diagnosed and made to succeed`(_ chain: PreparedChain) async throws {
    let outcome = try await DebugSession(script: chain.script, faults: chain.faults).run(chain.lines)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try chain.record(outcome.screen)
      Issue.record("recorded \(chain.name)")
    }
    #expect(outcome.screen == chain.session)
    #expect(!chain.diagnosis.isEmpty)
    for sentence in chain.diagnosis { #expect(outcome.screen.contains(sentence)) }
    #expect(outcome.screen.contains("(the end)"))
    #expect(outcome.code == .success)
    #expect(!outcome.screen.contains(DebugSession.token))
    // Whatever was sent is recorded, including what was taken back, and of the token only its name.
    #expect(outcome.recorded.sorted() == outcome.requests.sorted())
    #expect(outcome.runs.map(\.state) == [.done])
    #expect(!outcome.isTokenStored)
  }

  @Test(arguments: PreparedChain.all)
  func `every stop fits on a screen of 80 × 24`(_ chain: PreparedChain) {
    let answers = chain.session.split(separator: /(^|\n)debug> [^\n]*\n/, omittingEmptySubsequences: false)
    for answer in answers {
      // A long line takes several rows; that of the command is above.
      let rows = answer.split(separator: "\n").map { ($0.count + 79) / 80 }.reduce(1, +)
      #expect(rows <= 23, "\(answer)")
    }
  }
}
