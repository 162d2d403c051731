import JSONValue
import Requests
import Testing
import UploaderCore

@testable import RunStore

/// What is kept of rows, and when it is on the disk.
@Suite(.timeLimit(.minutes(1))) struct RowLedgerTests {
  private let directory = TemporaryDirectory()
  private static let digest = [UInt8](repeating: 7, count: 16)

  private func begin() throws -> (RunStore, RowLedger) {
    let store = try RunStore(at: directory.path)
    let setup = RunSetup(kind: RunSetup.bulkKind, name: "rows", parameters: ["bulk": [:]])
    return (store, try store.beginRows(setup, secrets: [], clock: .system))
  }

  @Test func `a row is marked on the disk before anything of it is sent`() async throws {
    let (store, ledger) = try begin()
    try await ledger.begin(3, digest: Self.digest)
    let run = try store.run(ledger.id)
    #expect(try store.rows(of: run, limit: 10).map(\.row) == [3])
    #expect(try store.rows(of: run, limit: 10).first?.outcome.state == .begun)
    ledger.record(RowOutcome(.done, digest: Self.digest, status: 201, time: .milliseconds(2)), of: 3)
    try await ledger.flush()
    let outcome = try #require(try store.rows(of: run, limit: 10).first?.outcome)
    #expect(outcome == RowOutcome(.done, digest: Self.digest, status: 201, time: .milliseconds(2)))
  }

  @Test func `rows that wait at the same time are marked together`() async throws {
    let (store, ledger) = try begin()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for row in 1...200 { group.addTask { try await ledger.begin(row, digest: Self.digest) } }
      try await group.waitForAll()
    }
    let run = try store.run(ledger.id)
    #expect(try store.rows(of: run, limit: 1_000).count == 200)
    for row in 1...100 { ledger.withdraw(row) }
    for row in 101...150 { ledger.record(RowOutcome(.failed, digest: Self.digest, failure: "no"), of: row) }
    try await ledger.end(failure: "rows failed")
    #expect(try store.rowCounts(of: run) == [.begun: 50, .failed: 50])
    #expect(try store.run(ledger.id).state == .failed)
    #expect(try store.run(ledger.id).stepCount == 50)
  }

  @Test func `outcomes are there soon without anybody asking`() async throws {
    let (store, ledger) = try begin()
    ledger.record(RowOutcome(.done, digest: Self.digest), of: 1)
    let run = try store.run(ledger.id)
    for _ in 0..<200 where try store.rows(of: run, limit: 1).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    #expect(try store.rows(of: run, limit: 1).count == 1)
    _ = ledger
  }

  @Test func `old outcomes are removed with their runs, the newest kept`() async throws {
    let (store, first) = try begin()
    for row in 1...6 { first.record(RowOutcome(.done, digest: Self.digest), of: row) }
    try await first.end(failure: nil)
    let (_, second) = try begin()
    for row in 1...6 { second.record(RowOutcome(.done, digest: Self.digest), of: row) }
    try await second.end(failure: nil)
    let retention = SuiteRetention(age: .seconds(3_600), runs: 10, bodies: 1_000, rows: 10)
    #expect(try store.pruneSuites(retention, now: UploadClock.system.now()) == 1)
    #expect(try store.runs().map(\.id) == [second.id])
    #expect(throws: StoreError.noSuchRun(first.id)) { try store.run(first.id) }
  }

  @Test func `digests of the same row in two runs have nothing in common`() {
    let row = Array("1,2".utf8)
    #expect(RowOutcome.digest(of: row, salt: [1]) != RowOutcome.digest(of: row, salt: [2]))
    #expect(RowOutcome.digest(of: row, salt: [1]) == RowOutcome.digest(of: row, salt: [1]))
    #expect(RowOutcome.digest(of: row, salt: [1]).count == 16)
  }
}
