import Canaries
import Diagnostics
import Formats
import Foundation
import HTTPTypes
import LineEditing
import OfflineTransport
import Prompt
import RequestSyntax
import Requests
import RunStore
import Sessions
import Subcommands
import Synchronization
import Testing
import UploaderCore

/// Every clause through whatever sends, saves or repeats a request: all send what a plain run of the script sends.
@Suite struct EveryCallerTests {
  @Test(arguments: ClauseSample.all, Caller.allCases)
  func `every caller sends the same bytes`(sample: ClauseSample, caller: Caller) async throws {
    let expected = try await CallerWorld().run(sample.script)
    #expect(!expected.requests.isEmpty && !expected.isFailed, "\(expected.screen)")
    let found = try await caller.go(sample, in: CallerWorld())
    #expect(found.requests == expected.requests, "\(sample.script)\n\(found.screen)")
    #expect(found.written == expected.written, "\(found.screen)")
  }

  @Test func `there is a sample of every clause`() {
    let found = Set(ClauseSample.all.flatMap(\.kinds))
    #expect(found.isSuperset(of: ClauseSample.allKinds), "\(ClauseSample.allKinds.subtracting(found))")
  }
}

/// A step with one clause, or with several that belong together.
struct ClauseSample: CustomTestStringConvertible, Sendable {
  let clauses: String
  /// What a sample itself contains: its text is in the record of its run.
  static let password = Canary.early("every-caller")
  /// In each response, whether a sample refers to it or not.
  static let access = Canary.early("every-caller-access")
  var method = "POST"
  var path = "/items"

  /// Without the secret, since it is written to the log.
  var testDescription: String { clauses.replacing(Self.password, with: "••••") }

  static let declarations = """
    profile api {
      base https://a.example
    }
    profile other {
      base https://a.example/v2
      header X-Profile: other
    }

    """

  var step: String { "\(method) api:\(path)\n  \(clauses)" }

  /// A login, which later steps may refer to, and the step.
  var script: String { Self.declarations + "login: POST api:/login\n" + step + "\n" }

