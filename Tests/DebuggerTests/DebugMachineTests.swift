import Debugger
import Diagnostics
import HTTPTypes
import JSONValue
import OfflineTransport
import RequestProgram
import RequestSyntax
import Requests
import Sessions
import Synchronization
import Testing
import UploaderCore

/// The machine without a terminal, a store or a network: every command in every state.
@Suite struct DebugMachineTests {
  /// Where a machine is before a command.
  enum State: String, CaseIterable {
    case beforeFirst, beforeOnceAgain, afterSent, afterFailed, blocked, end, asked, sending
  }

  /// What the user does there.
  enum Input: String, CaseIterable {
    case next, send, resend, proceed, skip, take, replace, back, backTo, goTo, set, addBreakpoint, yes, no, sent

    var request: DebugRequest {
      switch self {
      case .next: .next
      case .send: .send
      case .resend: .resend
      case .proceed: .continue
      case .skip: .skip
      case .take: .take(Response(status: .init(code: 200)))
      case .replace: .replaceResponse(body: Array(#"{"id": 9}"#.utf8))
      case .back: .back(1)
      case .backTo: .backTo("make")
      case .goTo: .goTo("look")
      case .set: .setResponse(DebugMachineTests.change)
      case .addBreakpoint: .addBreakpoint(DebugMachineTests.breakpoint)
      case .yes: .consent(true)
      case .no: .consent(false)
      case .sent: .sent(.unrecorded(.store(reason: "full")))
      }
    }
  }

  private static let breakpoint: Breakpoint = {
    guard let breakpoint = try? Breakpoint(parsing: "look") else { preconditionFailure("it is one") }
    return breakpoint
  }()

  private static let change: ResponseChange = {
    guard let expression = try? DebugExpression("$make.body.id"), case .reference(let reference) = expression.syntax,
      let change = ResponseChange(reference, to: Value(^7))
    else { preconditionFailure("it is one") }
    return change
  }()

  private static let script = """
    make: POST https://a.example/items json { size: 1 }
      effect once
    look: GET https://a.example/items/{$make.body.id}
    """

  @Test(arguments: State.allCases, Input.allCases)
  func `every command in every state`(state: State, input: Input) async throws {
    var bench = try await DebugBench(Self.script, at: state)
    let actions = bench.machine.handle(input.request)
    let found = "\(state.rawValue) \(input.rawValue): \(bench.text(of: actions))"
    #expect(DebugMachineTable.lines.contains(found), "\(found)")
  }

  @Test func `what comes next and was never sent is not resent`() async throws {
    var bench = try await DebugBench(Self.script, at: .afterSent)
    _ = bench.machine.handle(.next)
    let actions = bench.machine.handle(.resend)
    #expect(bench.text(of: actions) == "ask → before make …")
  }

  @Test func `the table has a line for each state and command, and no others`() {
    #expect(DebugMachineTable.lines.count == State.allCases.count * Input.allCases.count)
    #expect(Set(DebugMachineTable.lines).count == DebugMachineTable.lines.count)
  }
}

/// A machine with something that performs what it wants sent.
struct DebugBench {
  var machine: DebugMachine
  private let session: Session

