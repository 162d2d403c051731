internal import GRDB
internal import JSONValue
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
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ step: RecordedStep, asked moment: Moment?) {
    count += 1
    put(step.position.indices.count)
    for index in step.position.indices { put(index) }
    for number in [
      step.attempt, step.state.rawValue, step.effect.code, step.number ?? -1, step.round ?? -1,
      step.started.inMicroseconds, step.finished?.inMicroseconds ?? -1, moment == nil ? 0 : 1,
    ] {
      put(number)
    }
    if let moment {
      let (seconds, attoseconds) = moment.time.components
      put(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
      put(Int(truncatingIfNeeded: moment.seed >> 64))
      put(Int(truncatingIfNeeded: moment.seed))
    }
    put(step.label)
    put(step.failure)
    put(step.request.stored)
    if case .bytes(let body) = step.request.body { put(body) } else { put(nil as [UInt8]?) }
    put(step.answer?.stored)
    put(step.answer.flatMap { try? $0.body.bytes() })
  }

  /// What was not written goes before what came since.
  mutating func prepend(_ other: StepBatch) {
    bytes = other.bytes + bytes
    count += other.count
  }

  private mutating func put(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ part: [UInt8]?) {
    put(part?.count ?? -1)
    if let part { bytes.append(contentsOf: part) }
  }

  private mutating func put(_ text: String?) {
    put(text?.utf8.count ?? -1)
    if let text { bytes.append(contentsOf: text.utf8) }
  }

  /// The records in a row.
  static func steps(in data: Data) throws(StoreError) -> [(step: RecordedStep, moment: Moment?)] {
    var reader = Reader(bytes: [UInt8](data))
    var steps: [(RecordedStep, Moment?)] = []
    while !reader.isAtEnd { steps.append(try reader.step()) }
    return steps
  }

  private struct Reader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func step() throws(StoreError) -> (RecordedStep, Moment?) {
      var indices: [Int] = []
      for _ in 0..<(try number(upTo: 10_000)) { indices.append(try number()) }
      let attempt = try number()
      guard let state = RecordedStep.State(rawValue: try number()), let effect = RequestEffect(code: try number())
      else { throw .damaged("a step") }
      let (number, round) = (try self.number(), try self.number())
      let (started, finished) = (try self.number(), try self.number())
      var moment: Moment?
      if try self.number() == 1 {
        let time = try self.number()
        let seed = [try self.number(), try self.number()].map { UInt128(UInt64(bitPattern: Int64($0))) }
        moment = Moment(time: .nanoseconds(time), seed: seed[0] << 64 | seed[1])
      }
      let (label, failure) = (try text(), try text())
      guard let stored = try text() else { throw .damaged("a step") }
      let request = try RecordedRequest(json: try JSON(stored: stored), bytes: try part())
      let (answer, body) = (try text(), try part())
      var step = RecordedStep(
        position: StepPosition(indices), label: label, number: number < 0 ? nil : number,
        round: round < 0 ? nil : round,
        attempt: attempt, state: state, effect: effect, started: .microseconds(started),
        finished: finished < 0 ? nil : .microseconds(finished), request: request, failure: failure)
      if let answer {
        step.answer = try RecordedAnswer(json: try JSON(stored: answer), body: ResponseBody(body ?? []))
      }
      return (step, moment)
    }

    private mutating func number(upTo limit: Int = .max) throws(StoreError) -> Int {
      guard bytes.count - index >= 8 else { throw .damaged("a step") }
      var number: UInt64 = 0
      for byte in bytes[index..<index + 8].reversed() { number = number << 8 | UInt64(byte) }
      index += 8
      let value = Int(Int64(bitPattern: number))
      guard value <= limit else { throw .damaged("a step") }
      return value
    }

    private mutating func part() throws(StoreError) -> [UInt8]? {
      let count = try number(upTo: bytes.count - index)
      guard count >= 0 else { return nil }
      defer { index += count }
      guard count <= bytes.count - index else { throw .damaged("a step") }
      return Array(bytes[index..<index + count])
    }

    private mutating func text() throws(StoreError) -> String? {
      try part().map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension RunStore {
  static func put(_ batch: StepBatch, run: Int64, in database: Database) throws {
    guard !batch.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: "INSERT INTO batches (run, is_presigned, records) VALUES (?, ?, ?)")
    try statement.execute(arguments: [run, PresignedText.mayBeIn(batch.bytes), Data(batch.bytes)])
  }

  /// Makes rows of their own of the records that were written together.
  static func unpack(_ run: Int64, in database: Database) throws {
    let rows = try Data.fetchAll(
      database, sql: "SELECT records FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
    for row in rows {
      for (step, moment) in try StepBatch.steps(in: row) {
        try put(step, run: run, spooled: nil, in: database)
        if let moment { try put([step.position: moment], run: run, in: database) }
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
