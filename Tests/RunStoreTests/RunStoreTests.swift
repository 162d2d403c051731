import Foundation
import GRDB
import HTTPTypes
import Requests
import Testing
import UploaderCore

@testable import RunStore

@Suite struct RunStoreTests {
  private let directory = TemporaryDirectory()

  @Test func `commits are durable, and stay so after one that need not be`() throws {
    let store = try RunStore(at: directory.path)
    func synchronous() throws -> Int? {
      try store.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }
    #expect(try synchronous() == 2)
    #expect(try store.write(.durable) { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    #expect(try store.write(.relaxed) { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
    #expect(try synchronous() == 2)
    struct Failure: Error {}
    #expect(throws: StoreError.self) { try store.write(.relaxed) { _ in throw Failure() } }
    #expect(try synchronous() == 2)
    #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
  }

  @Test func `everything in it is private, whatever the umask`() async throws {
    let before = umask(0)
    defer { umask(before) }
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    let large = String(repeating: "x", count: RunStore.inlineLimit + 1)
    var run = SequenceRun(ArrayRequestSequence.make([.make(.get, "http://h/")]))
    let transport = ScriptedTransport([.success(Response(status: .ok, body: ResponseBody(Array(large.utf8))))])
    try await Uploader(transport: transport, journal: journal).run(&run)
    #expect(directory.mode("") == 0o700)
    #expect(directory.mode("spool") == 0o700)
    let names = directory.files.map(\.name)
    #expect(names.contains("runs.sqlite"))
    #expect(names.contains { $0.hasPrefix("spool/") })
    for name in names { #expect(directory.mode(name) == 0o600, "\(name)") }
  }

  @Test func `files that others could read are made private, those that are not ours are refused`() throws {
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try RunStore(at: directory.path)
    #expect(directory.mode("") == 0o700)

    for name in ["runs.sqlite", "runs.sqlite-wal", "spool"] {
      let place = TemporaryDirectory()
      let target = TemporaryDirectory()
      try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: target.path, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(place.path)/\(name)", withDestinationPath: name == "spool" ? target.path : "\(target.path)/elsewhere"
      )
      #expect(throws: StoreError.notOurs(path: "\(place.path)/\(name)")) { try RunStore(at: place.path) }
      #expect(target.files.isEmpty)
    }
  }

  @Test func `a large body is in the spool once, and comes back as it was`() async throws {
    let store = try RunStore(at: directory.path)
    let bytes = (0..<RunStore.inlineLimit * 3).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<2 {
      let journal = try store.begin(.test)
      var run = SequenceRun(ArrayRequestSequence.make([.make(.get, "http://h/large")]))
      let transport = ScriptedTransport([.success(Response(status: .ok, body: ResponseBody(bytes)))])
      try await Uploader(transport: transport, journal: journal).run(&run)
      try journal.end(failure: "so that it can be resumed")
    }
    #expect(directory.files.count { $0.name.hasPrefix("spool/") } == 1)
    var again = SequenceRun(ArrayRequestSequence.make([.make(.get, "http://h/large")]))
    let journal = try store.resume(try store.run("last"))
    try await Uploader(transport: ScriptedTransport(statuses: []), journal: journal).run(&again)
    #expect(try again.exchanges.first?.response.body.bytes() == bytes)
  }

