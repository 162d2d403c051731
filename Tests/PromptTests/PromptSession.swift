import Canaries
import Formats
import HTTPTypes
import LineEditing
import OfflineTransport
import Prompt
import Requests
import Sessions
import Subcommands
import Synchronization
import UploaderCore

/// A whole session at the prompt without a terminal or a network: keys in, screen out.
struct PromptSession {
  var environment: [String: String] = [:]
  /// What programs write, by their command lines.
  var programs: [String: String] = [:]
  var files: [String: [UInt8]] = [:]
  /// Where ^C arrives while nothing is typed.
  var interrupts = Interrupts()
  var answers: [Response] = []
  /// Responses that come bit by bit, instead.
  var streams: StreamingTransport?
  /// How much of each body was sent, in bytes.
  var sentBodySize: @Sendable (TransportRequest) -> Int = { _ in 0 }
  /// What a program after `|` writes; nil: none may be run.
  var program: (@Sendable (_ command: String, _ input: [UInt8]) -> String)?
  var history: History?
  /// What the editor makes of a text; nil: there is no editor.
  var edit: (@Sendable (String) -> String?)?
  /// Shows a long text; nil: it is printed.
  var page: (@Sendable (String) -> Void)?
  var address: String?
  /// What somebody replies to a question; nil: nobody is there.
  var reply: (@Sendable (_ question: String) -> String?)?
  /// What a pipe brings; nil: standard input is not a pipe.
  var input: [UInt8]?
  /// Whether nothing of it comes for two seconds.
  var isSlow = false
  /// False for `--ignore-stdin`.
  var readsInput = true
  /// `--quiet`
  var isQuiet = false

  /// What was sent, and which files were written, while the session ran.
  struct Outcome {
    var screen: String
    var requests: [TransportRequest]
    var written: [String: [UInt8]]
    var code: ExitCode
  }

  /// Types the keys: line feed is Return, `\t` Tab, U+0003 ^C, U+0004 ^D.
  func type(_ keys: String) async -> Outcome {
    await run { ScriptedLineEditor(typing: keys, screen: $0) }
  }

  /// Feeds lines as a pipe does.
  func pipe(_ lines: [String]) async -> Outcome {
    await run { _ in ScriptedLineEditor(lines: lines) }
  }

  /// Pastes a text of several lines at once.
  func pasting(_ text: String) async -> Outcome {
    await run { _ in PastingEditor(text) }
  }

  /// `workbench send`, into a pipe.
  func send(_ text: String, output: String? = nil, profile: String? = nil) async -> (code: ExitCode, outcome: Outcome) {
    await send(output: output, profile: profile) { await $0.run(text) }
  }

  /// `workbench send`, into a pipe, with the words that a shell hands over.
  func send(
    _ words: SentWords, isVerbose: Bool = false, output: String? = nil
  ) async -> (code: ExitCode, outcome: Outcome) {
    await send(output: output, isVerbose: isVerbose) { await $0.run(words) }
  }

  private func send(
    output: String? = nil, profile: String? = nil, isVerbose: Bool = false,
    _ run: (SendSubcommand) async -> ExitCode
  ) async -> (code: ExitCode, outcome: Outcome) {
    let screen = Recorder("")
    let written = Recorder<[String: [UInt8]]>([:])
    let transport = AnsweringTransport(answers, sentBodySize: sentBodySize)
    var world = world(screen, written, transport)
    if let input {
      let isRead = Recorder(input.isEmpty)
      world.hasUnreadInput = { !isRead.value }
      world.readPipedInput = { remark throws(FileError) in
        if isSlow { remark() }
        isRead.update { $0 = true }
        return input
      }
    }
    let code = await run(
      SendSubcommand(
        world: world, parts: isVerbose ? [.everything, .beside] : nil, output: output, profile: profile,
        readsInput: readsInput,
        isQuiet: isQuiet))
    Screen.keep(screen.value)
    return (code, Outcome(screen: screen.value, requests: transport.requests, written: written.value, code: code))
  }

  private func run(_ makeEditor: (@escaping @Sendable (String) -> Void) -> any LineEditor) async -> Outcome {
    let screen = Recorder("")
    let written = Recorder<[String: [UInt8]]>([:])
    let transport = AnsweringTransport(answers, sentBodySize: sentBodySize)
    let world = world(screen, written, transport)
    let secrets = KnownSecrets()
    let editor = makeEditor { text in screen.update { $0 += text } }
    var repl = REPL(world: world, editor: editor, history: history, secrets: secrets, address: address)
    let code = await repl.run()
    Screen.keep(screen.value)
    return Outcome(screen: screen.value, requests: transport.requests, written: written.value, code: code)
  }

  /// `workbench run chain.wb`.
  func runScript(style: ReportStyle = ReportStyle()) async -> Outcome {
    await outcome { world, _ in await RunSubcommand(world: world, style: style).run(file: "chain.wb") }
  }

