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
          there is a response from before: k takes it, n sends it again after asking
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

  @Test func `another step at the place of one that was sent is sent without asking`() async throws {
    var session = session(#"extra: POST /jobs json { title: "Mason" }"#)
    session.isInteractive = true
    let outcome = try await session.run(["n", "q"])
    #expect(!outcome.screen.contains("extra was sent before"), "\(outcome.screen)")
    #expect(outcome.requests.count { $0 == "POST /jobs" } == 2, "\(outcome.requests)\n\(outcome.screen)")
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

  // MARK: What is made from a secret

  /// The step that was moved, with a text that is made from the token.
  private static let made = [
    #"rename: PATCH /jobs/{$add.body.id} json { title: ($env.API_TOKEN | sha256) }"#,
    #"rename: PATCH /jobs/{$add.body.id} json { title: "x{$env.API_TOKEN | upper} {$env.API_TOKEN | sha256}" }"#,
    #"rename: PATCH /jobs/{$add.body.id}?by={$env.API_TOKEN | upper} json { title: "Mason" }"#,
    #"rename: PATCH /jobs/{$add.body.id} json { title: "x{$env.API_TOKEN}" }"#,
  ]

  private func madeSession(_ step: String, in text: (String) -> String) -> DebugSession {
    var session = session(text(step))
    session.script = session.script.replacing(Self.rename, with: step)
    return session
  }

  @Test(arguments: made, [0, 1, 2])
  func `a moved step with a text made from a secret is not sent again without asking`(step: String, way: Int)
    async throws
  {
    var session = madeSession(step) { "parallel {\n\($0)\n}" }
    // Inward, outward, and in the debugger.
    if way == 1 { swap(&session.script, &session.changed!) }
    session.isResumed = way < 2
    session.isInteractive = way == 2
    let outcome = try await session.run(way == 2 ? ["n", "no", "k", "q"] : ["q"])
    #expect(count(outcome) == 1, "\(outcome.requests)\n\(outcome.screen)")
    if way == 2 {
      #expect(outcome.screen.contains("took the response it had"), "\(outcome.screen)")
    } else {
      #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
      #expect(outcome.screen.contains("it was sent before at another place"), "\(outcome.screen)")
    }
    #expect(!outcome.isTokenStored)
  }

  @Test(arguments: made)
  func `a statement that sends nothing changes no request after it`(step: String) async throws {
    var session = madeSession(step) { "let x = 1\n\($0)" }
    session.isResumed = true
    let outcome = try await session.run(["q"])
    #expect(outcome.screen.contains("rename  200 OK  recorded, not sent again"), "\(outcome.screen)")
    #expect(count(outcome) == 1, "\(outcome.requests)\n\(outcome.screen)")
  }

  @Test(arguments: [("", "#now"), ("#then", ""), ("#then", "#now")])
  func `the fragment of a URL, which is not sent, makes no other request of it`(fragments: (String, String))
    async throws
  {
    func step(_ fragment: String) -> String {
      #"rename: PATCH "/jobs/{$add.body.id}\#(fragment)" json { title: "Master glazier" }"#
    }
    for block in ["\n", "parallel {\n"] {
      var session = session(block + step(fragments.1) + (block == "\n" ? "" : "\n}"))
      session.script = session.script.replacing(Self.rename, with: step(fragments.0))
      session.isResumed = true
      let outcome = try await session.run(["q"])
      let isAsked = outcome.screen.contains("it was sent before at another place")
      #expect(isAsked == (block != "\n"), "\(outcome.screen)")
      #expect(count(outcome) == 1, "\(outcome.requests)\n\(outcome.screen)")
    }
  }
}
