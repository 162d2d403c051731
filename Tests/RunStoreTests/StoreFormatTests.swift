import Foundation
import GRDB
import Testing

@testable import RunStore

/// What happens to the format of a store when programs of several versions use it.
@Suite struct StoreFormatTests {
  private let directory = TemporaryDirectory()

  private func database() throws -> DatabaseQueue { try DatabaseQueue(path: "\(directory.path)/runs.sqlite") }

  private func format() throws -> Int? {
    try database().inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  private func setFormat(_ format: Int) throws {
    try database().inDatabase { try $0.execute(sql: "PRAGMA user_version = \(format)") }
  }

  /// As it was before there were migrations.
  private func makeFormerStore() throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/format-3")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: directory.path)
  }

  @Test func `a new store has the current format`() throws {
    _ = try RunStore(at: directory.path)
    #expect(try format() == RunStore.format)
    #expect(try database().inDatabase { try $0.tableExists("runs") })
  }

  @Test func `a store of a later program is left alone, and the error says what to do`() throws {
    _ = try RunStore(at: directory.path)
    try setFormat(99)
    let path = directory.path
    let error = #expect(throws: StoreError.format(99, known: RunStore.format, path: path)) { try RunStore(at: path) }
    #expect(
      error?.description
        == "\"\(path)\" was last used by a later version of this program: its format is 99, this one knows \(RunStore.format)"
    )
    #expect(try format() == 99)
  }

  @Test(arguments: [1, 2]) func `a store that no release wrote is left alone`(number: Int) throws {
    _ = try RunStore(at: directory.path)
    try setFormat(number)
    #expect(throws: StoreError.self) { try RunStore(at: directory.path) }
    #expect(try format() == number)
  }

  @Test(arguments: [false, true]) func `several may at once open a store that has to be changed`(isNew: Bool)
    async throws
  {
    if !isNew { try makeFormerStore() }
    let path = directory.path
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try RunStore(at: path).runs().count } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(counts == [isNew ? 0 : 4])
    #expect(try format() == RunStore.format)
  }

  @Test func `a run of an earlier program gets the current format when it is written again`() throws {
    try makeFormerStore()
    let store = try RunStore(at: directory.path)
    let run = try #require(try store.runs().first { $0.name == "failed.wb" })
    let before = try store.steps(of: run)
    func records() throws -> [Data] {
      try store.read { database in
        try Data.fetchAll(
          database,
          sql:
            "SELECT record FROM steps WHERE run = \(run.row) UNION ALL SELECT records FROM batches WHERE run = \(run.row)"
        )
      }
    }
    #expect(try records().contains { $0.first != RecordWriter.format })
    try store.write(.durable) { database in
      try RunStore.unpack(run.row, in: database)
      for step in before { try RunStore.put(step, run: run.row, spooled: nil, in: database) }
    }
    #expect(try records().allSatisfy { $0.first == RecordWriter.format })
    #expect(try store.steps(of: run) == before)
  }
}
