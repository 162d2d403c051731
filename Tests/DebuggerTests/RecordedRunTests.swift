import Interactive
import Testing

/// A run that failed elsewhere is gone on with in the debugger.
@Suite(.timeLimit(.minutes(2))) struct RecordedRunTests {
  @Test func `it stands behind the step that failed, says what is wrong, and goes on with the answers there are`()
    async throws
  {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: chain.faults)
    session.isRecorded = true
    let outcome = try await session.run(["p $allocate.status", "back upload", "n", "n"])
    let screen = outcome.screen.split(separator: "--\n").last.map(String.init) ?? ""
    #expect(screen.hasPrefix("3 recorded answers, nothing was sent\n"), "\(outcome.screen)")
    #expect(screen.contains("(step 3/3 confirm, after)"), "\(screen)")
    #expect(screen.contains("lint  upload: storage has other bytes"), "\(screen)")
    #expect(screen.contains("debug> p $allocate.status\n201\n"))
    #expect(screen.hasSuffix("(the end)\n"))
    #expect(
      outcome.requests == [
        "POST /sheets/A-101/snapshots", "POST /sandbox", "PUT /sheets/A-101/snapshots/UID",
        "POST /sandbox", "PUT /sheets/A-101/snapshots/UID",
      ])
    #expect(outcome.code == .success)
    #expect(!outcome.screen.contains(DebugSession.token))
  }

  @Test func `a step that got no answer is stood before, and sent`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: ["drop-before-response"])
    session.isRecorded = true
    let outcome = try await session.run(["n", "n"])
    let screen = outcome.screen.split(separator: "--\n").last.map(String.init) ?? ""
    #expect(
      screen.hasPrefix(
        """
        1 recorded answer, nothing was sent
        this request was sent, and no answer came: it may have taken effect
        (step 2/3 upload, before)
        """), "\(outcome.screen)")
    #expect(screen.contains("warning: upload was sent before and may have taken effect"), "\(screen)")
    #expect(outcome.code == .success, "\(outcome.screen)")
    // The request to which no answer came is not in the log, since its connection broke.
    #expect(outcome.requests.count { $0 == "POST /sheets/A-101/snapshots" } == 1)
  }
}
