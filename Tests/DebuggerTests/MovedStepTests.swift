import RunStore
import Sessions
import Subcommands
import Testing

/// A run whose script has changed since, so that a step that happened is at another position.
@Suite(.timeLimit(.minutes(2))) struct MovedStepTests {
  private static let rename = #"rename: PATCH /jobs/{$add.body.id} json { title: "Master glazier" }"#
  private static let close = #"close: PUT /jobs/{$add.body.id}/nowhere json { state: "closed" }"#

  /// A run that fails at its last step, whose script then has this in place of the second.
  private func session(_ text: String) -> DebugSession {
    var session = DebugSession(script: "\(DebugSession.jobs)\n\(Self.close)")
    session.changed = session.script.replacing(Self.rename, with: text)
    session.isRecorded = true
    return session
  }

  private func count(_ outcome: DebugSession.Outcome) -> Int {
    outcome.requests.count { $0 == "PATCH /jobs/3" }
  }

  @Test(arguments: [
    "parallel {\n\(rename)\n}", "for $i in [1] {\n\(rename)\n}",
    "sequence s(id) {\n\(rename.replacing("add.body.id", with: "id"))\n}\nrun s(id: $add.body.id)",
  ])
  func `resume asks before it sends it again, in a block now`(text: String) async throws {
    var session = session(text)
    session.isResumed = true
    let outcome = try await session.run(["q"])
    #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
    #expect(
      outcome.screen.contains("it was sent before at another place in the script (step 2)"), "\(outcome.screen)")
    #expect(outcome.screen.contains(" --again rename    sends it again"), "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)")
  }

  @Test func `resume asks before it sends it again, no longer in a block`() async throws {
    var session = session("parallel {\n\(Self.rename)\n}")
    swap(&session.script, &session.changed!)
    session.isResumed = true
    let outcome = try await session.run(["q"])
    #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)")
  }

  @Test func `the debugger says that a step after an inserted one was answered, and takes that response`() async throws
  {
    var session = session("look: GET /jobs\n\(Self.rename)")
    session.isInteractive = true
    let outcome = try await session.run(["n", "n", "no", "k", "q"])
    #expect(
      outcome.screen.contains(
        """
          it was answered before: k takes that response, n sends it again
        debug> n
        warning: rename was sent before and may have taken effect
        send it again? [y/N] no
        not sent
        debug> k
        took the response it had
        $3 rename  200 OK
        """), "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)")
  }

  @Test func `resume asks about a step after one that was inserted and sent in the debugger`() async throws {
    var session = session("look: GET /jobs\n\(Self.rename)")
    session.isResumed = true
    let outcome = try await session.run(["n", "q"])
    #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
    #expect(outcome.screen.contains("at another place in the script (step 2)"), "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)")
  }

  @Test func `rounds of a loop that are the same are sent without asking`() async throws {
    var session = DebugSession(
      script: """
        \(DebugSession.jobs)
        for $i in [1, 2, 3] { again: POST /jobs json { title: "Mason" } }
        \(Self.close)
        """)
    session.changed = session.script.replacing("[1, 2, 3]", with: "[1, 2, 3, 4]")
    session.isRecorded = true
    let outcome = try await session.run(["n", "q"])
    #expect(!outcome.screen.contains("was sent before"), "\(outcome.screen)")
    #expect(outcome.requests.count { $0 == "POST /jobs" } == 5, "\(outcome.requests)\n\(outcome.screen)")
  }

  @Test func `what a run that is done sent is not sent again by the run that continues from it`() async throws {
    var session = DebugSession(script: "\(DebugSession.jobs)\nlook: GET /jobs")
    session.isRecorded = true
    session.isResumed = true
    let outcome = try await session.run(["back add", "n", "q"])
    #expect(outcome.runs.map(\.state) == [.failed, .done], "\(outcome.screen)")
    #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)\n\(outcome.screen)")
  }
}