  /// `workbench debug chain.wb`, with lines from a pipe.
  func debug(_ lines: String..., breakpoints: [String] = []) async -> Outcome {
    await outcome { world, _ in
      await DebugRun(world: world, editor: ScriptedLineEditor(lines: lines), breakpoints: breakpoints)
        .run(file: "chain.wb")
    }
  }

  /// `workbench debug chain.wb`, with somebody typing.
  func debug(typing keys: String, with transport: (any Transport)? = nil) async -> Outcome {
    await outcome(transport) { world, screen in
      let editor = ScriptedLineEditor(typing: keys) { text in screen.update { $0 += text } }
      return await DebugRun(world: world, editor: editor).run(file: "chain.wb")
    }
  }

  private func outcome(
    _ other: (any Transport)? = nil, _ body: (World, Recorder<String>) async -> ExitCode
  ) async -> Outcome {
    let screen = Recorder("")
    let written = Recorder<[String: [UInt8]]>([:])
    let transport = AnsweringTransport(answers, sentBodySize: sentBodySize)
    var world = world(screen, written, transport)
    world.interrupts = interrupts
    if let other { world.transport = other }
    if let other = other as? InterruptedTransport { world.interrupts = other.interrupts }
    let code = await body(world, screen)
    Screen.keep(screen.value)
    return Outcome(screen: screen.value, requests: transport.requests, written: written.value, code: code)
  }

  private func world(
    _ screen: Recorder<String>, _ written: Recorder<[String: [UInt8]]>, _ transport: AnsweringTransport
  ) -> World {
    let output = World.Output { text in screen.update { $0 += text } }
    let files = files
    var world = World(
      output: output, errorOutput: output, environment: environment, workingDirectory: "/work",
      readFile: { path throws(FileError) in
        guard let bytes = files[path] else { throw .unreadable(path: path, reason: SystemError(number: 2)) }
        return bytes
      },
      writeFile: { path, body throws(FileError) in
        let bytes = try body.bytes()
        written.update { $0[path] = bytes }
      },
      replaceFile: { path, bytes in written.update { $0[path] = bytes } },
      listDirectory: { directory in
        let prefix = directory.isEmpty ? "" : directory + "/"
        let names = files.keys.filter { $0.hasPrefix(prefix) }.map { name in
          let rest = name.dropFirst(prefix.count)
          return rest.firstIndex(of: "/").map { String(rest[...$0]) } ?? String(rest)
        }
        return Set(names).sorted()
      },
      transport: transport, clock: UploadClock(now: { .zero }, sleep: { _ in }), makeBoundary: { "boundary" })
    world.edit = edit
    world.page = page
    world.ask = reply
    let programs = programs
    if let streams { world.transport = streams }
    if let program {
      world.runProgram = { piped, output, _ in
        let input = Recorder<[UInt8]>([])
        try piped.input { piece in
          input.update { $0 += piece }
          return true
        }
        output(Array(program(piped.command, input.value).utf8))
        return .exited(0)
      }
    }
    if !programs.isEmpty { world.runCommand = { programs[$0] ?? "" } }
    // However busy the machine is.
    world.patience = .seconds(60)
    return world
  }
}

/// A terminal where one text is pasted, and nothing else happens.
private final class PastingEditor: LineEditor {
  let isInteractive = true
  private let text: Mutex<String?>

  init(_ text: String) {
    self.text = Mutex(text)
  }

  func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput {
    text.withLock { text in
      defer { text = nil }
      return text.map(LineInput.line) ?? .endOfInput
    }
  }
}

/// A value to which several threads add.
final class Recorder<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value { state.withLock { $0 } }

  func update(_ change: (inout Value) -> Void) {
    state.withLock { value in
      var copy = value
      change(&copy)
      value = copy
    }
  }
}

/// Returns the responses in order and remembers the requests.
final class AnsweringTransport: OfflineTransport {
  private let answers: Recorder<[Response]>
  private let log = Recorder<[TransportRequest]>([])

  private let sentBodySize: @Sendable (TransportRequest) -> Int

  init(_ answers: [Response], sentBodySize: @escaping @Sendable (TransportRequest) -> Int = { _ in 0 }) {
    self.answers = Recorder(answers)
    self.sentBodySize = sentBodySize
  }

  var requests: [TransportRequest] { log.value }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    log.update { $0.append(request) }
    guard let answer = answers.value.first else { throw TransportError(.other(reason: "no answer is left")) }
    answers.update { $0.removeFirst() }
    return TransportResponse(
      response: answer, sentHeaders: request.headers, sentBodySize: sentBodySize(request))
  }
}

extension Response {
  static func json(_ text: String, status: Int = 200, headers: HTTPFields = [:]) -> Response {
    var fields: HTTPFields = [.contentType: "application/json"]
    fields.append(contentsOf: headers)
    return Response(
      status: .init(code: status, reasonPhrase: status == 201 ? "Created" : "OK"), headers: fields,
      body: ResponseBody(Array(text.utf8)))
  }
}
