internal import Essentials
internal import GRDB
internal import JSONValue
public import Requests
internal import UploaderCore

extension RunStore {
  /// Bodies larger than this, in bytes, go to the spool.
  package static let inlineLimit = 64 << 10

  /// The steps of a run in order, each in its current state; dropped ones and earlier attempts are not included.
  public func steps(of run: RecordedRun) throws(StoreError) -> [RecordedStep] {
    var latest: [RecordedStep] = []
    for step in try steps(inRow: run.row) {
      if latest.last?.position == step.position {
        latest[latest.count - 1] = step
      } else {
        latest.append(step)
      }
    }
    return latest
  }

  /// Every time that a step was begun, in chronological order: including earlier attempts and what no longer counts.
  public func attempts(of run: RecordedRun) throws(StoreError) -> [RecordedStep] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM steps WHERE run = ?", arguments: [run.row])
    }
    var steps: [RecordedStep] = []
    for row in rows { steps.append(try RecordedStep(row, spool)) }
    steps += try batched(inRow: run.row).map(\.step)
    return steps.sorted { ($0.started, $0.position, $0.attempt) < ($1.started, $1.position, $1.attempt) }
  }

  /// How often steps were begun whose records no longer count.
  func droppedAttempts(inRow run: Int64) throws(StoreError) -> [StepPosition: Int] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "SELECT path, MAX(attempt) AS attempt FROM steps WHERE run = ? AND dropped != 0 GROUP BY path",
        arguments: [run])
    }
    var attempts: [StepPosition: Int] = [:]
    for row in rows { if let position = StepPosition(key: row["path"]) { attempts[position] = row["attempt"] } }
    return attempts
  }

  /// What was sent and then taken back, so that its record no longer counts.
  func takenBack(inRow run: Int64) throws(StoreError) -> [RecordedStep] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM steps WHERE run = ? AND dropped IN (?, ?) ORDER BY path, attempt",
        arguments: [run, DropReason.takenBack.rawValue, DropReason.untold])
    }
    return try rows.map { row throws(StoreError) in try RecordedStep(row, spool) }
  }

  func steps(inRow run: Int64) throws(StoreError) -> [RecordedStep] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM steps WHERE run = ? AND dropped = 0 ORDER BY path, attempt", arguments: [run])
    }
    var steps: [RecordedStep] = []
    for row in rows { steps.append(try RecordedStep(row, spool)) }
    let batched = try batched(inRow: run).map(\.step)
    if batched.isEmpty { return steps }
    return (steps + batched).sorted { ($0.position, $0.attempt) < ($1.position, $1.attempt) }
  }

  /// Writes the step in its current state, whatever was written of it before.
  ///
  /// - Parameter reason: why it does not count; nil: it does.
  static func put(
    _ step: RecordedStep, run: Int64, spooled: Spool.Entry?, _ reason: DropReason? = nil, in database: Database
  ) throws {
    let stored = try StoredStep(step, spooled, reason)
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO steps (run, path, attempt, state, dropped, boot, is_presigned, record, spooled)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      run, step.position.key, step.attempt, stored.state, stored.dropped, stored.boot, PresignedText.isIn(step),
      Data(stored.record), stored.body,
    ])
    if let spooled { try keep(spooled, run: run, in: database) }
  }
}

extension RecordedStep {
  /// As it is in a row of its own.
  func record(isSpooled: Bool) throws -> Data {
    var record = self
    record.response?.body = ResponseBody(isSpooled ? [] : try response?.body.bytes() ?? [])
    var writer = RecordWriter()
    writer.write(record)
    return Data(writer.bytes)
  }

  init(_ row: Row, _ spool: Spool) throws(StoreError) {
    let stored = StoredStep(
      state: row["state"], dropped: row["dropped"], boot: row["boot"], record: [UInt8](row["record"] as Data),
      body: row["spooled"])
    self = try stored.step(spool)
  }
}

extension StepPosition {
  /// As SQLite compares it, in the order of the steps.
  var key: Data { Data(bytes) }

  init?(key: Data) { self.init(bytes: [UInt8](key)) }

  /// Four for each number, so that they are in the order of the steps.
  package var bytes: [UInt8] {
    indices.flatMap { number in stride(from: 24, through: 0, by: -8).map { UInt8(number >> $0 & 0xFF) } }
  }

  package init?(bytes: [UInt8]) {
    guard bytes.count.isMultiple(of: 4) else { return nil }
    self.init(
      stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      })
  }
}

extension JSON {
  /// The same value with each string in it changed.
  func mapStrings(_ change: (String) -> String) -> JSON {
    switch self {
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, $0.value.mapStrings(change)) }))
    case .array(let elements): .array(elements.map { $0.mapStrings(change) })
    case .string(let text): .string(change(text))
    case .number, .bool, .null: self
    }
  }

  var text: String { String(decoding: JSONPrinter.compact.print(self), as: UTF8.self) }

  init(stored text: String) throws(StoreError) {
    do {
      self = try JSON(parsing: text)
    } catch {
      throw .damaged("\(error)")
    }
  }
}

extension RunStore {
  /// Writes the seeds with which a run's sequence was asked what comes next.
  static func put(
    _ moments: [(position: StepPosition, moment: StepSeed)], run: Int64, in database: Database
  ) throws {
    guard !moments.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO moments (run, path, time, seed) VALUES (?, ?, ?, ?)")
    for (position, moment) in moments {
      let seed = withUnsafeBytes(of: moment.seed.bigEndian) { Data($0) }
      try statement.execute(arguments: [run, position.key, moment.time.wholeNanoseconds, seed])
    }
  }

  /// The seed with which the run's sequence was asked for each step.
  func moments(inRow run: Int64) throws(StoreError) -> [StepPosition: StepSeed] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT path, time, seed FROM moments WHERE run = ?", arguments: [run])
    }
    var moments: [StepPosition: StepSeed] = [:]
    for row in rows {
      guard let position = StepPosition(key: row["path"]) else { throw .damaged("a step seed") }
      let seed = [UInt8](row["seed"] as Data).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
      moments[position] = StepSeed(time: .nanoseconds(row["time"] as Int), seed: seed)
    }
    for grouped in try batched(inRow: run) {
      if let moment = grouped.moment { moments[grouped.step.position] = moment }
    }
    return moments
  }

  /// The seed, time and chance, with which the run's sequence was asked for each step.
  public func moments(of run: RecordedRun) throws(StoreError) -> [StepPosition: StepSeed] {
    try moments(inRow: run.row)
  }
}
