import Canaries
import Foundation
import HTTPTypes
import JSONValue
import PostgresQueue
import RealServers
import Requests
import RunStore
import Synchronization
import Testing
import UploaderCore

/// What every store of a queue does, the same on both.
@Suite(.timeLimit(.minutes(3))) struct QueueConformanceTests {
  enum Kind: CaseIterable { case local, server }

  private let directory = "/tmp/wb-queue-\(UInt32.random(in: .min ... .max))"

  /// nil: PostgreSQL is not here, as was said.
  private func store(_ kind: Kind) async throws -> (any OperationStore)? {
    switch kind {
    case .local: return LocalQueue(try RunStore(at: directory))
    case .server:
      guard let server = PostgresServer.shared else { return nil }
      return try await Self.queue(try server.database(), scratch: directory)
    }
  }

  static func queue(
    _ address: String, scratch: String, lease: Duration = .seconds(15)
  ) async throws -> ServerQueue {
    let queue = try ServerQueue(
      try ServerAddress(address, environment: [:]), scratch: "\(scratch)-\(UInt32.random(in: .min ... .max))",
      lease: lease)
    try await queue.migrate()
    return queue
  }

  static func setup(_ name: String) -> RunSetup {
    RunSetup(
      kind: "test", name: name, parameters: ["path": .string(name)], texts: [RunText(name: "t", text: "é \"x\"\n")])
  }

  private static func lease<Store: OperationStore>(
    of store: Store
  ) async throws -> (HeldLease, OperationLease<Store.Journal>)? {
    guard case .operation(let lease) = try await store.lease() else { return nil }
    return (lease.held, lease)
  }

  @Test(arguments: Kind.allCases) func `what was added comes back as it was, in its order`(kind: Kind) async throws {
    guard let store = try await store(kind) else { return }
    func check(_ store: some OperationStore) async throws {
      let numbers = [
        try await store.add(Self.setup("a"), key: nil, secrets: []).number,
        try await store.add(Self.setup("b"), key: "k", secrets: []).number,
      ]
      #expect(numbers[0] < numbers[1])
      #expect(try await store.operations().map(\.name) == ["a", "b"])
      #expect(try await store.operations(OperationFilter(key: "k")).map(\.name) == ["b"])
      #expect(try await store.operations(OperationFilter(limit: 1)).map(\.name) == ["a"])
      #expect(try await store.operations(OperationFilter(number: numbers[1])).map(\.key) == ["k"])
      #expect(try await store.operations(OperationFilter(state: .dead)).isEmpty)
      let (_, lease) = try #require(try await Self.lease(of: store))
      #expect(lease.operation.name == "a" && lease.setup == Self.setup("a"))
      #expect(try await store.counts() == OperationCounts(waiting: 1, running: 1))
    }
    try await check(store)
  }

  @Test(arguments: Kind.allCases) func `a key is performed in order, and a dead letter holds it`(
    kind: Kind
  ) async throws {
    guard let store = try await store(kind) else { return }
    func check(_ store: some OperationStore) async throws {
      for (name, key) in [("a", "k"), ("b", "k"), ("c", nil), ("d", "k")] as [(String, String?)] {
        _ = try await store.add(Self.setup(name), key: key, secrets: [])
      }
      let (first, a) = try #require(try await Self.lease(of: store))
      let (other, c) = try #require(try await Self.lease(of: store))
      #expect([a.operation.name, c.operation.name] == ["a", "c"])
      #expect(try await Self.lease(of: store) == nil)
      try await a.journal.end(failure: "no")
      try await store.bury(first)
      #expect(try await Self.lease(of: store) == nil)
      #expect(try await store.counts() == OperationCounts(running: 1, dead: 1, held: 2))
      try await c.journal.end(failure: nil)
      try await store.revive(first.number)
      let (_, again) = try #require(try await Self.lease(of: store))
      #expect(again.operation.name == "a" && again.operation.attempts == 1)
      try await again.journal.end(failure: nil)
      let (_, b) = try #require(try await Self.lease(of: store))
      #expect(b.operation.name == "b")
      try await b.journal.end(failure: nil)
      try await store.drop(try #require(try await store.operations().first).number)
      #expect(try await store.operations().isEmpty)
      guard case .nothing = try await store.lease() else {
        Issue.record("something is left")
        return
      }
      _ = other
    }
    try await check(store)
  }

  @Test(arguments: Kind.allCases) func `only who holds a lease gives it an outcome, and only once`(
    kind: Kind
  ) async throws {
    guard let store = try await store(kind) else { return }
    func check(_ store: some OperationStore) async throws {
      _ = try await store.add(Self.setup("a"), key: nil, secrets: [])
      let (held, lease) = try #require(try await Self.lease(of: store))
      #expect(try await store.renew([held]) == [held.number])
      await #expect(throws: StoreError.busyOperation(held.number)) { try await store.drop(held.number) }
      try await lease.journal.end(failure: "later")
      try await store.postpone(held, for: .zero, because: .interrupted)
      await #expect(throws: StoreError.leaseLost(held.number)) { try await store.bury(held) }
      let (_, again) = try #require(try await Self.lease(of: store))
      #expect(again.operation.attempts == 1, "an interruption is no attempt")
      await #expect(throws: StoreError.noSuchOperation("999999")) { try await store.revive(999_999) }
    }
    try await check(store)
  }

  @Test(arguments: Kind.allCases) func `only what waited for a network or for somebody is woken`(
    kind: Kind
  ) async throws {
    guard let store = try await store(kind) else { return }
    func check(_ store: some OperationStore) async throws {
      for reason in [PostponeReason.unreachable, .signIn, .failed] {
        _ = try await store.add(Self.setup("\(reason)"), key: nil, secrets: [])
        let (held, lease) = try #require(try await Self.lease(of: store))
        try await lease.journal.end(failure: "no")
        try await store.postpone(held, for: .seconds(60), because: reason)
      }
      #expect(try await Self.lease(of: store) == nil)
      try await store.wake()
      for name in ["unreachable", "signIn"] {
        let (_, lease) = try #require(try await Self.lease(of: store))
        #expect(lease.operation.name == name && lease.operation.attempts == 1)
      }
      #expect(try await Self.lease(of: store) == nil)
    }
    try await check(store)
  }

  /// Two steps that must not happen twice.
  @Sendable static func steps(_ setup: RunSetup) -> any OperationRequestSequence {
    ArrayRequestSequence.make([
      .make(.post, "http://h/\(setup.name)/allocate", label: "allocate"),
      .make(.post, "http://h/\(setup.name)/confirm", label: "confirm"),
    ])
  }

  @Test(arguments: Kind.allCases) func `what is done is not done again, and what may be done is not repeated`(
    kind: Kind
  ) async throws {
    guard let store = try await store(kind) else { return }
    func check(_ store: some OperationStore) async throws {
      let queue = SyncQueue(store, clock: UploadClock(now: UploadClock.system.now, sleep: { _ in }))
      try await queue.add(Self.setup("a"))
      let first = ScriptedTransport([
        .success(Response(status: .ok)),
        .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
      ])
      let uploader = Uploader(transport: first, clock: UploadClock(now: { .zero }, sleep: { _ in }))
      #expect(try await queue.drain(by: uploader, Self.steps).buried == 1)
      let dead = try #require(try await store.operations().first)
      #expect(dead.failure?.contains("reset") == true)
      try await store.revive(dead.number)
      let second = ScriptedTransport(statuses: [200, 200])
      let again = Uploader(transport: second, clock: UploadClock(now: { .zero }, sleep: { _ in }))
      #expect(try await queue.drain(by: again, Self.steps).buried == 1)
      #expect(second.requests.isEmpty)
    }
    try await check(store)
  }

  @Test(arguments: Kind.allCases) func `many workers perform each operation once, each key in order`(
    kind: Kind
  ) async throws {
    guard let store = try await store(kind) else { return }
    let done = Mutex<[String]>([])
    func check(_ store: some OperationStore) async throws {
      for number in 0..<60 {
        _ = try await store.add(Self.setup("\(number)"), key: number % 3 == 0 ? nil : "k\(number % 3)", secrets: [])
      }
      let queue = SyncQueue(store)
      let summary = try await queue.drain(jobs: 8) { lease throws(StoreError) in
        done.withLock { $0.append(lease.operation.name) }
        try await lease.journal.end(failure: nil)
        return .done
      }
      // On a busy machine a lease may end between what was done and its renewal: then it was only not seen to be done.
      #expect(summary.done + summary.unrecorded == 60 && summary.buried == 0 && summary.postponed == 0, "\(summary)")
    }
    try await check(store)
    let all = done.withLock { $0.compactMap { Int($0) } }
    #expect(Set(all).count == 60 && all.count == 60)
    for key in 1...2 {
      let own = all.filter { $0 % 3 == key }
      #expect(own == own.sorted())
    }
  }
}
