internal import GRDB
internal import JSONValue
public import Requests
public import UploaderCore

/// The queue in SQLite. An operation that is done no longer has a row: its run records it.
extension RunStore {
  public func add(
    _ setup: RunSetup, key: String? = nil, secrets: Set<Secret> = [], clock: UploadClock = .system
  ) throws(StoreError) -> QueuedOperation {
    let now = clock.now().wholeMicroseconds
    let (text, texts) = Self.stored(setup, SecretMarkers(secrets))
    let row = try write(.durable) { database in
      try Self.keep(texts, in: database)
      try database.execute(
        sql: """
          INSERT INTO operations (kind, name, setup, key, state, due, created, updated) VALUES (?, ?, ?, ?, 0, ?, ?, ?)
          """, arguments: [setup.kind, setup.name, text, key, now, now, now])
      return try Self.operation(database.lastInsertedRowID, in: database)
    }
    return try QueuedOperation(row)
  }

  public func operations(_ filter: OperationFilter = OperationFilter()) throws(StoreError) -> [QueuedOperation] {
    let rows = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          \(Self.selectOperation) WHERE (?1 IS NULL OR operation = ?1) AND (?2 IS NULL OR state = ?2)
            AND (?3 IS NULL OR key = ?3) ORDER BY operation LIMIT ?4
          """, arguments: [filter.number, filter.state?.rawValue, filter.key, filter.limit ?? -1])
    }
    return try rows.map { row throws(StoreError) in try QueuedOperation(row) }
  }

  public func counts() throws(StoreError) -> OperationCounts {
    let rows = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT state, COUNT(*) AS count, COALESCE(SUM(state = 0 AND is_head = 0 AND key IN (
            SELECT key FROM operations WHERE state = 2 AND key IS NOT NULL)), 0) AS held
          FROM operations GROUP BY state
          """)
    }
    var counts = OperationCounts()
    for row in rows {
      let (count, held): (Int, Int) = (row["count"], row["held"])
      guard let state = QueuedOperation.State(rawValue: row["state"]) else { throw .damaged("an operation") }
      switch state {
      case .waiting: (counts.waiting, counts.held) = (count - held, held)
      case .running: counts.running = count
      case .dead: counts.dead = count
      }
    }
    return counts
  }

  public func lease(clock: UploadClock = .system) throws(StoreError) -> OperationOffer<RunJournal> {
    enum Found {
      case row(Row, run: Int64, isNew: Bool)
      case wait(Duration)
      case nothing
    }
    let owner = try ownerName()
    let now = clock.now().wholeMicroseconds
    let found: Found = try write(.durable) { database in
      try self.inherit(in: database)
      while let row = try Row.fetchOne(database, sql: Self.firstDue, arguments: [now]) {
        let number: Int64 = row["operation"]
        let run = try self.takeRun(of: row, owner: owner, now: now, in: database)
        guard let run else {
          // Somebody is continuing its run by hand.
          try database.execute(
            sql: "UPDATE operations SET due = ? WHERE operation = ?",
            arguments: [Duration.microseconds(now).adding(.seconds(1)).wholeMicroseconds, number])
          continue
        }
        try database.execute(
          sql: """
            UPDATE operations SET state = 1, owner = ?, run = ?, attempts = attempts + 1, updated = ?
            WHERE operation = ?
            """, arguments: [owner, run.id, now, number])
        return .row(try Self.operation(number, in: database), run: run.row, isNew: run.isNew)
      }
      if try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM operations WHERE state = 1)") ?? false {
        return .wait(.milliseconds(100))
      }
      guard let due = try Int.fetchOne(database, sql: Self.nextDue) else { return .nothing }
      return .wait(max(.zero, Duration.microseconds(due).subtracting(.microseconds(now))))
    }
    switch found {
    case .nothing: return .nothing
    case .wait(let duration): return .wait(duration)
    case .row(let row, let run, let isNew):
      let operation = try QueuedOperation(row)
      let journal =
        isNew
        ? RunJournal(in: rows(run, id: operation.run ?? ""), id: operation.run ?? "", clock: clock)
        : try resumed(run, id: operation.run ?? "", options: ResumeOptions(), clock: clock)
      let setup = try setup(stored: row["setup"], kind: operation.kind, name: operation.name)
      return .operation(OperationLease(operation: operation, setup: setup, journal: journal, fence: operation.attempts))
    }
  }

  public func postpone(
    _ operation: Int, for wait: Duration, because reason: PostponeReason, clock: UploadClock = .system
  ) throws(StoreError) {
    let now = clock.now()
    try settle(
      operation, "state = 0, due = ?, attempts = attempts - ?, is_offline = ?, updated = ?",
      [
        now.adding(wait).wholeMicroseconds, reason == .failed ? 0 : 1, reason.isUntilWoken, now.wholeMicroseconds,
      ])
  }

  public func bury(_ operation: Int, clock: UploadClock = .system) throws(StoreError) {
    try settle(operation, "state = 2, updated = ?", [clock.now().wholeMicroseconds])
  }

  public func revive(_ number: Int, clock: UploadClock = .system) throws(StoreError) {
    let now = clock.now().wholeMicroseconds
    let isThere = try write(.durable) { database in
      try database.execute(
        sql: "UPDATE operations SET state = 0, attempts = 0, due = ?, updated = ? WHERE operation = ? AND state != 1",
        arguments: [now, now, number])
      return database.changesCount > 0
    }
    if !isThere { throw try reasonAgainst(number) }
  }

  public func wake(clock: UploadClock = .system) throws(StoreError) {
    let now = clock.now().wholeMicroseconds
    try write(.durable) { database in
      try database.execute(
        sql: "UPDATE operations SET due = MIN(due, ?), is_offline = 0 WHERE is_offline = 1", arguments: [now])
    }
  }

  public func drop(_ number: Int) throws(StoreError) {
    let isThere = try write(.durable) { database in
      try self.inherit(in: database)
      try database.execute(
        sql: """
          UPDATE runs SET state = ?, owner = NULL
          WHERE id = (SELECT run FROM operations WHERE operation = ? AND state != 1)
          """, arguments: [RecordedRun.State.abandoned.rawValue, number])
      try database.execute(sql: "DELETE FROM operations WHERE operation = ? AND state != 1", arguments: [number])
      return database.changesCount > 0
    }
    if !isThere { throw try reasonAgainst(number) }
  }

  // MARK: Leases

  private static let selectOperation = """
    SELECT mine.*, (SELECT failure FROM runs WHERE id = mine.run) AS failure FROM operations AS mine
    """

  /// The one that has been due for longest and has no earlier one with its key.
  static let firstDue = """
    \(selectOperation) WHERE state = 0 AND is_head = 1 AND due <= ? ORDER BY due, operation LIMIT 1
    """
  static let nextDue = "SELECT MIN(due) FROM operations WHERE state = 0 AND is_head = 1"

  /// Operations whose process died wait again.
  private func inherit(in database: Database) throws {
    let owners = try String.fetchAll(database, sql: "SELECT DISTINCT owner FROM operations WHERE state = 1")
    for owner in owners where !isOwnedByMe(owner) && !isOwnedByAnother(owner) {
      try database.execute(
        sql: "UPDATE operations SET state = 0, owner = NULL WHERE state = 1 AND owner = ?", arguments: [owner])
    }
  }

  /// Makes the operation's run this process's; nil: somebody else is working on it.
  private func takeRun(
    of operation: Row, owner: String, now: Int, in database: Database
  ) throws -> (row: Int64, id: String, isNew: Bool)? {
    if let id = operation["run"] as String?,
      let run = try Row.fetchOne(database, sql: "SELECT run, owner FROM runs WHERE id = ?", arguments: [id])
    {
      guard !isOwnedByAnother(run["owner"]) else { return nil }
      try Self.take(run["run"], owner: owner, now: now, in: database)
      return (run["run"], id, false)
    }
    let (row, id) = try Self.makeRun(
      kind: operation["kind"], name: operation["name"], setup: operation["setup"], owner: owner, now: now, in: database)
    return (row, id, true)
  }

  /// Only the holder of the lease records its outcome.
  ///
  /// - Throws: `StoreError.leaseLost` when it holds it no longer.
  private func settle(
    _ operation: Int, _ changes: String, _ values: [any DatabaseValueConvertible]
  ) throws(StoreError) {
    let owner = try ownerName()
    try write(.durable) { database in
      try database.execute(
        sql: "UPDATE operations SET owner = NULL, \(changes) WHERE operation = ? AND state = 1 AND owner = ?",
        arguments: StatementArguments(values + [operation, owner]))
      guard database.changesCount == 1 else { throw StoreError.leaseLost(operation) }
    }
  }

  private func reasonAgainst(_ number: Int) throws(StoreError) -> StoreError {
    let isThere = try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM operations WHERE operation = ?)", arguments: [number]) ?? false
    }
    return isThere ? .busyOperation(number) : .noSuchOperation("\(number)")
  }

  private static func operation(_ number: Int64, in database: Database) throws -> Row {
    let row = try Row.fetchOne(database, sql: "\(selectOperation) WHERE operation = ?", arguments: [number])
    guard let row else { throw StoreError.noSuchOperation("\(number)") }
    return row
  }
}

extension QueuedOperation {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let state = State(rawValue: row["state"]) else { throw .damaged("an operation") }
    self.init(
      number: row["operation"], kind: row["kind"], name: row["name"], key: row["key"], state: state, run: row["run"],
      attempts: row["attempts"], due: .microseconds(row["due"] as Int), created: .microseconds(row["created"] as Int),
      failure: row["failure"])
  }
}
