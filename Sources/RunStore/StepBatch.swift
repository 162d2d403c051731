internal import GRDB
internal import Requests

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Records of steps that may happen twice, one behind the other: they are written together, as one row.
///
/// Whoever changes one of them unpacks them first.
struct StepBatch {
  private var writer = RecordWriter()
  /// Whether a form is among them, which may carry a signature.
  private var hasForm = false

  /// In bytes.
  var size: Int { writer.bytes.count }

  mutating func append(_ step: RecordedStep, asked moment: Moment?) {
    if case .parts = step.request.body { hasForm = true }
    step.write(to: &writer, body: step.answer.flatMap { try? $0.body.bytes() } ?? [])
    writer.flag(moment != nil)
    moment?.write(to: &writer)
  }

  /// Whether they may hold what a run that is done has no use for.
  fileprivate var isPresigned: Bool { hasForm || PresignedText.mayBeIn(writer.bytes) }

  fileprivate var data: Data { Data(writer.bytes) }

  /// The records in a row.
  static func steps(in data: Data) throws(StoreError) -> [(step: RecordedStep, moment: Moment?)] {
    var reader = RecordReader([UInt8](data))
    var steps: [(RecordedStep, Moment?)] = []
    while !reader.isAtEnd {
      let step = try RecordedStep(from: &reader)
      steps.append((step, try reader.flag() ? try Moment(from: &reader) : nil))
    }
    return steps
  }
}

extension RunStore {
  static func put(_ batch: StepBatch, run: Int64, in database: Database) throws {
    guard batch.size > 0 else { return }
    let statement = try database.cachedStatement(
      sql: "INSERT INTO batches (run, is_presigned, records) VALUES (?, ?, ?)")
    try statement.execute(arguments: [run, batch.isPresigned, batch.data])
  }

  /// Makes rows of their own of the records that were written together.
  static func unpack(_ run: Int64, in database: Database) throws {
    let rows = try Data.fetchAll(
      database, sql: "SELECT records FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
    for row in rows {
      for (step, moment) in try StepBatch.steps(in: row) {
        try put(step, run: run, spooled: nil, in: database)
        if let moment { try put([(step.position, moment)], run: run, in: database) }
      }
    }
    if !rows.isEmpty { try database.execute(sql: "DELETE FROM batches WHERE run = ?", arguments: [run]) }
  }

  func unpack(_ run: Int64) throws(StoreError) {
    let isPacked = try read {
      try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM batches WHERE run = ?)", arguments: [run]) ?? false
    }
    if isPacked { try write(.durable) { try Self.unpack(run, in: $0) } }
  }

  /// Whether records that were written together may hold what a run that is done has no use for.
  func isPresigned(_ run: Int64) throws(StoreError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM batches WHERE run = ?1)
            AND (EXISTS (SELECT 1 FROM batches WHERE run = ?1 AND is_presigned)
              OR EXISTS (SELECT 1 FROM steps WHERE run = ?1 AND is_presigned))
          """, arguments: [run]) ?? false
    }
  }

  /// The records of a run that were written together.
  func batched(inRow run: Int64) throws(StoreError) -> [(step: RecordedStep, moment: Moment?)] {
    let rows = try read { database in
      try Data.fetchAll(database, sql: "SELECT records FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
    }
    var steps: [(RecordedStep, Moment?)] = []
    for row in rows { steps += try StepBatch.steps(in: row) }
    return steps
  }
}
