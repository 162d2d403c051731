import Foundation
import Prompt
import Sessions
import Subcommands
import Testing

/// What is sent when the past is changed: the server's log shows it.
@Suite(.timeLimit(.minutes(2))) struct ChangedRunTests {
  private static let jobs = """
    \(DebugSession.jobs)
    close: PATCH /jobs/{$add.body.id} json { state: "closed" }
    look: GET /jobs
    """

  @Test func `back two steps, with a field changed, only what comes after is sent again`() async throws {
    let outcome = try await DebugSession(script: Self.jobs).run([
      "n", "n", "n", "back 2", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }", "c",
      "p $look.body[-1].title",
    ])
    #expect(
      outcome.requests == [
        "POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3",
        "PATCH /jobs/3", "PATCH /jobs/3", "GET /jobs",
      ], "\(outcome.screen)")
    #expect(outcome.screen.hasSuffix("\"Plumber\"\n"), "\(outcome.screen)")
    #expect(outcome.code == .success)
  }

  @Test func `a script edited elsewhere is read again, and responses to unchanged requests are kept`() async throws {
    let outcome = try await DebugSession(script: Self.jobs).run([
      "n", "n", "$ sed -i 's/Master glazier/Plumber/' chain.wb", "reload", "c", "p $look.body[-1].title",
    ])
    #expect(outcome.screen.contains("kept 1 of 2 responses"), "\(outcome.screen)")
    #expect(
      outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3", "PATCH /jobs/3", "GET /jobs"])
    #expect(outcome.screen.hasSuffix("\"Plumber\"\n"))
  }

  @Test(arguments: [
    "1i # What moves every step by a line.", "s/^ *rename:/retitle:/",
  ])
  func `a request that has moved or has another label is the same, and its response is kept`(
    change: String
  ) async throws {
    let outcome = try await DebugSession(script: Self.jobs).run([
      "n", "n", "$ sed -i '\(change)' chain.wb", "reload", "c",
    ])
    #expect(outcome.screen.contains("kept 2 of 2 responses"), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3", "GET /jobs"])
  }

  @Test func `a value that was set is the same value when the run is resumed`() async throws {
    var session = DebugSession(
      script: """
        profile api {
          base http://127.0.0.1:10080
          auth bearer $env.API_TOKEN
        }
        let titles = ["A"]
        look: GET /jobs
        for $title in $titles { add: POST /jobs json { title: $title } }
        """)
    session.isResumed = true
    let outcome = try await session.run(["n", "set titles = [\"B\", \"C\"]", "q"])
    #expect(outcome.code == .success, "\(outcome.screen)")
    #expect(outcome.requests == ["GET /jobs", "POST /jobs", "POST /jobs"], "\(outcome.screen)")
  }

  @Test func `a broken script is not taken, and the run stays where it was`() async throws {
    let outcome = try await DebugSession(script: Self.jobs).run([
      "n", "$ echo 'look: GET {' >> chain.wb", "reload", "c",
    ])
    #expect(outcome.screen.contains("the script is unchanged"), "\(outcome.screen)")
    #expect(outcome.requests.count == 4)
    #expect(outcome.code == .success)
  }

  @Test func `what was saved is not a change that has to be kept`() async throws {
    let edit = "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }"
    let notice = "the script was changed here: save FILE keeps that"
    let script = DebugSession(script: Self.jobs)
    let elsewhere = try await script.run([
      "n", edit, "info", "save fixed.wb", "info", "e PATCH /jobs/{$add.body.id} json { title: \"Mason\" }", "info",
    ])
    #expect(elsewhere.screen.components(separatedBy: notice).count == 3, "\(elsewhere.screen)")
    #expect(
      elsewhere.screen.contains(
        "debug> save fixed.wb\nwrote the script to fixed.wb, as it was changed here\ndebug> info"))
    #expect(elsewhere.screen.contains("\(notice)\ncontinue with"), "\(elsewhere.screen)")
    #expect(elsewhere.files["fixed.wb"]?.contains("Plumber") == true)
  }

  @Test func `what was saved in its own file is what continues there`() async throws {
    var session = DebugSession(script: Self.jobs)
    session.isInteractive = true
    let edit = "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }"
    let outcome = try await session.run(
      ["n", edit, "n", "save chain.wb", "info", "reload"], later: [["y", "info", "c"]])
    #expect(!outcome.screen.contains("the script was changed here"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("the changes made here are discarded"), "\(outcome.screen)")
    #expect(outcome.screen.contains("2 recorded responses, nothing was sent"), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "PATCH /jobs/3", "GET /jobs"])
    #expect(outcome.recorded == outcome.requests)
  }

  @Test func `only a loop's own steps after the change are sent again`() async throws {
    let script = """
      profile api {
        base http://127.0.0.1:10080
        auth bearer $env.API_TOKEN
      }
      for $title in ["A", "B", "C"] parallel 3 {
        add: POST /jobs json { title: $title }
        close: PATCH /jobs/{$add.body.id} json { state: "closed" }
      }
      look: GET /jobs
      """
    let outcome = try await DebugSession(script: script).run([
      "b close[1]", "c", "w", "back", "e POST /jobs json { title: \"{$title}!\" }", "del 1", "c",
      "p $look.body[*].title",
    ])
    #expect(outcome.screen.contains("for $title, 2 of 3"), "\(outcome.screen)")
    // The change is in the loop's text, so what was sent before it in its first round is sent again, too.
    #expect(outcome.requests.filter { $0 == "POST /jobs" }.count == 5, "\(outcome.requests)\n\(outcome.screen)")
    #expect(outcome.code == .success)
  }
}

