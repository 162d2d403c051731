import Formats
import HTTPTypes
import OfflineTransport
import Presentation
import Requests
import Sessions
import Synchronization
import Testing
import UploaderCore

/// How a run shows its progress, on a terminal and elsewhere.
@Suite struct ProgressLineTests {
  /// Shows a line every second for that many seconds, and returns what was written.
  private static func written(seconds: Int, isTerminal: Bool) -> String {
    let time = Mutex(Duration.zero)
    let text = Mutex("")
    let output = World.Output(isTerminal: isTerminal) { piece in text.withLock { $0 += piece } }
    let line = ProgressLine(output: output, now: { time.withLock { $0 } })
    for second in 0...seconds {
      time.withLock { $0 = .seconds(second) }
      line.show { "at \(Int($0.components.seconds))" }
    }
    line.clear()
    return text.withLock { $0 }
  }

  @Test func `in a pipe there is a plain line every ten seconds`() {
    #expect(Self.written(seconds: 9, isTerminal: false) == "")
    #expect(Self.written(seconds: 25, isTerminal: false) == "at 10\nat 20\n")
  }

  @Test func `on a terminal one line is redrawn again and again, and removed`() {
    #expect(Self.written(seconds: 2, isTerminal: true) == "\rat 0\u{1B}[K\rat 1\u{1B}[K\rat 2\u{1B}[K\r\u{1B}[K")
  }

  @Test(arguments: [(ReportAmount.quiet, false, false), (.quiet, true, true), (.normal, false, true)])
  func `a quiet run shows it only where it disappears again`(
    amount: ReportAmount, isTerminal: Bool, isShown: Bool
  ) throws {
    let time = Mutex(Duration.zero)
    let text = Mutex("")
    let errors = World.Output(isTerminal: isTerminal) { piece in text.withLock { $0 += piece } }
    let printer = Printer(output: .nowhere, errorOutput: errors, secrets: KnownSecrets())
    let reporter = ReportStyle(.lines, amount).reporter(printer, now: { time.withLock { $0 } })
    let prepared = try PreparedRequest(
      .inMemory(InMemoryRequestDescription(RequestHead(.put, .url("http://h/x")) { $0.label = "create" })),
      profiles: SessionProfiles(), secrets: [], boundary: "b", now: .zero,
      origin: { _ in Origin(scheme: .http, host: "h") })
    for second in stride(from: 0, through: 30, by: 5) {
      time.withLock { $0 = .seconds(second) }
      reporter.on(.upload(.sending(prepared, at: StepPosition([0]))))
    }
    #expect(text.withLock { $0.contains("create") } == isShown)
  }

  @Test(arguments: [
    (Duration.zero, "at once"), (.microseconds(40), "at once"), (.milliseconds(250), "in 250 ms"),
  ])
  func `a retry says when it is`(wait: Duration, moment: String) {
    let text = Mutex("")
    let output = World.Output(isTerminal: false) { piece in text.withLock { $0 += piece } }
    let head = RequestHead(.get, .url("https://a.example"))
    ProgressDisplay(output: output, now: { .zero })
      .observe(.retrying(head, [FailedAttempt(reason: "503", wait: wait)]))
    #expect(text.withLock { $0 } == "request: 503, trying again \(moment)\n")
  }

  @Test func `several lines are redrawn in their places, and removed`() {
    let text = Mutex("")
    let time = Mutex(Duration.zero)
    let output = World.Output(isTerminal: true) { piece in text.withLock { $0 += piece } }
    let line = ProgressLine(output: output, now: { time.withLock { $0 } })
    for shown in ["a\nb\nc", "a\nb", "d"] {
      line.show { _ in shown }
      time.withLock { $0 += .seconds(1) }
    }
    line.show { _ in "e\nf" }
    line.clear()
    let wanted = [
      "\ra|\nb|\nc|", "\r^[2Aa|\nb|^[J", "\r^[1Ad|^[J", "\re|\nf|", "\r^[1A^[J",
    ].joined().replacing("|", with: "\u{1B}[K").replacing("^", with: "\u{1B}")
    #expect(text.withLock { $0 } == wanted)
  }

  @Test func `a run shows steps, parts, bytes, rate and what is left`() throws {
    var progress = RunProgress()
    func prepared(_ label: String) throws -> PreparedRequest {
      try PreparedRequest(
        .inMemory(InMemoryRequestDescription(RequestHead(.put, .url("http://h/x")) { $0.label = label })),
        profiles: SessionProfiles(), secrets: [], boundary: "b", now: .zero,
        origin: { _ in Origin(scheme: .http, host: "h") })
    }
    let group = StepPosition([1])
    progress.observe(.sending(try prepared("create"), at: StepPosition([0])), now: .zero)
    #expect(progress.line(now: .milliseconds(400)) == nil)
    #expect(progress.line(now: .seconds(1)) == "create")
    progress.observe(.step(.skipped(label: nil, reason: ""), at: StepPosition([0])), now: .seconds(1))
    #expect(progress.line(now: .seconds(1)) == nil)
    progress.observe(.group(children: 4, at: group), now: .seconds(1))
    for child in 0..<2 {
      let position = StepPosition([1, child, 0])
      progress.observe(.sending(try prepared("put"), at: position), now: .seconds(1))
      let moved = TransferProgress(sent: 1_000_000 * (child + 1), toSend: 5_000_000)
      progress.observe(
        .progress(RequestHead(.put, .url("http://h/x")), moved, at: position), now: .seconds(2))
    }
    #expect(progress.line(now: .seconds(3)) == "2 at once  part 2 of 4  30%  3 MB of 10 MB  1 MB/s  0:07 left")
  }

