internal import GRDB
internal import JSONValue
public import Requests
public import UploaderCore

/// The queue in SQLite. An operation that is done no longer has a row: its run records it.
extension RunStore: OperationStore {
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

  public func operations() throws(StoreError) -> [QueuedOperation] {
    let rows = try read { try Row.fetchAll($0, sql: "\(Self.selectOperation) ORDER BY operation") }
    return try rows.map { row throws(StoreError) in try QueuedOperation(row) }
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
        ? RunJournal(
          store: self, row: run, id: operation.run ?? "", clock: clock, logSalt: SQLiteLog(of: directory)?.salt)
        : try resumed(run, id: operation.run ?? "", options: ResumeOptions(), clock: clock)
      let setup = try setup(stored: row["setup"], kind: operation.kind, name: operation.name)
      return .operation(OperationLease(operation: operation, setup: setup, journal: journal))
    }
  }

  public func postpone(
    _ operation: QueuedOperation, for wait: Duration, countsAsAttempt: Bool, clock: UploadClock = .system
  ) throws(StoreError) {
    let now = clock.now()
    try settle(
      operation, "state = 0, due = ?, attempts = attempts - ?, updated = ?",
      [now.adding(wait).wholeMicroseconds, countsAsAttempt ? 0 : 1, now.wholeMicroseconds])
  }

  public func bury(_ operation: QueuedOperation, clock: UploadClock = .system) throws(StoreError) {
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
      try database.execute(sql: "UPDATE operations SET due = ? WHERE state = 0 AND due > ?", arguments: [now, now])
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

  /// The first that is due and has no earlier one with its key.
  private static let firstDue = """
    \(selectOperation) WHERE state = 0 AND due <= ? AND \(isFirstOfKey) ORDER BY operation LIMIT 1
    """
  private static let nextDue = "SELECT MIN(due) FROM operations AS mine WHERE state = 0 AND \(isFirstOfKey)"
  private static let isFirstOfKey = """
    (key IS NULL OR NOT EXISTS (
      SELECT 1 FROM operations AS earlier WHERE earlier.key = mine.key AND earlier.operation < mine.operation))
    """

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
  private func settle(
    _ operation: QueuedOperation, _ changes: String, _ values: [any DatabaseValueConvertible]
  ) throws(StoreError) {
    let owner = try ownerName()
    try write(.durable) { database in
      try database.execute(
        sql: "UPDATE operations SET owner = NULL, \(changes) WHERE operation = ? AND state = 1 AND owner = ?",
        arguments: StatementArguments(values + [operation.number, owner]))
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
    self.state = state
    number = row["operation"]
    kind = row["kind"]
    name = row["name"]
    key = row["key"]
    run = row["run"]
    attempts = row["attempts"]
    due = .microseconds(row["due"] as Int)
    created = .microseconds(row["created"] as Int)
    failure = row["failure"]
  }
}
