import Eventually
import Foundation
import Sessions
import Testing

/// Tests that keep a processor busy, and look at the clock.
@Suite(.serialized) struct InterruptedEvaluationTests {
  /// Nested arrays: there are a billion ways to choose five of them.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "p $deep[?count(@..*..*..*..*..*) > 0] | count", "set other = $deep[?count(@..*..*..*..*..*) > 0] | count",
    ])
  func `^C ends a long evaluation but not the debugger`(line: String) async {
    let deep = String(repeating: "[", count: 180) + String(repeating: "]", count: 180)
    let session = PromptSession(
      files: ["chain.wb": Array("let deep = \(deep)\nlet other = 1\nlook: GET https://a.example/x/{$other}".utf8)])
    // On its own thread, since the threads that all tests share may all be busy.
    Thread.detachNewThread { [interrupts = session.interrupts] in
      _ = eventuallyBlocking(within: .seconds(300), every: .milliseconds(50)) { interrupts.interrupt() }
    }
    let outcome = await session.debug(line, "w", "p $other", "q")
    #expect(outcome.screen.contains("interrupted"), "\(outcome.screen)")
    #expect(outcome.screen.contains("before step 1/1 look"))
    #expect(outcome.screen.contains("p $other\n1\n"))
  }
}
