import Foundation
import Prompt
import RunStore
import Sessions
import Subcommands
import Testing

/// A run that failed elsewhere continues in the debugger.
@Suite(.timeLimit(.minutes(2))) struct RecordedRunTests {
  @Test func `it is after the step that failed, says what is wrong, and continues with the responses there are`()
    async throws
  {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: chain.faults)
    session.isRecorded = true
    let outcome = try await session.run(["p $allocate.status", "back upload", "n", "n"])
    let screen = outcome.screen.split(separator: "--\n").last.map(String.init) ?? ""
    #expect(screen.hasPrefix("3 recorded responses, nothing was sent\n"), "\(outcome.screen)")
    #expect(screen.contains("(step 3/3 confirm, after)"), "\(screen)")
    #expect(screen.contains("lint  upload: storage has different bytes"), "\(screen)")
    #expect(screen.contains("debug> p $allocate.status\n201\n"))
    #expect(screen.hasSuffix("(the end)\n"))
    #expect(
      outcome.requests == [
        "POST /sheets/A-101/snapshots", "POST /sandbox", "PUT /sheets/A-101/snapshots/UID",
        "POST /sandbox", "PUT /sheets/A-101/snapshots/UID",
      ])
    #expect(outcome.code == .success)
    #expect(!outcome.screen.contains(DebugSession.token))
    // It continued in the run that had failed.
    #expect(outcome.runs.map(\.state) == [.done])
    #expect(outcome.recorded.sorted() == outcome.requests.sorted())
  }

  @Test func `a run that was only looked at is unchanged`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: chain.faults)
    session.isRecorded = true
    let outcome = try await session.run(["back allocate", "p $allocate.status", "q"], later: [["back upload", "q"]])
    #expect(outcome.runs.map(\.state) == [.failed])
    #expect(outcome.runs.map(\.kind) == ["script"])
    #expect(outcome.requests.count == 3)
    #expect(outcome.screen.components(separatedBy: "3 recorded responses, nothing was sent\n").count == 3)
  }

  @Test func `a run that is done stays as it is, and what is sent after it is another run`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script)
    session.isRecorded = true
    let outcome = try await session.run(["back confirm", "n"])
    #expect(outcome.runs.map(\.state) == [.done, .done], "\(outcome.screen)")
    #expect(outcome.runs.map(\.kind) == ["debug", "script"])
    #expect(outcome.runs[0].steps == ["allocate 201", "upload 204", "confirm 200"])
    #expect(outcome.requests.count == 4)
  }

  @Test func `why a step could not be prepared is recorded without anything made from a secret`() async throws {
    // The URL is refused because of its port, and the error contains all of it.
    let session = DebugSession(
      script: DebugSession.jobs + "\nlook: GET (\"http://127.0.0.1:x/{$env.API_TOKEN | upper}\")")
    let outcome = try await session.run(["n", "n", "n", "q"])
    #expect(outcome.screen.contains("http://127.0.0.1:x/••••"), "\(outcome.screen)")
    #expect(outcome.runs.map(\.state) == [.failed])
    #expect(!outcome.isTokenStored)
  }

  /// What is done to a step that was sent and must not happen twice, before the session is left.
  @Test(arguments: [["k", "q"], ["g close", "q"], ["k", "back rename", "q"]], [true, false])
  func `resume does not resend what the debugger skipped or took back`(
    lines: [String], isAnswered: Bool
  ) async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    // Without the fault the last request is refused.
    let script =
      isAnswered
      ? "\(DebugSession.jobs)\nclose: PATCH /jobs/{$add.body.id}/nowhere json { state: \"closed\" }" : chain.script
    var session = DebugSession(script: script, faults: isAnswered ? [] : ["drop-before-response"])
    session.isRecorded = true
    session.isResumed = true
    let left =
      isAnswered
      ? lines.map { $0 == "k" ? "g close" : $0 }
      : lines.map { $0.replacing("close", with: "confirm").replacing("rename", with: "upload") }
    let outcome = try await session.run((isAnswered ? ["back rename"] : []) + left)
    let resumed = outcome.screen.components(separatedBy: "--\n").last ?? ""
    #expect(outcome.code == .unknownOutcome, "\(outcome.screen)")
    #expect(resumed.contains("may have taken effect"), "\(outcome.screen)")
    #expect(resumed.contains(" --again \(isAnswered ? "rename" : "upload")    sends it again"), "\(resumed)")
    #expect(outcome.requests.count { $0 == "PATCH /jobs/3" } == (isAnswered ? 1 : 0), "\(outcome.screen)")
    #expect(outcome.requests.count { $0.hasPrefix("POST") } <= 2, "\(outcome.requests)")
  }

  @Test func `it stops before a step that got no response, and sends it`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: ["drop-before-response"])
    session.isRecorded = true
    let outcome = try await session.run(["n", "n"])
    let screen = outcome.screen.split(separator: "--\n").last.map(String.init) ?? ""
    #expect(
      screen.hasPrefix(
        """
        1 recorded response, nothing was sent
        (step 2/3 upload, before)
        """), "\(outcome.screen)")
    #expect(
      screen.contains(
        """
          it was sent, and no response came: it may have taken effect. Your choice:
            n          sends it again
            k 200 {…}  takes it as done, with this response
            k          leaves it out
            q          leaves the run as it is
        debug> n
        """), "\(outcome.screen)")
    #expect(screen.contains("warning: upload was sent before and may have taken effect"), "\(screen)")
    #expect(outcome.code == .success, "\(outcome.screen)")
    // The request that got no response is not in the log, since its connection broke.
    #expect(outcome.requests.count { $0 == "POST /sheets/A-101/snapshots" } == 1)
  }
}
