import Canaries
import Foundation
import LibcurlTransport
import Prompt
import Requests
import RunStore
import Sandbox
import Sessions
import Subcommands
import Synchronization
import UploaderCore

/// A session in the debugger: lines in, screen out, with real requests to a sandbox and a clock that never waits.
///
/// In scripts, lines and screens the sandbox is at the two addresses below, wherever it really is.
struct DebugSession {
  static let api = "http://127.0.0.1:10080"
  static let storage = "http://127.0.0.1:10081"
  static let token = Canary.secret("debugger")
  /// A job is added and renamed; what follows differs per test.
  static let jobs = """
    profile api {
      base http://127.0.0.1:10080
      auth bearer $env.API_TOKEN
    }
    add: POST /jobs json { title: "Glazier" }
    rename: PATCH /jobs/{$add.body.id} json { title: "Master glazier" }
    """

  var script: String
  /// What the script is changed to after it was run, if it is recorded first; nil: it stays as it is.
  var changed: String?
  var faults: [String] = []
  var breakpoints: [String] = []
  /// Whether the script is run and recorded first, and that run is debugged.
  var isRecorded = false
  /// Whether what is sent in the debugger is recorded.
  var isKept = true
  /// Whether `resume last` continues when the last session is over.
  var isResumed = false
  /// Files beside the script, by their names.
  var others: [String: String] = [:]
  /// Whether input is typed.
  var isInteractive = false
  var image = Data((1...480).map { UInt8($0 % 251) })
  /// When it begins, since 1970.
  var start = Duration.seconds(1_700_000_000)
  /// What the editor makes of a text; nil: there is no editor.
  var edit: (@Sendable (String) -> String?)?

  struct Outcome {
    var screen: String
    /// The sandbox's log, as method and path.
    var requests: [String]
    var code: ExitCode
    /// What was written, by its name.
    var files: [String: String]
    /// The recorded runs, the newest first.
    var runs: [Run]
    /// Whether the token is anywhere in the store, as it is or uppercase.
    var isTokenStored: Bool

    /// What the newest run recorded as sent, in the log's format.
    var recorded: [String] { runs.first?.sent ?? [] }
  }

  /// A run as it was recorded.
  struct Run {
    var state: RecordedRun.State
    var kind: String
    /// Method and path of everything sent, including what was taken back, and redirects.
    var sent: [String]
    /// What counts, with its status.
    var steps: [String]
  }

  /// - Parameters:
  ///   - lines: of the debugger; one that begins with `$ ` is a command of the shell, in the script's directory.
  ///   - later: lines of later sessions with the same script.
  func run(_ lines: [String], later: [[String]] = []) async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "workbench-debugger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = WaitlessClock(start)
    var options = SandboxOptions()
    options.token = Self.token
    options.faults = try faults.map(SandboxFault.init(parsing:))
    options.logFile = folder.appending(path: "log.received").path
    options.now = { clock.date }
    try image.write(to: folder.appending(path: "blueprint.png"))
    return try await Sandbox.run(options) { endpoints in
      let names = Names(endpoints, folder: folder)
      let path = folder.appending(path: "chain.wb").path
      for (name, text) in others { try Data(names.real(text).utf8).write(to: folder.appending(path: name)) }
      try Data(names.real(script).utf8).write(to: URL(filePath: path))
      let screen = Recorder()
      let world = world(screen, clock, folder)
      let store = folder.appending(path: "store").path
      var code = ExitCode.success
      if isRecorded { _ = await RunSubcommand(world: world, recording: .directory(store)).run(file: path) }
      if let changed { try Data(names.real(changed).utf8).write(to: URL(filePath: path)) }
      for (index, lines) in ([lines] + later).enumerated() {
        let editor = PlayedEditor(
          lines.map(names.real), isInteractive: isInteractive, directory: folder, screen: screen)
        let run = DebugRun(
          world: world, editor: editor, breakpoints: breakpoints, recording: isKept ? .directory(store) : .off,
          directory: store)
        if index > 0 || isRecorded { screen.append("--\n") }
        code = isRecorded ? await run.run(recorded: "last") : await run.run(file: path)
      }
      if isResumed {
        screen.append("--\n")
        code = await ResumeSubcommand(world: world, directory: store).run("last")
      }
      Screen.keep(screen.text)
      let log = try String(contentsOf: folder.appending(path: "log.received"), encoding: .utf8)
      var files: [String: String] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        files[name] = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map(names.shown)
      }
      return Outcome(
        screen: names.shown(screen.text), requests: log.split(separator: "\n").compactMap { names.request($0) },
        code: code, files: files, runs: try runs(in: store, names),
        isTokenStored: try [Self.token, Self.token.uppercased()]
          .contains { try Self.contains($0, below: folder.appending(path: "store")) })
    }
  }

  private func runs(in directory: String, _ names: Names) throws -> [Run] {
    guard isKept || isRecorded else { return [] }
    let store = try RunStore(at: directory)
    return try store.runs().map { run in
      let sent = try store.attempts(of: run).filter { $0.failure == nil }.compactMap(\.response)
        .flatMap { answer in answer.redirects.map(\.sent) + [answer.sent] }
        .map { sent in
          let path = sent.url.replacing(/^https?:\/\/[^\/]*/, with: "")
          return names.request(method: sent.method, target: path)
        }
      let steps = try store.steps(of: run).map { step in
        "\(step.name) \(step.response.map { "\($0.status)" } ?? "\(step.state)")"
      }
      return Run(state: run.state, kind: run.kind, sent: sent, steps: steps)
    }
  }

  private static func contains(_ text: String, below folder: URL) throws -> Bool {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      if let data = try? Data(contentsOf: file), data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  private func world(_ screen: Recorder, _ clock: WaitlessClock, _ folder: URL) -> World {
    let output = World.Output { screen.append($0) }
    var world = World(
      output: output, errorOutput: output, environment: ["API_TOKEN": Self.token], workingDirectory: folder.path,
      readFile: { path throws(FileError) in
        guard let data = FileManager.default.contents(atPath: path) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return Array(data)
      },
      writeFile: { path, body throws(FileError) in
        let bytes = try body.bytes()
        // Relative to the script, since the tests of one process have one working directory.
        try? Data(bytes).write(to: path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path))
      },
      replaceFile: { _, _ in }, listDirectory: { _ in [] }, transport: CurlTransport(),
      clock: UploadClock(now: { clock.now }, sleep: { clock.advance(by: $0) }), makeBoundary: { "boundary" })
    world.edit = edit
    return world
  }
}