  @Test func `all rounds of a step are one that is done`() throws {
    var progress = RunProgress()
    for index in 0..<3 {
      let (position, head) = (StepPosition([index]), RequestHead(.get, .url("http://h/x")) { $0.label = "poll" })
      let description = RequestDescription.inMemory(InMemoryRequestDescription(head))
      let origin = Origin(scheme: .http, host: "h")
      let prepared = try PreparedRequest(
        description, profiles: SessionProfiles(), secrets: [], boundary: "b", now: .zero, origin: { _ in origin })
      progress.observe(.sending(prepared, at: position), now: .zero)
      if index == 2 { break }
      let exchange = Exchange(
        description: description, request: SentRequest(method: .get, url: "http://h/x", origin: origin),
        response: Response(status: .ok))
      progress.observe(.step(index == 0 ? .round(exchange) : .exchange(exchange), at: position), now: .seconds(1))
    }
    #expect(progress.line(now: .seconds(1))?.hasPrefix("poll  1 step done") ?? false)
  }

  @Test func `a request that waits says for how long, and one that is complete says nothing`() throws {
    var progress = RunProgress()
    let (head, position) = (RequestHead(.get, .url("http://h/x")), StepPosition([0]))
    let prepared = try PreparedRequest(
      .inMemory(InMemoryRequestDescription(head)), profiles: SessionProfiles(), secrets: [], boundary: "b", now: .zero,
      origin: { _ in Origin(scheme: .http, host: "h") })
    progress.observe(.sending(prepared, at: position), now: .zero)
    #expect(progress.line(now: .seconds(1)) == "GET h")
    #expect(progress.line(now: .seconds(1), isNamed: false) == nil)
    #expect(progress.line(now: .seconds(10)) == "GET h  no response after 10 s")
    func move(_ moved: TransferProgress) { progress.observe(.progress(head, moved, at: position), now: .seconds(12)) }
    move(TransferProgress(sent: 14, toSend: 14))
    #expect(progress.line(now: .seconds(12)) == "GET h  no response after 12 s")
    move(TransferProgress(sent: 0, received: 7, toReceive: 14))
    #expect(progress.line(now: .seconds(14))?.hasPrefix("GET h  50%  7 B of 14 B") == true)
    // Sent again, it goes on waiting; in a pipe its name alone is not worth a line.
    progress.observe(.sending(prepared, at: position), now: .seconds(15))
    #expect(progress.line(now: .seconds(15)) == "GET h  no response after 15 s")
    move(TransferProgress(sent: 0, received: 14, toReceive: 14))
    #expect(progress.line(now: .seconds(20)) == nil)
  }

  @Test func `what servers announce is counted, however much it is`() throws {
    var progress = RunProgress()
    for child in 0..<2 {
      let position = StepPosition([0, child, 0])
      let head = RequestHead(.get, .url("http://h/x"))
      let prepared = try PreparedRequest(
        .inMemory(InMemoryRequestDescription(head)), profiles: SessionProfiles(), secrets: [], boundary: "b",
        now: .zero, origin: { _ in Origin(scheme: .http, host: "h") })
      progress.observe(.sending(prepared, at: position), now: .zero)
      progress.observe(
        .progress(head, TransferProgress(sent: 0, received: 1 << 57, toReceive: .max), at: position), now: .seconds(1))
    }
    #expect(progress.line(now: .seconds(2))?.hasPrefix("2 at once") == true)
  }

  @Test func `a loop shows which of its rounds it is at, and nothing when it is over`() async throws {
    struct Steps: OperationRequestSequence {
      var rest: [SequenceStep<Steps>]

      mutating func nextStep(after previous: StepRecord?, at moment: StepSeed) throws -> SequenceStep<Steps>? {
        rest.isEmpty ? nil : rest.removeFirst()
      }

      mutating func nextRequest(previous: Exchange?) -> RequestDescription? { nil }
    }
    func step(_ label: String) -> SequenceStep<Steps> {
      .request(.inMemory(InMemoryRequestDescription(RequestHead(.get, .url("http://h/x")) { $0.label = label })))
    }
    func group(_ kind: SequenceGroup<Steps>.Kind, _ children: [Steps]) -> SequenceStep<Steps> {
      .group(SequenceGroup(kind, title: "", limit: 1, children: children))
    }
    // A loop of three rounds that runs a sequence, between two other steps.
    let round = Steps(rest: [group(.run, [Steps(rest: [step("put"), step("check")])])])
    let sequence = Steps(rest: [step("create"), group(.loop, [round, round, round]), step("confirm")])
    let progress = Mutex(RunProgress())
    let lines = Mutex([String]())
    let uploader = Uploader(
      transport: FineTransport(),
      observe: { event in
        progress.withLock { $0.observe(event, now: .zero) }
        if case .sending = event, let line = progress.withLock({ $0.line(now: .seconds(1)) }) {
          lines.withLock { $0.append(line) }
        }
      })
    var run = SequenceRun(sequence)
    try await uploader.run(&run)
    #expect(
      lines.withLock { $0 } == [
        "create", "put  1 step done  part 1 of 3", "check  2 steps done  part 1 of 3",
        "put  3 steps done  part 2 of 3", "check  4 steps done  part 2 of 3", "put  5 steps done  part 3 of 3",
        "check  6 steps done  part 3 of 3", "confirm  7 steps done",
      ])
  }
}

/// Responds to everything with 200.
private struct FineTransport: OfflineTransport {
  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    TransportResponse(response: Response(status: .ok), sentHeaders: request.headers)
  }
}
