import Canaries
import GRDB
import HTTPTypes
import JSONValue
import Requests
import Synchronization
import Testing
import UploaderCore

@testable import RunStore

/// Operations that wait, and how they are performed.
@Suite(.timeLimit(.minutes(2))) struct SyncQueueTests {
  private let directory = TemporaryDirectory()

  /// A queue whose waiting takes no time.
  private func queue(
    _ store: RunStore, observe: @escaping @Sendable (QueueEvent) -> Void = { _ in }
  ) -> (SyncQueue<LocalQueue>, PassingTime) {
    let time = PassingTime()
    let clock = UploadClock(now: { time.now }, sleep: { time.pass($0) })
    return (SyncQueue(store, clock: clock, observe: observe), time)
  }

  private static func setup(_ name: String) -> RunSetup {
    RunSetup(kind: "test", name: name, parameters: ["path": .string(name)])
  }

  /// Allocates, uploads and confirms what the setup names.
  @Sendable private static func steps(_ setup: RunSetup) -> any OperationRequestSequence {
    ArrayRequestSequence.make([
      .make(.post, "http://h/\(setup.name)/allocate", label: "allocate"),
      .make(.post, "http://h/\(setup.name)/confirm", label: "confirm"),
    ])
  }

  private func uploader(_ transport: ScriptedTransport) -> Uploader {
    Uploader(transport: transport, clock: UploadClock(now: { .zero }, sleep: { _ in }))
  }

  @Test func `operations are performed in order, and are gone when they are done`() async throws {
    let store = try RunStore(at: directory.path)
    let (queue, _) = queue(store)
    for name in ["a", "b", "c"] { try await queue.add(Self.setup(name), key: "k") }
    let transport = ScriptedTransport(statuses: Array(repeating: 200, count: 6))
    let summary = try await queue.drain(jobs: 4, by: uploader(transport), Self.steps)
    #expect(summary == QueueSummary(done: 3))
    #expect(
      transport.requests.map(\.url)
        == ["a", "b", "c"].flatMap { ["http://h/\($0)/allocate", "http://h/\($0)/confirm"] })
    #expect(try store.operations().isEmpty)
    #expect(try store.runs().map(\.state) == [.done, .done, .done])
  }

  @Test func `the finished part of an operation is not done again by its next attempt`() async throws {
    let store = try RunStore(at: directory.path)
    let (queue, _) = queue(store)
    try await queue.add(Self.setup("a"))
    let transport = ScriptedTransport(statuses: [200, 503, 503, 200])
    let summary = try await queue.drain(by: uploader(transport), Self.steps)
    #expect(summary.done == 1 && summary.postponed == 2)
    #expect(transport.requests.map(\.url) == ["http://h/a/allocate"] + Array(repeating: "http://h/a/confirm", count: 3))
  }

  /// Has a secret, and uses it in an address that is not a URL.
  private struct Unprepared: OperationRequestSequence {
    let secret: Secret
    var secrets: Set<Secret> { [secret] }

    func nextRequest(previous: Exchange?) -> RequestDescription? {
      secret.withExposedText { .make(.get, "http://h:\($0)/", label: "look") }
    }
  }

  @Test func `the failure of an operation is recorded without the secrets of a step that could not be prepared`()
    async throws
  {
    let store = try RunStore(at: directory.path)
    let (queue, _) = queue(store)
    try await queue.add(Self.setup("a"))
    // A host ends with the first slash.
    let text = Canary.secret("queued").replacing("/", with: "")
    let secret = Secret(text, name: "queued", for: [])
    let summary = try await queue.drain(by: uploader(ScriptedTransport(statuses: []))) { _ in
      Unprepared(secret: secret)
    }
    #expect(summary.buried == 1)
    let failure = try #require(try store.operations().first?.failure)
    #expect(failure.contains("http://h:"), "\(failure)")
    #expect(!failure.contains(text), "\(failure)")
  }

  @Test func `a dead letter holds back what comes after it under its key, and nothing else`() async throws {
    let store = try RunStore(at: directory.path)
    let buried = Mutex<[String]>([])
    let (queue, _) = queue(store) { event in
      if case .buried(let operation, _, _) = event { buried.withLock { $0.append(operation.name) } }
    }
    for (name, key) in [("a", "k"), ("b", "k"), ("c", nil)] as [(String, String?)] {
      try await queue.add(Self.setup(name), key: key)
    }
    let transport = ScriptedTransport(statuses: [403, 200, 200])
    #expect(try await queue.drain(by: uploader(transport), Self.steps) == QueueSummary(done: 1, buried: 1))
    #expect(buried.withLock { $0 } == ["a"])
    #expect(transport.requests.map(\.url) == ["http://h/a/allocate", "http://h/c/allocate", "http://h/c/confirm"])
    #expect(try store.operations().map(\.state) == [.dead, .waiting])

    try store.revive(1, clock: queue.clock)
    let again = ScriptedTransport(statuses: Array(repeating: 200, count: 4))
    #expect(try await queue.drain(by: uploader(again), Self.steps) == QueueSummary(done: 2))
    #expect(again.requests.first?.url == "http://h/a/allocate")
    #expect(try store.operations().isEmpty)
  }

  @Test func `an operation fails for good after that many attempts, or immediately if none could help`() async throws {
    for (status, tries) in [(503, 5), (400, 1)] {
      let directory = TemporaryDirectory()
      let store = try RunStore(at: directory.path)
      let (queue, _) = queue(store)
      try await queue.add(Self.setup("a"))
      let transport = ScriptedTransport(statuses: Array(repeating: status, count: 20))
      try await queue.drain(by: uploader(transport), Self.steps)
      #expect(transport.requests.count == tries)
      let operation = try #require(try store.operations().first)
      #expect(operation.state == .dead && operation.attempts == tries)
      #expect(operation.failure?.contains("\(status)") == true || operation.failure != nil)
    }
  }

  @Test func `without a network nothing is lost and no attempt is counted`() async throws {
    let store = try RunStore(at: directory.path)
    let (queue, _) = queue(store)
    for name in ["a", "b"] { try await queue.add(Self.setup(name)) }
    let offline = ScriptedTransport(
      Array(repeating: .failure(TransportError(.connect(reason: "refused"))), count: 12))
    let summary = try await queue.drain(by: uploader(offline), Self.steps)
    #expect(summary == QueueSummary(postponed: 2))
    #expect(try store.operations().map(\.attempts) == [0, 0])
    let online = ScriptedTransport(statuses: Array(repeating: 200, count: 4))
    #expect(try await queue.drain(by: uploader(online), Self.steps).done == 2)
  }

  @Test func `a response that never came makes a dead letter: only people know`() async throws {
    let store = try RunStore(at: directory.path)
    let (queue, _) = queue(store)
    try await queue.add(Self.setup("a"))
    let lost = ScriptedTransport([
      .success(Response(status: .ok)),
      .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
    ])
    #expect(try await queue.drain(by: uploader(lost), Self.steps).buried == 1)
    try store.revive(1, clock: queue.clock)
    let again = ScriptedTransport(statuses: [200])
    #expect(try await queue.drain(by: uploader(again), Self.steps).buried == 1)
    #expect(again.requests.isEmpty)

    // Whoever continues its run by hand completes it.
    let run = try store.run(try #require(try store.operations().first?.run))
    let journal = try store.resume(
      run, options: ResumeOptions(decisions: ["confirm": .answered(Response(status: .ok))]))
    var steps = SequenceRun(
      ArrayRequestSequence.make([
        .make(.post, "http://h/a/allocate", label: "allocate"), .make(.post, "http://h/a/confirm", label: "confirm"),
      ]))
    try await Uploader(transport: again, journal: journal).run(&steps)
    try journal.end()
    #expect(try store.operations().isEmpty)
    #expect(again.requests.isEmpty)
  }

  @Test func `an operation in progress is neither leased twice nor dropped`() throws {
    let (first, second) = (try RunStore(at: directory.path), try RunStore(at: directory.path))
    _ = try first.add(Self.setup("a"))
    guard case .operation(let lease) = try first.lease() else {
      Issue.record("no lease")
      return
    }
    guard case .wait = try second.lease() else {
      Issue.record("leased twice")
      return
    }
    #expect(throws: StoreError.busyOperation(lease.operation.number)) { try second.drop(lease.operation.number) }
    #expect(throws: StoreError.noSuchOperation("9")) { try second.revive(9) }
  }

  @Test func `an operation that is no longer this process's cannot be given an outcome by it`() async throws {
    let store = try RunStore(at: directory.path)
    _ = try store.add(Self.setup("a"))
    guard case .operation(let lease) = try store.lease() else {
      Issue.record("no lease")
      return
    }
    try store.postpone(lease.operation.number, for: .seconds(9), because: .failed)
    #expect(throws: StoreError.leaseLost(1)) {
      try store.postpone(lease.operation.number, for: .zero, because: .interrupted)
    }
    #expect(throws: StoreError.leaseLost(1)) { try store.bury(lease.operation.number) }
    #expect(try store.operations().map(\.state) == [.waiting])
  }

  @Test func `an outcome that cannot be recorded is its operation's trouble and nobody else's`() async throws {
    let store = try RunStore(at: directory.path)
    let told = Mutex<[StoreError]>([])
    let (queue, _) = queue(store) { event in
      if case .unrecorded(_, let error) = event { told.withLock { $0.append(error) } }
    }
    for name in ["a", "b", "c"] { try await queue.add(Self.setup(name)) }
    let failures = Mutex(["a": 1, "b": 9])
    let summary = try await queue.drain(jobs: 2) { lease throws(StoreError) in
      let isFailing = failures.withLock { counts in
        guard let left = counts[lease.operation.name], left > 0 else { return false }
        counts[lease.operation.name] = left - 1
        return true
      }
      if isFailing { throw .database("disk full") }
      try lease.journal.end(failure: nil)
      return .done
    }
    #expect(summary == QueueSummary(done: 2, unrecorded: 6))
    #expect(told.withLock { $0 } == Array(repeating: .database("disk full"), count: 6))
    #expect(try store.operations().map(\.name) == ["b"])
    #expect(try store.operations().map(\.state) == [.dead])
  }

  @Test func `only what waited for a network is due when draining begins`() async throws {
    let store = try RunStore(at: directory.path)
    let clock = UploadClock(now: { .seconds(1_000) }, sleep: { _ in })
    for (name, reason) in [("offline", PostponeReason.unreachable), ("busy", .failed), ("broken off", .interrupted)] {
      let operation = try store.add(Self.setup(name), clock: clock)
      guard case .operation(let lease) = try store.lease(clock: clock),
        lease.operation.number == operation.number
      else {
        Issue.record("no lease of \(name)")
        return
      }
      try store.postpone(operation.number, for: .seconds(60), because: reason, clock: clock)
    }
    try store.wake(clock: clock)
    let due = try store.operations().map { ($0.name, $0.due, $0.attempts) }
    #expect(due.map(\.0) == ["offline", "busy", "broken off"])
    #expect(due.map(\.1) == [.seconds(1_000), .seconds(1_060), .seconds(1_060)])
    #expect(due.map(\.2) == [0, 1, 0])
  }

  /// A lease that walks what waits would make draining quadratic.
  @Test(arguments: [RunStore.firstDue, RunStore.nextDue])
  func `what is due is found in an index, in its order`(query: String) throws {
    let store = try RunStore(at: directory.path)
    let plan = try store.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + query, arguments: query.contains("?") ? [0] : [])
    }.map { $0["detail"] as String }
    #expect(plan.contains { $0.contains("operations_due") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("operations_by") }, "\(plan)")
  }

  @Test func `the next operation of a key is due when the one before it is done or dropped`() async throws {
    let store = try RunStore(at: directory.path)
    func heads() throws -> [Int] {
      try store.read { try Int.fetchAll($0, sql: "SELECT operation FROM operations WHERE is_head = 1 ORDER BY 1") }
    }
    let (queue, _) = queue(store)
    for (name, key) in [("a", "k"), ("b", "k"), ("c", "l"), ("d", "k"), ("e", nil)] as [(String, String?)] {
      try await queue.add(Self.setup(name), key: key)
    }
    #expect(try heads() == [1, 3, 5])
    try store.drop(2)
    #expect(try heads() == [1, 3, 5])
    try store.drop(1)
    #expect(try heads() == [3, 4, 5])
    let transport = ScriptedTransport(statuses: Array(repeating: 200, count: 6))
    #expect(try await queue.drain(by: uploader(transport), Self.steps).done == 3)
    #expect(try heads() == [])
  }

  @Test func `a dropped operation is gone, and its number is not used again`() throws {
    let store = try RunStore(at: directory.path)
    let first = try store.add(Self.setup("a"))
    try store.drop(first.number)
    #expect(try store.add(Self.setup("b")).number == first.number + 1)
    #expect(try store.operations().map(\.name) == ["b"])
  }
}

/// Time that passes when somebody waits.
private final class PassingTime: Sendable {
  private let time = Mutex(Duration.seconds(1_000_000))
  var now: Duration { time.withLock { $0 } }
  func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}
