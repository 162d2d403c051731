import Foundation
import Prompt
import Subcommands
import Testing

/// `diff last` and `diff RUN`: what differs.
@Suite(.timeLimit(.minutes(2))) struct ComparedRunTests {
  @Test func `a step, or everything so far, is compared with the last run of the script`() async throws {
    let outcome = try await DebugSession(script: DebugSession.jobs).run(
      ["c"],
      later: [
        [
          "diff last", "e POST /jobs json { title: \"Plumber\" }", "diff last", "s", "diff last", "n", "n",
          "diff last", "diff last rename", "diff last nowhere", "diff nowhere",
        ]
      ])
    let screen = outcome.screen.components(separatedBy: "--\n").last ?? ""
    #expect(
      screen.contains(
        """
        debug> diff last
        run r0000001, begun 0 s ago, done → now
        no difference in add
        """), "\(screen)")
    #expect(
      screen.contains(
        """
        debug> diff last
        run r0000001, begun 0 s ago, done → now
        add
          request body  {"title":"Glazier"} → {"title":"Plumber"}
        debug> s
        """), "\(screen)")
    #expect(
      screen.contains(
        """
        (step 1/2 add, after) 201 Created
        debug> diff last
        run r0000001, begun 0 s ago, done → now
        add
          request body  {"title":"Glazier"} → {"title":"Plumber"}
          body.id  3 → 4
          body.title  "Glazier" → "Plumber"
        debug> n
        """), "\(screen)")
    #expect(
      screen.contains(
        """
        rename
          request url  http://127.0.0.1:10080/jobs/3 → http://127.0.0.1:10080/jobs/4
          body.id  3 → 4
        debug> diff last rename
        run r0000001, begun 0 s ago, done → now
        rename
        """), "\(screen)")
    #expect(screen.contains("error: no step \"nowhere\" has run"), "\(screen)")
    #expect(screen.contains("error: no recorded run is called \"nowhere\""), "\(screen)")
  }

  @Test func `what signs an upload is not compared, and not shown`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    let outcome = try await DebugSession(script: chain.script).run(
      ["c"], later: [["s", "diff last", "n", "n", "diff last"]])
    let screen = outcome.screen.components(separatedBy: "--\n").last ?? ""
    #expect(
      screen.contains(
        """
        debug> diff last
        run r0000001, begun 0 s ago, done → now
        allocate
          body.snapshot.uid  "s-000000000002" → "s-000000000001"
          body.snapshot.fields.key  "snapshots/s-000000000002" → "snapshots/s-000000000001"
        debug> n
        """), "\(screen)")
    #expect(
      screen.contains("\nupload\n  request part 1  key = snapshots/s-000000000002 → key = snapshots/s-000000000001\n"),
      "\(screen)")
    #expect(!screen.contains("eyJ"), "\(screen)")
  }

  @Test func `without another run it reports that`() async throws {
    let outcome = try await DebugSession(script: DebugSession.jobs).run(["n", "diff last"])
    #expect(outcome.screen.contains("no other run of this script is recorded"), "\(outcome.screen)")
  }
}
