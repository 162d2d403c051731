internal import Essentials
internal import GRDB
internal import Requests
internal import UploaderCore

/// Steps that may happen twice, to be written together: what happened is kept as it came, and records are made of all
/// of it together.
struct StepGroup {
  enum Entry {
    case answered(AnsweredStep)
    indirect case recorded(RecordedStep)
  }

  private var entries: [(entry: Entry, moment: StepSeed?)] = []
  /// The size of the bodies, in bytes.
  private var size = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Whether it is time to write them, however recently the last ones were written.
  var isFull: Bool { entries.count >= 500 || size >= 256 << 10 }

  mutating func append(_ entry: Entry, asked moment: StepSeed?) {
    entries.append((entry, moment))
    if case .answered(let answered) = entry { size += answered.exchange.response.body.count }
  }

  func batch(_ concealment: Concealment) -> StepBatch {
    var writer = RecordWriter(concealment)
    var hasForm = false
    for (entry, moment) in entries {
      switch entry {
      case .answered(let answered):
        if answered.prepared.description.isMultipart { hasForm = true }
        writer.write(Unconcealed<BatchedStep>(answered, asked: moment))
      case .recorded(let record):
        if case .parts = record.request.body { hasForm = true }
        writer.write(BatchedStep(step: record, moment: moment))
      }
    }
    return StepBatch(data: Data(writer.bytes), isPresigned: hasForm || PresignedText.mayBeIn(writer.bytes))
  }
}

extension StepGroup.Entry {
  var position: StepPosition {
    switch self {
    case .answered(let answered): answered.position
    case .recorded(let record): record.position
    }
  }
}

/// Records of steps that may happen twice, one after another: they are written together, as one row.
///
/// Code that changes one of them unpacks them first.
package struct StepBatch: Sendable {
  let data: Data
  /// Whether they may contain what a finished run no longer needs.
  let isPresigned: Bool

  /// The records in a row.
  static func steps(in data: Data) throws(StoreError) -> [BatchedStep] {
    let bytes = [UInt8](data)
    var steps: [BatchedStep] = []
    if bytes.first == RecordWriter.format {
      var reader = try RecordReader(bytes)
      while !reader.isAtEnd { steps.append(try reader.next(as: BatchedStep.self)) }
    } else {
      var reader = PositionalReader(bytes)
      while !reader.isAtEnd { steps.append(BatchedStep(step: try reader.step(), moment: try reader.moment())) }
    }
    return steps
  }
}

extension RunStore {
  static func put(_ batch: StepBatch, run: Int64, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO batches (run, is_presigned, records) VALUES (?, ?, ?)")
    try statement.execute(arguments: [run, batch.isPresigned, batch.data])
  }

  /// Turns records that were written together into rows of their own.
  static func unpack(_ run: Int64, in database: Database) throws {
    let rows = try Data.fetchAll(
      database, sql: "SELECT records FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
    for row in rows {
      for grouped in try StepBatch.steps(in: row) {
        try put(grouped.step, run: run, spooled: nil, in: database)
        if let moment = grouped.moment { try put([(grouped.step.position, moment)], run: run, in: database) }
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

  /// Whether records that were written together may contain what a finished run no longer needs.
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
  func batched(inRow run: Int64) throws(StoreError) -> [BatchedStep] {
    let rows = try read { database in
      try Data.fetchAll(database, sql: "SELECT records FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
    }
    var steps: [BatchedStep] = []
    for row in rows { steps += try StepBatch.steps(in: row) }
    return steps
  }
}