  init(_ script: String, at state: DebugMachineTests.State) async throws {
    let failing = state == .afterFailed
    let responses: [Response] = [
      Response(
        status: .init(code: failing ? 500 : 201),
        headers: [.contentType: "application/json"],
        body: ResponseBody(Array((state == .blocked ? "{}" : #"{"id": 1}"#).utf8))),
      Response(status: .init(code: 200)),
    ]
    let world = World(
      output: World.Output { _ in }, errorOutput: World.Output { _ in }, environment: [:], workingDirectory: "/work",
      readFile: { path throws(FileError) in throw .unreadable(path: path, reason: SystemError(number: 2)) },
      writeFile: { _, _ in }, replaceFile: { _, _ in }, listDirectory: { _ in [] },
      transport: ScriptedTransport(responses), clock: UploadClock(now: { .zero }, sleep: { _ in }))
    session = Session(world: world, secrets: KnownSecrets(), journal: nil, report: { _ in })
    let start = try ScriptLoader(world).steps(
      of: Parser.parse(SourceText(name: "chain.wb", text: script)), directory: "", settings: [:], running: nil,
      at: world.moment, report: { _ in })
    machine = DebugMachine(
      start, script: nil, breakpoints: [],
      in: DebugSurroundings(
        prepare: { [session] description, sequence throws(UploadError) in
          try session.prepare(description, of: sequence)
        },
        prepareRecord: { [session] description, sequence throws(UploadError) in
          try session.prepare(description, of: sequence, hasCookies: false)
        }, moment: { world.moment }))
    _ = machine.handle(.begin)
    switch state {
    case .beforeFirst: break
    case .afterSent, .afterFailed: await perform(.send)
    case .blocked: await perform(.next)
    case .end:
      await perform(.next)
      await perform(.next)
    case .beforeOnceAgain:
      await perform(.next)
      await perform(.back(1))
    case .asked:
      await perform(.next)
      await perform(.back(1))
      _ = machine.handle(.next)
    case .sending: _ = machine.handle(.next)
    }
  }

  private mutating func perform(_ request: DebugRequest) async {
    var actions = machine.handle(request)
    while let action = actions.popLast() {
      if case .send(let step) = action {
        actions = machine.handle(.sent(.performed(await session.step(step.run, groups: .oneByOne))))
      }
    }
  }

  /// What is to be done, and where it is then.
  func text(of actions: [DebugAction]) -> String {
    let done = actions.compactMap(Self.name).joined(separator: ", ")
    return "\(done.isEmpty ? "nothing" : done) → \(place)"
  }

  private var place: String {
    let stop =
      switch machine.stop {
      case .nowhere: "nowhere"
      case .before(let description, _): "before \(description.head.label ?? "?")"
      case .after(let position, let exchange, let error):
        "after \(exchange?.label ?? "\(position)")\(error == nil ? "" : ", failed")"
      case .blocked: "blocked"
      case .end: "end"
      }
    return stop + (machine.isWaiting ? " …" : "")
  }

  private static func name(_ action: DebugAction) -> String? {
    switch action {
    case .learn, .note: nil
    case .ask: "ask"
    case .send(let step): step.hasChangedPast ? "send after a change" : "send"
    case .replay: "replay"
    case .record(let record, _):
      "record \(record.isFailed ? "failed" : record.exchange == nil ? "skipped" : "response")"
    case .recordScript: "record script"
    case .showStop: "show"
    case .diagnose: "diagnose"
    case .tell(let news): name(news)
    }
  }

  private static func name(_ news: DebugNews) -> String {
    switch news {
    case .done: "done"
    case .failed: "failed"
    case .interrupted: "interrupted"
    case .error: "error"
    case .programError: "program error"
    case .unreadable: "unreadable"
    case .took(_, let isEarlier): isEarlier ? "took the earlier" : "took"
    case .leftOut: "left out"
    case .skipped(let descriptions): "skipped \(descriptions.count)"
    case .atBreakpoint(let number): "at breakpoint \(number)"
    case .response: "response"
    case .notSent: "not sent"
    case .kept(let kept, let count): "kept \(kept)/\(count)"
    case .notUndone: "not undone"
    case .recalled: "recalled"
    case .obstacle: "obstacle"
    case .changeUnrecorded: "change unrecorded"
    case .refused(let refusal): "refused \(refusal)"
    }
  }
}

/// Returns the responses in order.
private final class ScriptedTransport: OfflineTransport {
  private let responses: Mutex<ArraySlice<Response>>

  init(_ responses: [Response]) { self.responses = Mutex(responses[...]) }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    guard let response = responses.withLock({ $0.popFirst() }) else {
      throw TransportError(.other(reason: "no response is left"))
    }
    return TransportResponse(response: response, sentHeaders: request.headers)
  }
}