/// Steps of a sequence in another file.
@Suite(.timeLimit(.minutes(2))) struct ChangedFileTests {
  private func session() -> DebugSession {
    var session = DebugSession(
      script: """
        use "jobs.wb"
        run hire(title: "Glazier")
        look: GET /jobs
        """)
    session.others = [
      "jobs.wb": """
      # Jobs.
      profile api {
        base http://127.0.0.1:10080
        auth bearer $env.API_TOKEN
      }
      sequence hire(title) {
        add: POST /jobs json { title: $title }
        rename: PATCH /jobs/{$add.body.id} json { title: "Master" }
      }
      """
    ]
    return session
  }

  @Test func `a step of a used file is changed like any other, and its file saved`() async throws {
    let outcome = try await session().run([
      "n", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }", "l", "info", "c", "p $look.body[-1].title",
      "save jobs.wb", "info", "reload", "info",
    ])
    #expect(outcome.screen.contains("kept 1 of 1 response"), "\(outcome.screen)")
    #expect(outcome.screen.contains("→    8    rename: PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }"))
    #expect(outcome.screen.contains("jobs.wb was changed here: save jobs.wb keeps that"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> p $look.body[-1].title\n\"Plumber\"\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("wrote jobs.wb, as it was changed here"), "\(outcome.screen)")
    #expect(outcome.screen.components(separatedBy: "jobs.wb was changed here").count == 2, "\(outcome.screen)")
    #expect(outcome.files["jobs.wb"]?.contains("Plumber") == true)
    #expect(outcome.files["jobs.wb"]?.hasPrefix("# Jobs.\nprofile api") == true)
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "GET /jobs"])
    #expect(outcome.code == .success)
  }

  @Test func `it keeps its changes when the session is resumed`() async throws {
    var session = session()
    session.isInteractive = true
    let outcome = try await session.run(
      ["n", "e PATCH /jobs/{$add.body.id} json { title: \"Plumber\" }", "n"],
      later: [["y", "info", "n", "p $look.body[-1].title"]])
    #expect(outcome.screen.contains("2 recorded responses, nothing was sent\n"), "\(outcome.screen)")
    #expect(outcome.screen.hasSuffix("\"Plumber\"\n"), "\(outcome.screen)")
    #expect(outcome.requests == ["POST /jobs", "PATCH /jobs/3", "GET /jobs"])
  }
}