  @Test func `a run is found by its id, a unique prefix of it, or as the last`() throws {
    let store = try RunStore(at: directory.path)
    #expect(throws: StoreError.noSuchRun("last")) { try store.run("last") }
    let ids = try (0..<40).map { _ in try store.begin(.test).id }
    #expect(try store.run("last").id == ids.last)
    for id in ids { #expect(try store.run(id).id == id) }
    let unique = try #require(ids.first)
    let prefix = (1...8).map { String(unique.prefix($0)) }.first { prefix in ids.count { $0.hasPrefix(prefix) } == 1 }
    #expect(try store.run(try #require(prefix)).id == unique)
    let shared = try #require(ids.first { id in ids.count { $0.prefix(1) == id.prefix(1) } > 1 }?.prefix(1))
    #expect(throws: StoreError.self) { try store.run(String(shared)) }
    #expect(throws: StoreError.noSuchRun("")) { try store.run("") }
    #expect(try store.runs(limit: 3).map(\.id) == ids.suffix(3).reversed())
  }

  @Test func `old or excess runs are removed, with the bodies that nobody needs`() throws {
    let store = try RunStore(at: directory.path)
    for _ in 0..<5 { try store.begin(.test).end() }
    let kept = try store.begin(.test)
    #expect(try store.prune(.count(3), now: .seconds(4_000_000_000)) == 3)
    #expect(try store.runs().count == 3)
    // The one that is in progress stays, however old.
    #expect(try store.prune(.age(.zero), now: .seconds(4_000_000_000)) == 2)
    #expect(try store.runs().map(\.id) == [kept.id])
    #expect(Retention("30d") == .age(.seconds(30 * 86_400)))
    #expect(Retention("2GiB") == .spool(2 << 30))
    #expect(Retention("500") == .count(500))
    #expect(Retention("9223372036854775807d") == .age(.seconds(Int.max)))
    #expect(Retention("9223372036854775807GiB") == .spool(.max))
    #expect(Retention("much") == nil)
  }

  @Test(arguments: [Retention.count(0), .age(.zero), .spool(0)])
  func `runs that are interrupted, in progress or in the queue are not removed`(_ retention: Retention) async throws {
    let store = try RunStore(at: directory.path)
    // Large enough for the spool, so that each kind of retention applies to it.
    @Sendable func respond(to journal: RunJournal) async {
      let large = Response(status: .ok, body: ResponseBody([UInt8](repeating: 1, count: 100_000)))
      var run = SequenceRun(ArrayRequestSequence.make([.make(.get, "http://h/a")]))
      try? await Uploader(transport: ScriptedTransport([.success(large)]), journal: journal).run(&run)
    }
    var kept: [String] = []
    do {
      let other = try RunStore(at: directory.path)
      let interrupted = try other.begin(.test)
      await respond(to: interrupted)
      kept.append(interrupted.id)
    }
    let queue = SyncQueue(store)
    try await queue.add(.test)
    try await queue.drain { lease throws(StoreError) in
      await respond(to: lease.journal)
      try lease.journal.end(failure: "broken")
      return .broken(reason: "broken")
    }
    kept.append(try #require(store.operations().first?.run))
    for failure in [nil, "403"] {
      let ended = try store.begin(.test)
      await respond(to: ended)
      try ended.end(failure: failure)
    }
    let open = try store.begin(.test)
    await respond(to: open)
    kept.append(open.id)

    #expect(try store.prune(retention, now: .seconds(4_000_000_000)) == 2)
    #expect(Set(try store.runs().map(\.id)) == Set(kept))
    for run in try store.runs() { #expect(try store.steps(of: run).first?.response?.body.count == 100_000) }
  }
}

/// What owners leave behind.
@Suite struct OwnerLockTests {
  @Test func `the locks of dead owners are removed, and those of living ones stay`() throws {
    let directory = TemporaryDirectory()
    let living = try RunStore(at: directory.path)
    _ = try living.begin(.test)
    let kept = directory.files.map(\.name).filter { $0.hasPrefix("owner-") }
    #expect(kept.count == 1)
    let old = Date.now.addingTimeInterval(-3_600)
    for name in ["owner-dead.lock", "owner-new.lock", "other.lock"] {
      #expect(
        FileManager.default.createFile(
          atPath: "\(directory.path)/\(name)", contents: nil, attributes: [.posixPermissions: 0o600]))
    }
    for name in ["owner-dead.lock", "other.lock", kept.first ?? ""] {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(directory.path)/\(name)")
    }
    let next = try RunStore(at: directory.path)
    _ = try next.begin(.test)
    let names = Set(directory.files.map(\.name).filter { $0.hasSuffix(".lock") })
    #expect(!names.contains("owner-dead.lock"))
    // One that was created just now may not be locked yet.
    #expect(names.isSuperset(of: kept + ["owner-new.lock", "other.lock"]) && names.count == 4)
    withExtendedLifetime((living, next)) {}
  }
}
