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

/// What only a server has: leases that end, connections that break, secrets that pass by.
@Suite(.timeLimit(.minutes(3))) struct ServerQueueTests {
  private let scratch = "/tmp/wb-scratch-\(UInt32.random(in: .min ... .max))"

  @Test func `an operation is taken over when its lease has ended, and its former owner writes nothing`() async throws {
    guard let server = PostgresServer.shared else { return }
    let address = try server.database()
    let first = try await QueueConformanceTests.queue(address, scratch: scratch, lease: .seconds(1))
    let second = try await QueueConformanceTests.queue(address, scratch: scratch, lease: .seconds(1))
    _ = try await first.add(QueueConformanceTests.setup("a"), key: nil, secrets: [])
    guard case .operation(let lease) = try await first.lease() else {
      Issue.record("no lease")
      return
    }
    let began = ContinuousClock.now
    var heir: OperationLease<ServerJournal>?
    while heir == nil, .now - began < .seconds(60) {
      if case .operation(let found) = try await second.lease() { heir = found }
      await second.wait(atMost: .seconds(1))
    }
    #expect(heir?.operation.name == "a" && (heir?.fence ?? 0) > lease.fence)
    await #expect(throws: StoreError.leaseLost(lease.operation.number)) { try await lease.journal.end(failure: nil) }
    await #expect(throws: StoreError.leaseLost(lease.operation.number)) { try await first.bury(lease.held) }
    #expect(try await first.renew([lease.held]) == [])
    #expect(try await first.operations().count == 1)
  }

  @Test func `who lost its lease sends nothing that must not happen twice, however often it tries`() async throws {
    guard let server = PostgresServer.shared else { return }
    let queue = try await QueueConformanceTests.queue(try server.database(), scratch: scratch)
    _ = try await queue.add(QueueConformanceTests.setup("a"), key: nil, secrets: [])
    guard case .operation(let lease) = try await queue.lease() else {
      Issue.record("no lease")
      return
    }
    try await queue.takeAway(lease.operation.number)
    let transport = ScriptedTransport(statuses: [200, 200])
    var uploader = Uploader(transport: transport, clock: UploadClock(now: { .zero }, sleep: { _ in }))
    uploader.journal = lease.journal
    func perform(_ sequence: some OperationRequestSequence) async throws {
      var run = SequenceRun(sequence)
      try await uploader.run(&run)
    }
    for _ in 0..<3 {
      await #expect(throws: UploadError.self) { try await perform(QueueConformanceTests.steps(lease.setup)) }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func `who cannot renew stops before anybody else begins`() async throws {
    guard let server = PostgresServer.shared else { return }
    let address = try server.database()
    let queue = try await QueueConformanceTests.queue(address, scratch: scratch, lease: .seconds(2))
    _ = try await queue.add(QueueConformanceTests.setup("a"), key: nil, secrets: [])
    let other = try await QueueConformanceTests.queue(address, scratch: scratch, lease: .seconds(2))
    let ended = Mutex<Bool?>(nil)
    let events = Mutex<[String]>([])
    let work = Task {
      try await SyncQueue(queue, observe: { event in events.withLock { $0.append("\(event)") } }).drain {
        lease throws(StoreError) in
        // Somebody takes it away.
        _ = try? await other.takeAway(lease.operation.number)
        try? await Task.sleep(for: .seconds(20))
        ended.withLock { $0 = Task.isCancelled }
        return .done
      }
    }
    let began = ContinuousClock.now
    while ended.withLock({ $0 }) == nil, .now - began < .seconds(15) { try await Task.sleep(for: .milliseconds(50)) }
    #expect(ended.withLock { $0 } == true)
    work.cancel()
    _ = try? await work.value
    #expect(events.withLock { $0.contains { $0.contains("unrecorded") } })
  }

  @Test func `nothing secret is in the database, its log, or its list of processes`() async throws {
    guard let server = PostgresServer.shared else { return }
    let address = try server.database()
    let queue = try await QueueConformanceTests.queue(address, scratch: scratch)
    let text = Canary.secret("postgres")
    let secret = try Secret(text, name: "token", for: [OriginPattern("http://h")])
    _ = try await queue.add(
      RunSetup(kind: "test", name: "a", parameters: ["x": .string("before \(text) after")]), key: nil,
      secrets: [secret])
    struct Signed: OperationRequestSequence {
      let secret: Secret
      var sent = false
      var secrets: Set<Secret> { [secret] }

      mutating func nextRequest(previous: Exchange?) -> RequestDescription? {
        guard !sent else { return nil }
        sent = true
        return secret.withExposedText { .make(.post, "http://h/\($0)", label: "look") }
      }
    }
    let transport = ScriptedTransport(statuses: [200])
    let uploader = Uploader(transport: transport, clock: UploadClock(now: { .zero }, sleep: { _ in }))
    _ = try await SyncQueue(queue).drain(by: uploader) { _ in Signed(secret: secret) }
    let log = try Data(contentsOf: URL(filePath: server.log))
    #expect(!log.isEmpty)
    #expect(Canary.place(of: text, in: log) == nil)
    #expect(String(decoding: log, as: UTF8.self).contains("workbench.add"))
  }

  @Test func `a server that fails and comes back costs nothing but time`() async throws {
    guard let server = PostgresServer("-failing") else { return }
    let queue = try await QueueConformanceTests.queue(try server.database(), scratch: scratch)
    for number in 0..<6 { _ = try await queue.add(QueueConformanceTests.setup("\(number)"), key: "k", secrets: []) }
    let unreachable = Atomic(0)
    let performed = Mutex<[String]>([])
    let summary = try await SyncQueue(
      queue,
      observe: { event in if case .storeUnreachable = event { unreachable.add(1, ordering: .relaxed) } }
    ).drain { lease throws(StoreError) in
      try await lease.journal.end(failure: nil)
      performed.withLock { $0.append(lease.operation.name) }
      if lease.operation.name == "2" {
        server.crash()
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 1)
          server.start()
        }
      }
      return .done
    }
    // If only the server's word was lost, the operation is done, and nobody was told.
    #expect(summary.done + summary.unrecorded >= 6)
    #expect(try await queue.operations().isEmpty)
    let order = performed.withLock { $0 }
    #expect(order == order.sorted() && Set(order).count == order.count)
    #expect(unreachable.load(ordering: .relaxed) > 0)
  }
}