/// A clock that advances by the time waited for.
private final class WaitlessClock: Sendable {
  private let time: Mutex<Duration>

  init(_ start: Duration) { time = Mutex(start) }

  var now: Duration { time.withLock { $0 } }
  var date: Date { Date(timeIntervalSince1970: now / .seconds(1)) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// What was shown so far.
final class Recorder: Sendable {
  private let state = Mutex("")

  var text: String { state.withLock { $0 } }

  func append(_ text: String) { state.withLock { $0 += text } }
}

/// What is new in every run, and what is shown instead.
private struct Names {
  let endpoints: SandboxEndpoints
  let folder: URL

  init(_ endpoints: SandboxEndpoints, folder: URL) {
    self.endpoints = endpoints
    self.folder = folder
  }

  func real(_ text: String) -> String {
    let storage = endpoints.storage.replacing("http://", with: "")
    let api = endpoints.api.replacing("http://", with: "")
    return text.replacing("127.0.0.1:10080", with: api).replacing("127.0.0.1:10081", with: storage)
      .replacing("localhost:10081", with: storage.replacing("127.0.0.1", with: "localhost"))
  }

  func shown(_ text: String) -> String {
    let port = endpoints.storage.split(separator: ":").last ?? ""
    var text = text.replacing(folder.path + "/", with: "").replacing(endpoints.api, with: DebugSession.api)
      .replacing(endpoints.storage, with: DebugSession.storage)
      .replacing(endpoints.api.replacing("http://", with: ""), with: "127.0.0.1:10080")
      .replacing(endpoints.storage.replacing("http://", with: ""), with: "127.0.0.1:10081")
      .replacing("localhost:\(port)", with: "localhost:10081")
      .replacing(#/  \d+(\.\d+)? (µs|ms|s)(?=  )/#, with: "  12 ms")
    text = text.replacing(#/s-[0-9a-f]{1,11}…/#, with: "s-…")
    text = text.replacing(#/User-Agent: workbench\/[0-9.]+/#, with: "User-Agent: workbench/0.0.0")
    // Durations differ each time.
    text = text.replacing(#/\n  time  \S+ \S+ → \S+ \S+(?=\n)/#, with: "")
    text = text.replacing(#/\brun [0-9a-hj-np-tv-z]{8}\b/#, with: "run r0000001")
    text = text.replacing(#/--store \S*store/#, with: "--store store")
    var known: [Substring] = []
    for match in text.matches(of: /s-[0-9a-f]{12}/) where !known.contains(match.output) { known.append(match.output) }
    for (index, uid) in known.enumerated() { text = text.replacing(uid, with: "s-00000000000\(index + 1)") }
    return text
  }

  /// `POST /sheets/A-101/snapshots`; identifiers and queries are left out.
  func request(_ line: Substring) -> String? {
    struct Line: Decodable {
      var method: String
      var target: String
    }
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else { return nil }
    return request(method: line.method, target: line.target)
  }

  func request(method: String, target: String) -> String {
    "\(method) \(target.prefix { $0 != "?" }.replacing(/s-[0-9a-f]{12}/, with: "UID"))"
  }
}
