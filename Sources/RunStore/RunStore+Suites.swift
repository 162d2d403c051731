internal import Crypto
internal import GRDB
internal import JSONValue
internal import Requests

extension RunSetup {
  /// The kind of a suite: several runs that belong together.
  public static let suiteKind = "suite"
  /// The kind of a run that is part of a suite.
  public static let memberKind = "suite-file"
  /// The kind of a sequence that is run for each row of a file.
  public static let bulkKind = "bulk"
}

extension RunStore {
  /// The runs that are part of a suite, in the order in which they began.
  public func members(of suite: RecordedRun) throws(StoreError) -> [RecordedRun] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "\(Self.selectRun) WHERE run > ? AND kind = ? AND instr(setup, ?) ORDER BY run",
        arguments: [suite.row, RunSetup.memberKind, "\"suite\":\"\(suite.id)\""])
    }
    return try rows.map { row throws(StoreError) in try RecordedRun(row, isAlive: isAlive(row)) }
  }

  /// Keeps a text with a run, besides those that it was begun with.
  ///
  /// - Parameter text: without secrets.
  public func keep(_ text: RunText, ofRun id: String) throws(StoreError) {
    let digest = SHA256.hash(data: Array(text.text.utf8)).hex
    try write(.durable) { database in
      let stored = try String.fetchOne(database, sql: "SELECT setup FROM runs WHERE id = ?", arguments: [id])
      guard var setup = try stored.flatMap({ try JSON(stored: $0).object }) else { return }
      try Self.keep([(digest, text.text)], in: database)
      setup["texts"] = .array((setup["texts"]?.array ?? []) + [[.string(text.name), .string(digest)]])
      try database.execute(
        sql: "UPDATE runs SET setup = ? WHERE id = ?", arguments: [JSON.object(setup).text, id])
    }
  }

  /// Removes old suites with their runs, and old runs over the rows of a file, and nothing else: also those that were
  /// interrupted. A suite is run again and not continued; the rows of the others are continued within that time.
  ///
  /// - Parameter now: since 1970.
  /// - Returns: how many runs were removed.
  @discardableResult
  public func pruneSuites(_ retention: SuiteRetention, now: Duration) throws(StoreError) -> Int {
    let kinds = [RunSetup.suiteKind, RunSetup.memberKind]
    var count = try prune(.age(retention.age), of: kinds, now: now)
    count += try prune(.count(retention.runs), of: kinds, now: now)
    count += try prune(.spool(retention.bodies), of: kinds, now: now)
    count += try prune(.age(retention.age), of: [RunSetup.bulkKind], now: now)
    count += try prune(.rows(retention.rows), of: [RunSetup.bulkKind], now: now)
    return count
  }
}

/// How much is kept of suites, without anybody asking.
public struct SuiteRetention: Hashable, Sendable {
  /// A suite that is older is removed.
  public var age: Duration
  /// How many runs of files are kept at most.
  public var runs: Int
  /// How many bytes of large bodies are kept at most.
  public var bodies: Int
  /// How many outcomes of rows are kept at most.
  public var rows: Int

  public init(age: Duration, runs: Int, bodies: Int, rows: Int = 10_000_000) {
    self.age = age
    self.runs = runs
    self.bodies = bodies
    self.rows = rows
  }

  /// 30 days, 10,000 runs of files, 1 GiB of large bodies, the outcomes of 10 million rows.
  public static let standard = SuiteRetention(age: .seconds(30 * 86_400), runs: 10_000, bodies: 1 << 30)
}
