internal import GRDB
internal import JSONValue
public import Requests
internal import UploaderCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RunStore {
  /// Bodies larger than this, in bytes, go to the spool.
  static let inlineLimit = 64 << 10

  /// The steps of a run in their order, each as it stands now; dropped ones and earlier tries are not among them.
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

  /// Writes the step as it stands, whatever was written of it before.
  static func put(_ step: RecordedStep, run: Int64, spooled: Spool.Entry?, in database: Database) throws {
    var requestBody: [UInt8]?
    if case .bytes(let bytes) = step.request.body { requestBody = bytes }
    let isInline = step.answer != nil && spooled == nil
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO steps (
          run, path, attempt, state, boot, label, number, round, effect, started, finished, status, is_presigned,
          request, request_body, answer, answer_body, spooled, failure
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      run, step.position.key, step.attempt, step.state.rawValue, step.boot, step.label, step.number, step.round,
      step.effect.code, step.started.inMicroseconds, step.finished?.inMicroseconds, step.answer?.status,
      PresignedText.isIn(step) ? 1 : 0, String(decoding: step.request.stored, as: UTF8.self),
      requestBody.map { Data($0) }, step.answer.map { String(decoding: $0.stored, as: UTF8.self) },
      isInline ? Data(try step.answer?.body.bytes() ?? []) : nil, spooled?.digest, step.failure,
    ])
    if let spooled { try keep(spooled, run: run, in: database) }
  }
}

extension RecordedStep {
  init(_ row: Row, _ spool: Spool) throws(StoreError) {
    guard let position = StepPosition(key: row["path"]), let state = State(rawValue: row["state"]),
      let effect = RequestEffect(code: row["effect"])
    else { throw .damaged("a step") }
    self.position = position
    self.state = state
    self.effect = effect
    label = row["label"]
    number = row["number"]
    round = row["round"]
    attempt = row["attempt"]
    started = .microseconds(row["started"] as Int)
    finished = (row["finished"] as Int?).map { .microseconds($0) }
    failure = row["failure"]
    boot = row["boot"]
    request = try RecordedRequest(
      json: try JSON(stored: row["request"]), bytes: (row["request_body"] as Data?).map { [UInt8]($0) })
    answer = nil
    if let text = row["answer"] as String? {
      var body = ResponseBody([UInt8](row["answer_body"] as Data? ?? Data()))
      if let digest = row["spooled"] as String? { body = try spool.body(digest) }
      answer = try RecordedAnswer(json: try JSON(stored: text), body: body)
    }
  }
}

extension StepPosition {
  /// As SQLite compares it, in the order of the steps.
  var key: Data {
    Data(indices.flatMap { number in stride(from: 24, through: 0, by: -8).map { UInt8(number >> $0 & 0xFF) } })
  }

  init?(key: Data) {
    guard key.count.isMultiple(of: 4) else { return nil }
    let bytes = [UInt8](key)
    self.init(
      stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      })
  }
}

extension RequestEffect {
  var code: Int {
    switch self {
    case .safe: 0
    case .idempotent: 1
    case .once: 2
    }
  }

  init?(code: Int) {
    switch code {
    case 0: self = .safe
    case 1: self = .idempotent
    case 2: self = .once
    default: return nil
    }
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
  /// Writes when a run's sequence was asked what comes next.
  static func put(_ moments: [StepPosition: Moment], run: Int64, in database: Database) throws {
    guard !moments.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO moments (run, path, time, seed) VALUES (?, ?, ?, ?)")
    for (position, moment) in moments {
      let (seconds, attoseconds) = moment.time.components
      let seed = withUnsafeBytes(of: moment.seed.bigEndian) { Data($0) }
      try statement.execute(arguments: [
        run, position.key, Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000), seed,
      ])
    }
  }

  /// When the run's sequence was asked for each step.
  func moments(inRow run: Int64) throws(StoreError) -> [StepPosition: Moment] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT path, time, seed FROM moments WHERE run = ?", arguments: [run])
    }
    var moments: [StepPosition: Moment] = [:]
    for row in rows {
      guard let position = StepPosition(key: row["path"]) else { throw .damaged("a moment") }
      let seed = [UInt8](row["seed"] as Data).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
      moments[position] = Moment(time: .nanoseconds(row["time"] as Int), seed: seed)
    }
    for (step, moment) in try batched(inRow: run) {
      if let moment { moments[step.position] = moment }
    }
    return moments
  }

  /// When the run's sequence was asked for each step, and what chance said then.
  public func moments(of run: RecordedRun) throws(StoreError) -> [StepPosition: Moment] {
    try moments(inRow: run.row)
  }
}
