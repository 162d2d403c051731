import Eventually
import GRDB
import HTTPTypes
import OfflineTransport
import Requests
import RunStore
import Synchronization
import Testing
import UploaderCore

/// A run that ends in the middle, and the same run again with the journal that remembers.
@Suite struct RunJournalTests {
  private let directory = TemporaryDirectory()

  private static let chain = [
    RequestDescription.make(.post, "http://h/allocate", label: "allocate", body: "a"),
    .make(.post, "http://h/upload", label: "upload", body: "b"),
    .make(.put, "http://h/confirm", label: "confirm", body: "c"),
  ]

  /// Runs the chain until it ends or fails.
  private func run(
    _ transport: ScriptedTransport, journal: RunJournal, _ chain: [RequestDescription] = chain,
    profiles: SessionProfiles = SessionProfiles()
  ) async -> (exchanges: [Exchange], error: UploadError?) {
    var run = SequenceRun(ArrayRequestSequence.make(chain))
    let uploader = Uploader(transport: transport, profiles: profiles, journal: journal)
    do {
      try await uploader.run(&run)
      try? journal.end()
      return (run.exchanges, nil)
    } catch {
      try? journal.end(failure: "\(error)")
      return (run.exchanges, error)
    }
  }

  @Test func `a finished run is recorded completely`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    _ = await run(ScriptedTransport(statuses: [201, 204, 200]), journal: journal)
    let recorded = try store.run("last")
    #expect(recorded.id == journal.id)
    #expect(recorded.state == .done)
    #expect(recorded.stepCount == 3)
    let steps = try store.steps(of: recorded)
    #expect(steps.map(\.label) == ["allocate", "upload", "confirm"])
    #expect(steps.map(\.state) == [.answered, .answered, .answered])
    #expect(steps.map(\.response?.status) == [201, 204, 200])
    #expect(steps.map(\.request.body) == [.bytes(Array("a".utf8)), .bytes(Array("b".utf8)), .bytes(Array("c".utf8))])
  }

  @Test func `a run continues with the step that failed, and sends nothing twice`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    let broken = await run(ScriptedTransport(statuses: [201, 403]), journal: journal)
    #expect(broken.error != nil)
    #expect(try store.run("last").state == .failed)

    let transport = ScriptedTransport(statuses: [204, 200])
    let again = await run(transport, journal: try store.resume(try store.run("last")))
    #expect(again.error == nil)
    #expect(transport.requests.map(\.url) == ["http://h/upload", "http://h/confirm"])
    #expect(again.exchanges.map(\.response.status.code) == [201, 204, 200])
    #expect(try store.run("last").state == .done)
  }

  @Test(arguments: [
    (TransportError(.connectionLost(reason: "reset"), requestWasSent: true), true),
    (TransportError(.timeout(after: .seconds(1)), requestWasSent: true), true),
    (TransportError(.connect(reason: "refused"), requestWasSent: false), false),
  ])
  func `a step that may have happened is asked about, one that did not happen is sent`(
    failure: TransportError, isUndecided: Bool
  ) async throws {
    let store = try RunStore(at: directory.path)
    let lost = ScriptedTransport([
      .success(Response(status: .created)), .failure(failure),
    ])
    _ = await run(lost, journal: try store.begin(.test))
    let transport = ScriptedTransport(statuses: [204, 200])
    let again = await run(transport, journal: try store.resume(try store.run("last")))
    if isUndecided {
      guard case .journal(.undecided(_, .interrupted)) = again.error?.fact else {
        Issue.record("\(String(describing: again.error))")
        return
      }
      #expect(transport.requests.isEmpty)
      #expect(again.error?.outcome == .unknown)
    } else {
      #expect(transport.requests.map(\.url) == ["http://h/upload", "http://h/confirm"])
    }
  }

  @Test func `a user who knows better decides: again, or done with a response`() async throws {
    for (decision, urls) in [
      (ResumeOptions.Decision.sendAgain, ["http://h/upload", "http://h/confirm"]),
      (.answered(Response(status: .noContent)), ["http://h/confirm"]),
    ] {
      let directory = TemporaryDirectory()
      let store = try RunStore(at: directory.path)
      let lost = ScriptedTransport([
        .success(Response(status: .created)),
        .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
      ])
      _ = await run(lost, journal: try store.begin(.test))
      let transport = ScriptedTransport(statuses: Array(repeating: 200, count: urls.count))
      let options = ResumeOptions(decisions: ["upload": decision])
      let again = await run(transport, journal: try store.resume(try store.run("last"), options: options))
      #expect(again.error == nil)
      #expect(transport.requests.map(\.url) == urls)
      #expect(try store.steps(of: try store.run("last")).allSatisfy { $0.state == .answered })
    }
  }

  @Test func `a request unlike the recorded one is an error that says how, unless changes are accepted`()
    async throws
  {
    let store = try RunStore(at: directory.path)
    _ = await run(ScriptedTransport(statuses: [201, 403]), journal: try store.begin(.test))
    var changed = Self.chain
    changed[0] = .make(.post, "http://h/allocate", label: "allocate", body: "another")
    let transport = ScriptedTransport(statuses: [201, 204, 200])
    let refused = await run(transport, journal: try store.resume(try store.run("last")), changed)
    guard case .journal(.changed(_, let differences)) = refused.error?.fact else {
      Issue.record("\(String(describing: refused.error))")
      return
    }
    #expect(differences == [RequestDifference("body", recorded: "a", now: "another")])
    #expect(transport.requests.isEmpty)

    let options = ResumeOptions(acceptsChanges: true)
    let accepted = await run(transport, journal: try store.resume(try store.run("last"), options: options), changed)
    #expect(accepted.error == nil)
    #expect(transport.requests.count == 3)
  }

  /// What was done between the step and the one that failed is done again, too.
  @Test(arguments: [
    ("upload", ["http://h/upload", "http://h/confirm"]),
    ("allocate", ["http://h/allocate", "http://h/upload", "http://h/confirm"]),
  ])
  func `everything from a step on can be done again`(first: String, urls: [String]) async throws {
    let store = try RunStore(at: directory.path)
    _ = await run(ScriptedTransport(statuses: [201, 204, 500, 500, 500]), journal: try store.begin(.test))
    let transport = ScriptedTransport(statuses: Array(repeating: 200, count: urls.count))
    let options = ResumeOptions(from: first)
    let again = await run(transport, journal: try store.resume(try store.run("last"), options: options))
    #expect(again.error == nil)
    #expect(transport.requests.map(\.url) == urls)
    #expect(throws: StoreError.noSuchStep("nothing", labels: ["allocate", "upload", "confirm"])) {
      try store.resume(try store.run("last"), options: ResumeOptions(from: "nothing"))
    }
  }

  @Test func `an unexpected success is not repeated on its own`() async throws {
    struct Strict: OperationRequestSequence {
      var isDone = false
      mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
        defer { isDone = true }
        return isDone ? nil : .make(.post, "http://h/create", label: "create")
      }
      func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation] {
        exchange.response.status == .created
          ? [] : [UnmetExpectation(subject: "status", expected: "201", actual: "\(exchange.response.status.code)")]
      }
    }
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var first = SequenceRun(Strict())
    await #expect(throws: UploadError.self) {
      try await Uploader(transport: ScriptedTransport(statuses: [200]), journal: journal).run(&first)
    }
    try journal.end(failure: "status")
    let transport = ScriptedTransport(statuses: [])
    var second = SequenceRun(Strict())
    let refused = try store.resume(try store.run("last"))
    let error = await #expect(throws: UploadError.self) {
      try await Uploader(transport: transport, journal: refused).run(&second)
    }
    #expect(error?.outcome == .unknown)
    var third = SequenceRun(Strict())
    let accepted = try store.resume(try store.run("last"), options: ResumeOptions(decisions: ["create": .accept]))
    try await Uploader(transport: transport, journal: accepted).run(&third)
    #expect(third.exchanges.map(\.response.status.code) == [200])
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [HTTPRequest.Method.get, .put, .post])
  func `what somebody accepts as done is not sent again, whatever the response`(method: HTTPRequest.Method) async throws
  {
    let chain: [RequestDescription] = [.make(method, "http://h/c", label: "c"), .make(.get, "http://h/d")]
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var first = SequenceRun(ArrayRequestSequence.make(chain))
    await #expect(throws: UploadError.self) {
      try await Uploader(transport: ScriptedTransport(statuses: [404]), journal: journal).run(&first)
    }
    try journal.end(failure: "404")
    let transport = ScriptedTransport(statuses: [200])
    var second = SequenceRun(ArrayRequestSequence.make(chain))
    let accepted = try store.resume(try store.run("last"), options: ResumeOptions(decisions: ["c": .accept]))
    try await Uploader(transport: transport, journal: accepted).run(&second)
    #expect(second.exchanges.map(\.response.status.code) == [404, 200])
    #expect(transport.requests.map(\.url) == ["http://h/d"])
  }

  @Test func `nothing is sent that could not be recorded first`() async throws {
    final class Refusing: StepJournal {
      func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? { nil }
      func intend(_ step: JournalledStep) throws(JournalError) { throw .store(reason: "disk full") }
      func send(_ step: JournalledStep) throws(JournalError) {}
      func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) {}
      func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed { now() }
      func skip(_ position: StepPosition, label: String?, reason: String) {}
    }
    let transport = ScriptedTransport(statuses: [200])
    var run = SequenceRun(ArrayRequestSequence.make(Self.chain))
    let error = await #expect(throws: UploadError.self) {
      try await Uploader(transport: transport, journal: Refusing()).run(&run)
    }
    guard case .journal(.store(reason: "disk full")) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func `an at-most-once request is in the store before its first byte leaves, and marked as leaving`()
    async throws
  {
    /// Looks into the store at both times.
    final class Looking: OfflineTransport {
      let store: RunStore
      let seen = Mutex<[[RecordedStep.State]]>([])

      init(_ store: RunStore) { self.store = store }

      private func look() {
        let states = try? store.steps(of: store.run("last")).map(\.state)
        seen.withLock { $0.append(states ?? []) }
      }

      func send(
        _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
        progress: @escaping @Sendable (TransferProgress) -> Void
      ) async throws(TransportError) -> TransportResponse {
        look()
        try beforeFirstByte()
        look()
        return TransportResponse(response: Response(status: .ok), sentHeaders: request.headers)
      }

      func send(
        _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
      ) async throws(TransportError) -> TransportResponse {
        try await send(request, beforeFirstByte: {}, progress: progress)
      }
    }
    let store = try RunStore(at: directory.path)
    let transport = Looking(store)
    let uploader = Uploader(transport: transport, journal: try store.begin(.test))
    var run = SequenceRun(ArrayRequestSequence.make(Array(Self.chain.prefix(2))))
    try await uploader.run(&run)
    #expect(transport.seen.withLock { $0 } == [[.intended], [.sent], [.answered, .intended], [.answered, .sent]])
  }

  @Test func `a run that another process is working on is left alone`() async throws {
    let first = try RunStore(at: directory.path)
    let second = try RunStore(at: directory.path)
    let journal = try first.begin(.test)
    let run = try second.run(journal.id)
    #expect(run.isAlive)
    #expect(throws: StoreError.busy(run: journal.id)) { try second.resume(run) }
  }

  private static let harmless = (0..<3).map { RequestDescription.make(.get, "http://h/\($0)") }

  @Test func `what is done is in the store soon, and counted, however long the next step takes`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(ArrayRequestSequence.make(Self.harmless))
    try await Uploader(transport: ScriptedTransport(statuses: [200, 200, 200]), journal: journal).run(&run)
    let looking = try RunStore(at: directory.path)
    #expect(try await eventually { try looking.run("last").stepCount == 3 })
    let recorded = try looking.run("last")
    #expect(recorded.state == .open)
    #expect(recorded.stepCount == 3)
    #expect(try looking.steps(of: recorded).map(\.response?.status) == [200, 200, 200])
    withExtendedLifetime(journal) {}
  }

  @Test(arguments: [HTTPRequest.Method.get, .post])
  func `the rounds of a step are counted once`(method: HTTPRequest.Method) async throws {
    let chain = [nil, 1, 2, 3].map { round in
      RequestDescription.inMemory(
        InMemoryRequestDescription(RequestHead(method, .url("http://h/\(round ?? 0)")) { $0.round = round }))
    }
    let store = try RunStore(at: directory.path)
    _ = await run(ScriptedTransport(statuses: [200, 200, 200]), journal: try store.begin(.test), chain)
    #expect(try store.run("last").stepCount == 2)
    let journal = try store.resume(try store.run("last"))
    let resumed = await run(ScriptedTransport(statuses: [200]), journal: journal, chain)
    #expect(resumed.error == nil)
    #expect(try store.run("last").stepCount == 2)
    #expect(try store.steps(of: store.run("last")).count == 4)
  }

  @Test func `when nothing can be written nothing more is sent, and responses are written when it can be`()
    async throws
  {
    let store = try RunStore(at: directory.path)
    let database = try DatabaseQueue(path: "\(directory.path)/runs.sqlite")
    let journal = try store.begin(.test)
    try await database.write {
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON batches BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    }
    var run = SequenceRun(ArrayRequestSequence.make(Self.harmless))
    let transport = ScriptedTransport(statuses: [200, 201, 202])
    let error = await #expect(throws: UploadError.self) {
      try await Uploader(transport: transport, journal: journal).run(&run)
    }
    guard case .journal(.store) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(transport.requests.map(\.url) == ["http://h/0"])

    try await database.write { try $0.execute(sql: "DROP TRIGGER full") }
    let later = ScriptedTransport(statuses: [201, 202])
    var again = SequenceRun(ArrayRequestSequence.make(Self.harmless))
    try await Uploader(transport: later, journal: journal).run(&again)
    #expect(later.requests.map(\.url) == ["http://h/1", "http://h/2"])
    try journal.end()
    #expect(try store.steps(of: store.run("last")).map(\.response?.status) == [200, 201, 202])
  }

  @Test func `a journal recalls what it wrote with others`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(ArrayRequestSequence.make(Self.harmless))
    try await Uploader(transport: ScriptedTransport(statuses: [200, 201, 202]), journal: journal).run(&run)
    let transport = ScriptedTransport(statuses: [])
    var again = SequenceRun(ArrayRequestSequence.make(Self.harmless))
    try await Uploader(transport: transport, journal: journal).run(&again)
    #expect(transport.requests.isEmpty)
    #expect(again.exchanges.map(\.response.status.code) == [200, 201, 202])
    try journal.end()
    #expect(try store.run("last").stepCount == 3)
  }

  @Test func `a step that may happen twice and failed is counted when it gets a response`() async throws {
    let store = try RunStore(at: directory.path)
    let failing = ScriptedTransport([
      .success(Response(status: .ok)), .failure(TransportError(.connect(reason: "refused"), requestWasSent: false)),
    ])
    let broken = await run(failing, journal: try store.begin(.test), Self.harmless)
    #expect(broken.error != nil)
    #expect(try store.run("last").stepCount == 1)
    let again = await run(
      ScriptedTransport(statuses: [200, 200]), journal: try store.resume(try store.run("last")), Self.harmless)
    #expect(again.error == nil)
    #expect(try store.run("last").stepCount == 3)
    #expect(try store.attempts(of: store.run("last")).map(\.attempt) == [1, 1, 2, 1])
  }
}