  static let all: [ClauseSample] = [
    ClauseSample(clauses: #"json { size: 1, id: $login.body.id, "a b": [true, null] }"#),
    ClauseSample(clauses: #"form { name: "a b", id: $login.body.id }"#),
    ClauseSample(clauses: #"multipart { a: "x", f: "text" as "text/plain" named "f.txt" }"#),
    ClauseSample(clauses: #"text "line one\nline {$login.body.id}""#),
    ClauseSample(clauses: #"body "raw" as "application/x-raw""#),
    ClauseSample(clauses: #"graphql "query Q($id: ID) { item(id: $id) { id } }" variables { id: $login.body.id }"#),
    ClauseSample(clauses: #"header X-Id: $login.body.id"#, method: "GET"),
    ClauseSample(clauses: "header { X-A: \"1\", X-B: \"2\" }", method: "GET"),
    ClauseSample(clauses: #"query q: "a b""#, method: "GET"),
    ClauseSample(clauses: "auth basic \"user\", \"\(password)\"", method: "GET"),
    ClauseSample(clauses: #"auth bearer $login.body.access"#, method: "GET"),
    ClauseSample(clauses: "expect 200 | 201"),
    ClauseSample(clauses: #"expect body.id == "it-4711""#),
    ClauseSample(clauses: #"when $login.body.id == "it-4711""#),
    ClauseSample(clauses: "repeat every 250ms for 9s until body.count >= 4", method: "GET", path: "/count"),
    ClauseSample(clauses: "retry 3", method: "GET", path: "/flaky"),
    ClauseSample(clauses: "timeout 1500ms", method: "GET"),
    ClauseSample(clauses: "limit 2MiB", method: "GET"),
    ClauseSample(clauses: "redirects 1", method: "GET", path: "/moved"),
    ClauseSample(clauses: "redirects none\n  expect 302", method: "GET", path: "/moved"),
    ClauseSample(clauses: #"save body to "out.json""#, method: "GET"),
    ClauseSample(clauses: "effect once"),
    ClauseSample(clauses: "effect idempotent"),
    ClauseSample(clauses: "stream for 5s", method: "GET"),
    ClauseSample(clauses: "wait 10ms", method: "GET"),
    ClauseSample(clauses: "with profile other", method: "GET"),
    ClauseSample(clauses: "timeout 500ms\n  retry 3\n  effect once\n  expect 200\n  save body to \"all.json\""),
  ]

  /// The kinds of its clauses.
  var kinds: [String] {
    Parser.parse(SourceText(name: "sample", text: script)).script.statements.flatMap { statement -> [String] in
      if case .step(let step) = statement { step.clauses.map { Self.kind($0.kind) } } else { [] }
    }
  }

  /// A new clause needs a name here, and a sample above.
  private static func kind(_ kind: ClauseSyntax.Kind) -> String {
    switch kind {
    case .json: "json"
    case .form: "form"
    case .multipart: "multipart"
    case .text: "text"
    case .body: "body"
    case .graphql: "graphql"
    case .header: "header"
    case .query: "query"
    case .auth: "auth"
    case .expectStatus: "expect status"
    case .expect: "expect"
    case .when: "when"
    case .repetition: "repeat"
    case .stream: "stream"
    case .retry: "retry"
    case .timeout: "timeout"
    case .limit: "limit"
    case .redirects: "redirects"
    case .save: "save"
    case .effect: "effect"
    case .profile: "profile"
    case .wait: "wait"
    }
  }

  static let allKinds: Set<String> = [
    "json", "form", "multipart", "text", "body", "graphql", "header", "query", "auth", "expect status", "expect",
    "when", "repeat", "stream", "retry", "timeout", "limit", "redirects", "save", "effect", "profile", "wait",
  ]
}

/// What sends requests.
enum Caller: String, CaseIterable, Sendable {
  case verbose, json, prompt, loaded, send, debuggedAtOnce, debuggedByStep, resumed, queued
  case savedFromPrompt, savedFromLoop, savedFromSequence, debuggerSaved, loop, sequence

  func go(_ sample: ClauseSample, in world: CallerWorld) async throws -> CallerWorld.Outcome {
    let script = sample.script
    let typed = ClauseSample.declarations.split(separator: "\n}\n").map { "\($0)\n}" } + ["login: POST api:/login"]
    switch self {
    case .verbose: return try await world.run(script, style: ReportStyle(.lines, .verbose))
    case .json: return try await world.run(script, style: ReportStyle(.json, .verbose))
    case .prompt: return try await world.prompt(typed + [sample.step])
    case .loaded: return try await world.prompt([":run script.wb"], files: ["script.wb": script])
    case .send: return try await world.send(script)
    case .debuggedAtOnce: return try await world.debug(script, ["c", "q"])
    case .debuggedByStep: return try await world.debug(script, [String](repeating: "n", count: 9) + ["q"])
    case .resumed: return try await world.resume(script)
    case .queued: return try await world.queue(script)
    case .savedFromPrompt: return try await world.saved(typed + [sample.step])
    case .savedFromLoop:
      return try await world.saved(typed + ["for $i in [1] {\n\(indented(sample.step))\n}"])
    case .savedFromSequence:
      let call = "sequence inner(login) {\n\(indented(sample.step))\n}"
      return try await world.saved(typed + [call, "run inner(login: $login)"])
    case .debuggerSaved:
      let outcome = try await world.debug(script, ["save copy.wb", "q"])
      return try await CallerWorld().run(outcome.written["copy.wb"] ?? "")
    case .loop:
      return try await world.run(
        ClauseSample.declarations + "login: POST api:/login\nfor $i in [1] {\n\(indented(sample.step))\n}\n")
    case .sequence:
      return try await world.run(
        ClauseSample.declarations + "sequence inner(login) {\n\(indented(sample.step))\n}\n"
          + "login: POST api:/login\nrun inner(login: $login)\n")
    }
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }
}

/// A world in memory for one caller, with a store of its own.
final class CallerWorld: Sendable {
  struct Outcome: Sendable {
    var requests: [TransportRequest]
    var written: [String: String]
    var screen: String
    var isFailed: Bool
  }

  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "workbench-caller-\(UUID().uuidString)")
  private let files = Mutex<[String: [UInt8]]>([:])
  private let written = Mutex<[String: String]>([:])
  private let screen = Mutex("")
  private let transport = CallerTransport()

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private var store: String { directory.path }

  /// The environment has the one secret of the scripts, under whatever name it was saved.
  private func world(for script: String = "") -> World {
    let names = script.matches(of: /\$env\.([A-Z_]+)/).map { String($0.output.1) }
    let output = World.Output { [self] text in screen.withLock { $0 += text } }
    var world = World(
      output: output, errorOutput: output, environment: Dictionary(names.map { ($0, ClauseSample.password) }) { $1 },
      workingDirectory: "/work",
      readFile: { [self] path throws(FileError) in
        guard let bytes = files.withLock({ $0[path.hasPrefix("/") ? path : "/work/\(path)"] }) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return bytes
      },
      writeFile: { [self] path, body throws(FileError) in
        let text = String(decoding: try body.bytes(), as: UTF8.self)
        let name = path.hasPrefix("/work/") ? String(path.dropFirst(6)) : path
        written.withLock { $0[name] = text }
      },
      replaceFile: { _, _ in }, listDirectory: { _ in [] }, transport: transport,
      clock: UploadClock(now: { .zero }, sleep: { _ in }), makeBoundary: { "boundary" })
    world.patience = .seconds(60)
    return world
  }

  private func outcome(_ code: ExitCode) -> Outcome {
    Outcome(
      requests: transport.requests, written: written.withLock { $0 }, screen: screen.withLock { $0 },
      isFailed: code != .success)
  }

  private func put(_ text: String) {
    files.withLock { $0["/work/script.wb"] = Array(text.utf8) }
  }

  func run(_ script: String, style: ReportStyle = ReportStyle()) async throws -> Outcome {
    put(script)
    return outcome(await RunSubcommand(world: world(for: script), style: style).run(file: "script.wb"))
  }

  func prompt(_ lines: [String], files: [String: String] = [:]) async throws -> Outcome {
    for (name, text) in files { self.files.withLock { $0["/work/\(name)"] = Array(text.utf8) } }
    var repl = REPL(
      world: world(), editor: ScriptedLineEditor(lines: lines.flatMap { $0.components(separatedBy: "\n") }),
      history: nil)
    return outcome(await repl.run())
  }

  func send(_ script: String) async throws -> Outcome {
    var world = world()
    world.output.isTerminal = true
    return outcome(await SendSubcommand(world: world).run(script))
  }

  func debug(_ script: String, _ lines: [String]) async throws -> Outcome {
    put(script)
    return outcome(
      await DebugRun(world: world(), editor: ScriptedLineEditor(lines: lines)).run(file: "script.wb"))
  }

  /// The first request fails without a network.
  func resume(_ script: String) async throws -> Outcome {
    put(script)
    transport.isOffline.withLock { $0 = true }
    _ = await RunSubcommand(world: world(), recording: .directory(store)).run(file: "script.wb")
    transport.isOffline.withLock { $0 = false }
    return outcome(await ResumeSubcommand(world: world(), directory: store).run("last"))
  }

  /// The first request finds no network, so the run stops there.
  ///
  /// - Returns: the exit code, and the files of the store.
  func stored(
    _ script: String, settings: [String: String], by caller: SettingCaller
  ) async throws -> (code: ExitCode, files: [Data]) {
    put(script)
    transport.isOffline.withLock { $0 = true }
    let code =
      switch caller {
      case .run:
        await RunSubcommand(
          world: world(), options: ScriptOptions(settings: GivenValues(settings)), recording: .directory(store)
        ).run(file: "script.wb")
      case .debug:
        await DebugRun(
          world: world(), editor: ScriptedLineEditor(lines: ["n", "q"]), settings: GivenValues(settings),
          recording: .directory(store)
        ).run(file: "script.wb")
      case .queue:
        await QueueRun(world: world(), directory: store).add(
          file: "script.wb", sequence: nil, settings: GivenValues(settings), key: nil)
      }
    let names = try FileManager.default.subpathsOfDirectory(atPath: store)
    return (code, names.compactMap { FileManager.default.contents(atPath: "\(store)/\($0)") })
  }

  /// The settings of the last run, as they were recorded.
  func recordedSettings() throws -> [String: String] {
    let store = try RunStore(at: store)
    return try store.setup(of: store.run("last")).script.settings
  }

  func queue(_ script: String) async throws -> Outcome {
    put(script)
    let queue = QueueRun(world: world(), directory: store)
    _ = await queue.add(file: "script.wb", sequence: nil, settings: [:], key: nil)
    return outcome(await queue.run(jobs: 1))
  }

  /// What is sent by the script that `:save` makes from what was typed.
  func saved(_ lines: [String]) async throws -> Outcome {
    let typed = try await prompt(lines + [":save saved.wb"])
    let other = CallerWorld()
    var found = try await other.run(typed.written["saved.wb"] ?? "")
    found.screen = typed.screen + "\n-- saved.wb\n" + (typed.written["saved.wb"] ?? "nothing") + "\n--\n" + found.screen
    return found
  }
}

/// Responds according to the request, and so that clauses have something to do.
private final class CallerTransport: OfflineTransport {
  private let log = Mutex<[TransportRequest]>([])
  let isOffline = Mutex(false)

  var requests: [TransportRequest] { log.withLock { $0 } }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    if isOffline.withLock({ $0 }) { throw TransportError(.connect(reason: "Connection refused")) }
    let count = log.withLock { log in
      log.append(request)
      return log.count
    }
    var headers: HTTPFields = [.contentType: "application/json"]
    var status = 200
    var body = #"{"id": "it-4711", "access": "\#(ClauseSample.access)", "count": \#(count)}"#
    if request.url.hasSuffix("/moved") {
      (status, body) = (302, "")
      headers[.location] = "/items"
    } else if request.url.hasSuffix("/flaky"), count < 4 {
      status = 503
    }
    return TransportResponse(
      response: Response(
        status: .init(code: status), headers: headers, body: ResponseBody(Array(body.utf8))),
      sentHeaders: request.headers)
  }
}
