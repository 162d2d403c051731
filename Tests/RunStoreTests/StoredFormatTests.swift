import Canaries
import Formats
import Foundation
import GRDB
import HTTPTypes
import LineEditing
import Prompt
import Requests
import RunStore
import Sessions
import Subcommands
import Synchronization
import Testing
import UploaderCore

/// A store that an earlier program made is opened as it is: examined, continued, replayed, drained.
@Suite struct StoredFormatTests {
  static let formats = [3, 4, 5, 6]

  /// Whether the scripts of that store were written in version 1 of the language.
  private static func isEarlierLanguage(_ format: Int) -> Bool { format < 6 }

  @Test(arguments: formats) func `its runs are listed and shown`(format: Int) throws {
    let place = try StoredPlace(format)
    #expect(place.runs.list(limit: nil, json: true) == .success)
    #expect(
      try place.store.runs().map { "\($0.name) \($0.kind) \($0.state) \($0.stepCount)" } == [
        "debugged.wb debug open 2", "failed.wb script failed 3", "form.wb script done 1", "done.wb script done 11",
      ])
    for run in try place.store.runs() {
      #expect(place.runs.show(run.id, step: nil, part: .overview, showsTries: true) == .success)
      #expect(place.runs.show(run.id, step: nil, part: .har) == .success)
      for step in try place.store.attempts(of: run) {
        #expect(place.runs.show(run.id, step: step.place, part: .overview) == .success)
      }
    }
    for text in [
      "create  201 Created", "skipped: when $create.body.id == \"another\"", "\"state\": \"open\"",
      "large large", "image.png, ", "note: a note", "it may have taken effect",
      "/jobs/2?edited=yes", "Authorization: bearer ••••",
    ] {
      #expect(place.screen.localizedCaseInsensitiveContains(text), "\(text)")
    }
    #expect(!place.screen.contains("cookie-of-the-session") && !place.screen.contains("0123456789abcdef"))
  }

  @Test func `when nothing can be written the error says what to do`() {
    let error = StoreError.unusable(path: "/mnt/store/runs.sqlite", reason: SystemError(number: EROFS))
    #expect(error.advice == ["copy it to where it can be written, and name that with --store DIR"])
    #expect(StoreError.unusable(path: "/", reason: SystemError(number: ENOSPC)).advice.isEmpty)
  }

  @Test(arguments: formats) func `every step of it is complete`(format: Int) throws {
    let place = try StoredPlace(format)
    let done = try place.steps("done.wb")
    #expect(done.map(\.state).filter { $0 != .answered } == [.skipped])
    #expect(done.map(\.effect).count { $0 == .once } == 3)
    let moved = try #require(done.first { $0.label == "moved" }?.response)
    #expect(moved.redirects.map(\.status) == [302])
    #expect(moved.redirects.first?.headers.contains { $0.name == "Location" } == true)
    #expect(moved.sent.url == "http://127.0.0.1:18099/jobs/1?from=old")
    #expect(try done.first { $0.label == "large" }?.response?.body.bytes().count == 72_000)
    #expect(done.allSatisfy { $0.state == .skipped || $0.response.map { $0.timings.total > .zero } == true })
    #expect(try place.store.moments(of: place.run("done.wb")).count >= done.count)
    let form = try #require(try place.steps("form.wb").first?.request)
    guard case .parts(let parts) = form.body, case .file(let file)? = parts.last?.content else {
      Issue.record("a form is not a form")
      return
    }
    #expect(parts.map(\.name) == ["note", "file"] && file.size == 8)
    #expect(try place.steps("failed.wb").map(\.state) == [.answered, .answered, .answered, .unknown])
  }

  @Test(arguments: formats) func `a run that failed continues, and what may have happened is asked about`(
    format: Int
  ) async throws {
    let place = try StoredPlace(format, statuses: [204, 200])
    let run = try place.run("failed.wb")
    let resume = ResumeSubcommand(world: place.world, directory: place.directory.path)
    #expect(await resume.run(run.id) == .unknownOutcome)
    #expect(place.transport.requests.isEmpty)
    #expect(place.screen.contains("--again upload"))
    #expect(await resume.run(run.id, options: ResumeOptions(decisions: ["upload": .sendAgain])) == .success)
    let says = place.screen.contains("it was recorded in version 1 of the language, and means what it meant there")
    #expect(says == Self.isEarlierLanguage(format))
    #expect(place.transport.requests.map { $0.method.rawValue } == ["POST", "GET"])
    #expect(place.transport.requests.first?.url.hasSuffix("X-Amz-Signature=0123456789abcdef") == true)
    #expect(place.transport.requests.last?.headers[.authorization]?.contains(StoredPlace.token) == true)
    #expect(try place.run("failed.wb").state == .done)
    // What a finished run no longer needs is gone, including what an earlier program had written.
    place.expectNowhere("0123456789abcdef", "cookie-of-the-session", StoredPlace.token)
  }

  @Test(arguments: [ResumeOptions.Decision.sendAgain, .accept, .answered(Response(status: .ok))])
  func `a decision about a step that does not exist is refused`(decision: ResumeOptions.Decision) async throws {
    let place = try StoredPlace(6, statuses: [204, 200])
    let run = try place.run("failed.wb")
    let resume = ResumeSubcommand(world: place.world, directory: place.directory.path)
    #expect(await resume.run(run.id, options: ResumeOptions(decisions: ["uplaod": decision])) == .usage)
    #expect(place.screen.contains("the run has no step \"uplaod\"; it has "), "\(place.screen)")
    #expect(place.screen.contains("did you mean upload?"), "\(place.screen)")
    #expect(place.transport.requests.isEmpty)
    #expect(try place.run("failed.wb").state == .failed)
  }

  @Test(arguments: formats) func `runs are replayed`(format: Int) async throws {
    let place = try StoredPlace(format)
    let replay = ReplaySubcommand(world: place.world, directory: place.directory.path)
    #expect(await replay.run(try place.run("done.wb").id, file: nil) == .success, "\(place.screen)")
    #expect(place.screen.contains("$2 create  201 Created") && place.screen.contains("left-out  skipped"))
    #expect(place.screen.contains("recorded in version 1 of the language") == Self.isEarlierLanguage(format))
    #expect(await replay.run(try place.run("debugged.wb").id, file: nil) != .success)
    #expect(place.transport.requests.isEmpty)
  }

  @Test(arguments: formats) func `its queue is drained`(format: Int) async throws {
    let place = try StoredPlace(format, statuses: [201])
    #expect(await QueueRun(world: place.world, directory: place.directory.path).run(jobs: 2) == .success)
    #expect(place.transport.requests.count == 1)
    #expect(place.screen.contains("recorded in version 1 of the language") == Self.isEarlierLanguage(format))
    #expect(try place.store.operations().isEmpty)
    #expect(
      try place.steps("/tmp/workbench-recorded/queued.wb").map(\.request.body) == [
        .bytes(Array(#"{"title":"Mason"}"#.utf8))
      ])
  }

  @Test(arguments: formats) func `a session in the debugger continues with what was changed in it`(
    format: Int
  ) async throws {
    let place = try StoredPlace(
      format,
      answers: [
        Response(
          status: .created, headers: [.contentType: "application/json"],
          body: ResponseBody(Array(#"{"id":"job-2"}"#.utf8))), Response(status: .ok), Response(status: .ok),
      ])
    let debugger = DebugRun(
      world: place.world, editor: ScriptedLineEditor(lines: ["n", "n", "n"]),
      recording: .directory(place.directory.path), directory: place.directory.path)
    #expect(await debugger.run(recorded: try place.run("debugged.wb").id) == .success, "\(place.screen)")
    #expect(
      place.transport.requests.map(\.url).map { $0.dropFirst("http://127.0.0.1:18099".count) } == [
        "/jobs", "/jobs/2?edited=yes", "/jobs/job-2",
      ])
    #expect(try place.run("debugged.wb").state == .done)
    #expect(try place.store.attempts(of: place.run("debugged.wb")).count == 5)
  }
}

/// A run recorded in a later version of the language is not run as something else.
@Suite struct LaterLanguageTests {
  @Test func `it is neither resumed, nor replayed, nor performed, nor debugged`() async throws {
    let place = try StoredPlace(4, statuses: [200])
    let database = try DatabaseQueue(path: "\(place.directory.path)/runs.sqlite")
    try await database.write { database in
      for table in ["runs", "operations"] {
        try database.execute(sql: "UPDATE \(table) SET setup = replace(setup, '\"language\":1', '\"language\":99')")
      }
    }
    let failed = try place.run("failed.wb").id
    let path = place.directory.path
    #expect(await ResumeSubcommand(world: place.world, directory: path).run(failed) == .usage)
    #expect(await ReplaySubcommand(world: place.world, directory: path).run(failed, file: nil) == .usage)
    _ = await QueueRun(world: place.world, amount: .normal, directory: path).run(jobs: 1)
    let debugger = DebugRun(
      world: place.world, editor: ScriptedLineEditor(lines: ["n"]), recording: .directory(path), directory: path)
    _ = await debugger.run(recorded: failed)
    #expect(place.transport.requests.isEmpty)
    #expect(place.screen.ranges(of: "version 99 of the language, but this program knows version 2").count == 4)
    #expect(place.screen.contains("update workbench"))
    #expect(try place.run("failed.wb").state == .failed)
  }
}

/// A copy of a store from the fixtures, and a world in which its scripts are where they were.
private struct StoredPlace {
  static let token = Canary.secret("stored")
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  let directory = TemporaryDirectory()
  let transport: ScriptedTransport
  private let shown = ShownText()

  init(_ format: Int, answers: [Response] = []) throws {
    transport = ScriptedTransport(answers.map { .success($0) })
    try FileManager.default.copyItem(
      atPath: Self.fixtures.appending(path: "format-\(format)").path, toPath: directory.path)
  }

  init(_ format: Int, statuses: [Int]) throws {
    try self.init(format, answers: statuses.map { Response(status: .init(code: $0)) })
  }

  var screen: String { shown.text }
  var runs: StoredRuns { StoredRuns(world: world, directory: directory.path) }
  var store: RunStore { get throws { try RunStore(at: directory.path) } }

  func run(_ name: String) throws -> RecordedRun { try #require(try store.runs().first { $0.name == name }) }

  func steps(_ name: String) throws -> [RecordedStep] { try store.steps(of: run(name)) }

  func expectNowhere(_ texts: String...) {
    for (name, content) in directory.files {
      for text in texts { #expect(content.range(of: Data(text.utf8)) == nil, "\(text) in \(name)") }
    }
  }

  var world: World {
    let shown = shown
    return World(
      output: World.Output { shown.write($0) }, errorOutput: World.Output { shown.write($0) },
      environment: ["API_TOKEN": Self.token], workingDirectory: "/elsewhere",
      readFile: { path throws(FileError) in
        let script = URL(filePath: path).lastPathComponent
        guard let data = try? Data(contentsOf: Self.fixtures.appending(path: "scripts/\(script)")) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return Array(data)
      }, writeFile: { _, _ in }, replaceFile: { _, _ in }, listDirectory: { _ in [] }, transport: transport)
  }
}

final class ShownText: Sendable {
  private let state = Mutex("")
  var text: String { state.withLock { $0 } }
  func write(_ text: String) { state.withLock { $0 += text } }
}
