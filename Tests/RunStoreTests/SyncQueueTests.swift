import Canaries
import HTTPTypes
import JSONValue
import Requests
import RunStore
import Synchronization
import Testing
import UploaderCore

/// Operations that wait, and how they are performed.
@Suite(.timeLimit(.minutes(2))) struct SyncQueueTests {
  private let directory = TemporaryDirectory()

  /// A queue whose waiting takes no time.
  private func queue(
    _ store: RunStore, observe: @escaping @Sendable (QueueEvent) -> Void = { _ in }
  ) -> (SyncQueue<RunStore>, PassingTime) {
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
    for name in ["a", "b", "c"] { try queue.add(Self.setup(name), key: "k") }
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
    try queue.add(Self.setup("a"))
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
    try queue.add(Self.setup("a"))
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
      try queue.add(Self.setup(name), key: key)
    }
    let transport = ScriptedTransport(statuses: [403, 200, 200])
    #expect(try await queue.drain(by: uploader(transport), Self.steps) == QueueSummary(done: 1, buried: 1))
    #expect(buried.withLock { $0 } == ["a"])
    #expect(transport.requests.map(\.url) == ["http://h/a/allocate", "http://h/c/allocate", "http://h/c/confirm"])
    #expect(try store.operations().map(\.state) == [.dead, .waiting])

    try store.revive(1)
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
      try queue.add(Self.setup("a"))
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
    for name in ["a", "b"] { try queue.add(Self.setup(name)) }
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
    try queue.add(Self.setup("a"))
    let lost = ScriptedTransport([
      .success(Response(status: .ok)),
      .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
    ])
    #expect(try await queue.drain(by: uploader(lost), Self.steps).buried == 1)
    try store.revive(1)
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
