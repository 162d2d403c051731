import Foundation
import JSONValue
import PseudoTerminal
import Sandbox
import Testing

/// A session in the debugger that is killed at any of its calls, and is resumed.
@Suite(.timeLimit(.minutes(20)), .serialized) struct DebuggerKillTests {
  /// What the user does in it.
  enum Session: String, CaseIterable {
    /// Two steps are changed, and one is gone back to and kept with its response.
    case edited
    /// A response is changed, and another is given by hand.
    case answered

    func commands(of chain: String) -> [String] {
      switch self {
      case .edited:
        [
          "s", "n",
          """
          e POST $allocate.body.snapshot.url header X-Edited: yes \
          multipart { ...$allocate.body.snapshot.fields, file: $image } expect 204
          """,
          "n", "back upload", "k",
          "e PUT api:/sheets/\(chain)/snapshots/{$allocate.body.snapshot.uid}?edited=yes effect once expect 200",
          "c",
        ]
      case .answered: ["n", "set $allocate.body.note = \"odd\"", "n", "k 200 {\"state\": \"ready\"}"]
      }
    }
  }

  @Test(arguments: Session.allCases)
  func `killed at any call, a session continues where it was`(session: Session) async throws {
    try await SweptChain.with { chain in
      let total = try await chain.countCalls { try await $0.debug(session, $1) }.all
      var tally = SweepTally()
      for call in SweptChain.chosen(from: total, one: 30) {
        let trial = try chain.trial("\(session)-\(call)")
        let killed = try await trial.debug(session, ["KILL_AT": "\(call)"])
        guard killed.code == -SIGKILL else {
          #expect(killed.code == 0)
          continue
        }
        try await trial.goOn(session, seen: killed.output, inDebugger: tally.count.isMultiple(of: 2), &tally)
      }
      print("\(session) in the debugger, killed at \(tally.count) of \(total) calls: \(tally)")
      #expect(tally.done > 0)
    }
  }

  @Test(arguments: KillTests.Fault.allCases)
  func `with a disk that fails at any call, what was sent in a session is known`(fault: KillTests.Fault) async throws {
    try await SweptChain.with { chain in
      let total = try await chain.countCalls { try await $0.debug(.edited, $1) }.files
      var tally = SweepTally()
      for call in SweptChain.chosen(from: total, one: 60) {
        let trial = try chain.trial("\(fault)-\(call)")
        let failed = try await trial.debug(.edited, fault.variables.merging(["FAIL_AT": "\(call)"]) { $1 })
        #expect([0, 1, 24, 25].contains(failed.code), "\(trial.name): \(failed.errors)")
        try await trial.goOn(after: failed, &tally)
      }
      print("\(fault.rawValue) in the debugger, at \(tally.count) of \(total) calls: \(tally)")
      #expect(fault == .gone || tally.undecided == 0)
      #expect(tally.done + tally.notBegun > 0)
    }
  }
}

extension SweptRun {
  fileprivate func debug(
    _ session: DebuggerKillTests.Session, _ environment: [String: String]
  ) async throws -> Workbench.Outcome {
    try await workbench(
      ["debug", script.path], environment.merging(["LD_PRELOAD": chain.library]) { $1 },
      input: session.commands(of: name).joined(separator: "\n"))
  }

