import Foundation
import Prompt
import RunStore
import Subcommands
import Testing

/// A session that is left, or whose program is killed, is offered when its script is debugged again.
@Suite(.timeLimit(.minutes(2))) struct KeptSessionTests {
  private static let jobs = """
    \(DebugSession.jobs)
    close: PATCH /jobs/{$add.body.id} json { state: "closed" }
    """

  private func session(_ script: String = jobs) -> DebugSession {
    var session = DebugSession(script: script)
    session.isInteractive = true
    return session
  }

  /// With `y`, and with an empty line.
  @Test(arguments: ["", "y"])
  func `it continues with the responses there are, and resends nothing`(answer: String) async throws {
    let outcome = try await session().run(["n"], later: [[answer, "c"]])
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3"])
    #expect(
      outcome.screen.contains(
        """
        continue with: workbench debug --run \(outcome.screen.runName) --store store
        --
        run r0000001 of this script is not finished: begun 0 s ago, 1 response
        continue there? nothing is resent without asking [Y/n] \(answer)
        1 recorded response, nothing was sent
        (step 2/3 rename, before) PATCH http://127.0.0.1:10080/jobs/3
        """), "\(outcome.screen)")
    #expect(outcome.runs.map(\.state) == [.done])
    #expect(outcome.runs[0].steps == ["add 201", "rename 200", "close 200"])
    #expect(outcome.recorded == outcome.requests)
    #expect(!outcome.isTokenStored)
  }

  @Test func `whoever says no starts over, and is not asked about the old one again`() async throws {
    let outcome = try await session().run(["n"], later: [["n", "c"], ["q"]])
    #expect(outcome.requests.count { $0 == "POST /jobs" } == 2)
    #expect(outcome.runs.map(\.state) == [.done, .open])
    #expect(outcome.screen.components(separatedBy: "is not finished").count == 2, "\(outcome.screen)")
  }

  @Test func `another text, another sequence or other values are another script`() async throws {
    var session = session()
    let outcome = try await session.run(["n", "$ echo '# more' >> chain.wb"], later: [["q"]])
    #expect(!outcome.screen.contains("is not finished"), "\(outcome.screen)")
    session.isInteractive = false
    // Where nobody can be asked, it says how to continue, and starts over.
    let piped = try await session.run(["n"], later: [["n"]])
    #expect(piped.screen.contains("continues there; this is a new run"), "\(piped.screen)")
    #expect(piped.runs.count == 2)
  }

  @Test func `if nothing was sent, nothing is recorded or reported`() async throws {
    let outcome = try await session().run(["back", "k 201 {\"id\": 7}", "q"], later: [["q"]])
    #expect(outcome.runs.isEmpty)
    #expect(!outcome.screen.contains("go on"), "\(outcome.screen)")
  }

  @Test func `what was changed in it is as it was left`() async throws {
    let outcome = try await session().run(
      [
        "n", "n", "back", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }", "n", "y",
        "set $rename.body.state = \"odd\"",
      ],
      later: [["y", "p $rename.body", "info", "k 204", "q"]])
    let last = outcome.screen.components(separatedBy: "--\nrun").last ?? ""
    #expect(last.contains("2 recorded responses, nothing was sent\n(step 3/3 close, before)"), "\(outcome.screen)")
    #expect(last.contains("\"title\": \"Plumber\",\n  \"state\": \"odd\""), "\(outcome.screen)")
    #expect(last.contains("the script was changed here"), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3"])
    #expect(outcome.recorded == outcome.requests)
    #expect(outcome.runs[0].steps == ["add 201", "rename 200", "close 204"])
  }

  @Test func `going back and looking takes nothing away`() async throws {
    let outcome = try await session().run(["n", "n", "back add", "p request"], later: [["y", "q"]])
    #expect(outcome.screen.contains("2 recorded responses, nothing was sent\n(step 3/3 close, before)"))
    #expect(outcome.requests.count == 2)
  }

  @Test func `what was taken back before is offered, and sent again only after a question`() async throws {
    let outcome = try await session().run(
      ["n", "n", "n", "back add", "k"], later: [["y", "n", "no", "k", "diff", "k", "q"]])
    #expect(
      outcome.screen.contains(
        """
        1 recorded response, nothing was sent
        (step 2/3 rename, before) PATCH http://127.0.0.1:10080/jobs/3
          profile api, bearer ••••
          url            ← /jobs/{$add.body.id}
          content-type   application/json
          authorization  bearer ••••  ← profile api
          title          "Master glazier"
          there is a response from before: k takes it, n sends it again after asking
        debug> n
        warning: rename was sent before and may have taken effect
        send it again? [y/N] no
        not sent
        debug> k
        took the response it had
        $2 rename  200 OK
        """), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> diff\nno difference from the last time\n"), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3"])
    #expect(outcome.runs[0].steps == ["add 201", "rename 200", "close 200"])
    #expect(outcome.runs.map(\.state) == [.done])
  }

  @Test func `what was edited but not sent is compared with the original, and gets its response when it is that again`()
    async throws
  {
    let outcome = try await session().run(
      ["n", "n", "back", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }"],
      later: [["y", "diff", "e PATCH /jobs/{$add.body.id} json { title: \"Master glazier\" }", "k", "q"]])
    #expect(
      outcome.screen.contains(
        """
        debug> diff
          request body  {"title":"Master glazier"} → {"title":"Plumber"}
        """), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> k\ntook the response it had\n$2 rename  200 OK"), "\(outcome.screen)")
    #expect(!outcome.isTokenStored)
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3"])
  }

  @Test func `what is sent again is compared with the response from before the program was killed`() async throws {
    let outcome = try await session().run(
      ["n", "n", "back", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }"],
      later: [["y", "s", "y", "diff", "q"]])
    #expect(
      outcome.screen.contains(
        """
        debug> diff
          request body  {"title":"Master glazier"} → {"title":"Plumber"}
          header content-length  49 → 42
          body.title  "Master glazier" → "Plumber"
        """), "\(outcome.screen)")
  }

  @Test func `what is sent once and got no response is reported, with what can be done`() async throws {
    let chain = try PreparedChain(name: "truncated-upload.txt")
    var session = DebugSession(script: chain.script, faults: ["drop-before-response"])
    session.isInteractive = true
    let outcome = try await session.run(["n", "n"], later: [["y", "k 204", "n"]])
    #expect(
      outcome.screen.contains(
        "is not finished: begun 0 s ago, 1 response\nupload was sent, and no response came\ncontinue there?"),
      "\(outcome.screen)")
    #expect(
      outcome.screen.contains(
        """
          it was sent, and no response came: it may have taken effect. Your choice:
            n          sends it again after asking
            k 200 {…}  takes it as done, with this response
            k          leaves it out
            q          leaves the run as it is
        debug> k 204
        $2 upload  204
        """), "\(outcome.screen)")
    #expect(outcome.runs.map(\.state) == [.done])
    #expect(outcome.requests.count { $0 == "POST /sandbox" } <= 1)
  }

  @Test func `a skipped step stays skipped`() async throws {
    let outcome = try await session().run(["n", "g close"], later: [["", "n"]])
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3"], "\(outcome.screen)")
    #expect(outcome.runs[0].steps == ["add 201", "rename skipped", "close 200"])
  }

  @Test func `a file that would be different by now is reported, and its response not taken`() async throws {
    let script = """
      profile api {
        base http://127.0.0.1:10080
        auth bearer $env.API_TOKEN
      }
      add: POST /jobs json { title: "Glazier", size: file("blueprint.png").size }
      look: GET /jobs
      """
    let outcome = try await session(script).run(["n", "$ echo more >> blueprint.png"], later: [["y", "q"]])
    #expect(
      outcome.screen.contains(
        """
        nothing was sent
        this request is not the one that was recorded, so its response is not taken
          request body  {"title":"Glazier","size":480} → {"title":"Glazier","size":485}
        (step 1/2 add, before)
        """), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs"])
  }

  @Test func `without a record nothing is kept`() async throws {
    var session = session()
    session.isKept = false
    let outcome = try await session.run(["n", "q"], later: [["q"]])
    #expect(outcome.requests.count == 1)
    #expect(!outcome.screen.contains("go on"), "\(outcome.screen)")
    #expect(outcome.files["store"] == nil)
  }
}

extension String {
  /// What follows `--run` on the screen.
  fileprivate var runName: String {
    firstMatch(of: /--run (\S+)/).map { String($0.1) } ?? ""
  }
}