/// Addresses, and what they may contain.
@Suite struct ServerAddressTests {
  @Test(arguments: [
    "postgres://u:p@h/d", "postgres://u@h/d?password=x", "postgresql://u%3Ap@h/d", "postgres://h/d?service=x",
    "postgres://?service=x", "postgres://?password=x", "postgres:///d?p%61ssword=x",
    "postgres:///d?s%65rvice=x", "postgres://h/d?sslp%61ssword=x",
    "postgres://h/d?sslpassword=x", "http://h",
  ])
  func `a password on the command line is refused, and so is what hides where it goes`(text: String) {
    #expect(throws: StoreError.self) { try ServerAddress(text, environment: [:]) }
    #expect(throws: StoreError.self) { try ServerAddress("postgres:///d", environment: ["PGSERVICE": "x"]) }
  }

  @Test(arguments: [
    ("postgres://u@h/d", true), ("postgres://u@127.0.0.1/d", false), ("postgres://localhost/d", false),
    ("postgres://[::1]:5432/d", false), ("postgres:///d", false), ("postgres:///d?host=%2Ftmp", false),
    ("postgres://127.0.0.1,h/d", true), ("postgres://localhost/d?hostaddr=10.0.0.1", true),
    ("postgres://localhost.evil/d", true), ("postgres://127.0.0.1.evil/d", true),
    ("postgres://u@h/d?sslmode=disable", true),
  ])
  func `the certificate is verified unless the server is on this machine`(text: String, isVerified: Bool) throws {
    let address = try ServerAddress(text, environment: [:])
    #expect((address.settings["sslmode"] == "verify-full") == isVerified)
  }

  @Test func `the environment can name another host`() throws {
    #expect(try ServerAddress("postgres:///d", environment: ["PGHOST": "h"]).settings["sslmode"] == "verify-full")
    #expect(
      try ServerAddress("postgres://localhost/d", environment: ["PGHOSTADDR": "10.0.0.1"]).settings["sslmode"]
        == "verify-full")
  }
}