  /// Resumes what was left by a session that could not write: its commands continued, from wherever it was.
  fileprivate func goOn(after session: Workbench.Outcome, _ tally: inout SweepTally) async throws {
    // What it said it would send again was sent again, and what was refused may be.
    let refused = session.output.matches(of: /\n\$\d (\w+)  4\d\d/).map(\.output.1)
    let said = session.output.matches(of: /warning: (\w+) was sent before and may have taken effect; sending it again/)
    let again = (said.map(\.output.1) + refused).reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    func expectOnce(but undecided: String? = nil) throws {
      for (step, count) in try requests() {
        let most = 1 + again[step, default: 0] + (step == undecided ? 1 : 0)
        #expect(count <= most, "\(name): \(step) was sent \(count) times\n\(session.output)\n\(session.errors)")
      }
    }
    try expectOnce()
    guard try await workbench(["show", "last"]).code == 0 else {
      #expect(try requests().isEmpty || session.errors.contains("not recorded"), "\(name): \(session.errors)")
      return tally.notBegun += 1
    }
    let outcome = try await workbench(["resume", "last"])
    if outcome.code == 24 {
      let step = String(try #require(outcome.errors.firstMatch(of: /--again (\w+)/)?.output.1))
      _ = try await workbench(["resume", "last", "--again", step])
      try expectOnce(but: step)
      tally.undecided += 1
    } else {
      #expect(outcome.code == 0, "\(name): \(outcome.code) \(outcome.errors)\n\(session.output)\n\(session.errors)")
      try expectOnce()
      tally.done += 1
    }
    try await expectSound()
  }

  /// Resumes the session, and checks what became of everything seen in it.
  ///
  /// - Parameter inDebugger: whether to continue there, and not with `resume`.
  fileprivate func goOn(
    _ session: DebuggerKillTests.Session, seen: String, inDebugger: Bool, _ tally: inout SweepTally
  ) async throws {
    let answered = Set(seen.matches(of: /\n\$\d (\w+)  20\d/).map { String($0.output.1) })
    var final = ["allocate": 1, "upload": 1, "confirm": 1]
    // With a response given by hand it was not sent, and never is.
    if session == .answered, try await answersByHand() { final["confirm"] = nil }
    #expect(session != .answered || !answered.contains("confirm") || final["confirm"] == nil, "\(name): \(seen)")
    if inDebugger {
      try await takeOffer(&tally, answered: answered, until: final)
    } else {
      try await resume(&tally, answered: answered, until: final)
    }
    let received = try received()
    let edits = seen.matches(of: /\nkept (\d) of \1 responses?\n/).map(\.output.1)
    if edits.contains("1") {
      let upload = received.last { $0.step == "upload" }?.request
      #expect(upload.map { "\($0)".contains("X-Edited") } ?? false, "\(name): \(received)")
    }
    if edits.contains("2") {
      let confirm = received.last { $0.step == "confirm" }?.request
      #expect(confirm?["target"]?.string?.hasSuffix("?edited=yes") ?? false, "\(name): \(received)")
    }
    if seen.contains("set $allocate.body.note"), answered.contains("upload") {
      #expect(try await workbench(["show", "last", "allocate", "--body"]).output.contains("odd"), "\(name)")
    }
  }

  /// Whether the response that was given by hand is in the store.
  private func answersByHand() async throws -> Bool {
    try await workbench(["show", "last"]).output.contains(/confirm  200/)
  }

  /// Starts the debugger again at a terminal, and continues to the end.
  private func takeOffer(
    _ tally: inout SweepTally, answered: Set<String>, until final: [String: Int]
  ) async throws {
    guard try await isBegun(&tally) else { return }
    let shown = try await workbench(["show", "last"]).output
    // A run that is done is not offered.
    let dialogue = try await atTerminal(isOffered: !shown.contains("  done"))
    if let question = dialogue.question {
      #expect(dialogue.code == 0 || question.step == "upload", "\(name): \(dialogue.screen)")
      expectUndecided(question.step, answered: answered, sent: question.sent, shown: shown)
      try expectOnce(but: question.step)
      tally.undecided += 1
    } else {
      #expect(dialogue.code == 0, "\(name): \(dialogue.screen)")
      try await expectDone(final)
      tally.done += 1
    }
    try await expectSound()
  }

  private struct Dialogue: Sendable {
    /// The step that it asked about sending again, with what had been sent by then.
    var question: (step: String, sent: [String: Int])?
    var screen = ""
    var code: Int32 = 0
  }

  /// Waiting for a terminal happens on a separate thread: the sandbox needs the others, and among all the tests it may
  /// take a while.
  private func atTerminal(isOffered: Bool) async throws -> Dialogue {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try talk(isOffered: isOffered) }) }
    }
  }

  private func talk(isOffered: Bool) throws -> Dialogue {
    var dialogue = Dialogue()
    let terminal = try PseudoTerminal(
      running: Workbench.executable.path, ["debug", "--store", store, script.path],
      environment: ["API_TOKEN": chain.endpoints.token, "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"])
    if isOffered {
      try terminal.wait(for: "[Y/n] ", seconds: 300)
      dialogue.screen = try terminal.screen(after: "")
      // There "c" leaves.
      if !dialogue.screen.contains("(the end)") { dialogue.screen += try terminal.screen(after: "c") }
      if let asked = dialogue.screen.firstMatch(of: /warning: (\w+) was sent before and may have taken effect/) {
        dialogue.question = (String(asked.output.1), try requests())
        dialogue.screen += try terminal.screen(after: "y")
      }
    } else {
      dialogue.screen = try terminal.wait(for: "\u{1B}[?2004h", seconds: 300)
    }
    // It asks about what was changed and is in no file.
    terminal.type("q\ry\r")
    dialogue.code = terminal.exitCode()
    dialogue.screen += terminal.rest
    return dialogue
  }
}

extension PseudoTerminal {
  /// What is shown after a line, up to the next prompt.
  fileprivate func screen(after line: String) throws -> String {
    type(line + "\r")
    try wait(for: "\u{1B}[?2004l", seconds: 300)
    return try wait(for: "\u{1B}[?2004h", seconds: 300)
  }
}
