internal import Crypto
internal import GRDB
internal import JSONValue
public import Requests
public import UploaderCore

extension RunStore {
  /// Begins to record a run.
  ///
  /// - Parameters:
  ///   - secrets: those known by now; none of them is written, wherever it appears in the setup.
  ///   - former: the run from which it continues, though that one is over; nil: none. What that one sent and must not
  ///     happen twice is not sent again by this one without asking.
  public func begin(
    _ setup: RunSetup, secrets: Set<Secret> = [], clock: UploadClock = .system, after former: RecordedRun? = nil
  ) throws(StoreError) -> RunJournal {
    let sent = try former.map { former throws(StoreError) in try sentOnce(inRow: former.row) } ?? []
    let (row, id) = try beginRow(setup, secrets: secrets, clock: clock) { row, database in
      for (step, body) in sent { try Self.put(step, run: row, spooled: body, .takenBack, in: database) }
    }
    let attempts = Dictionary(sent.map { ($0.step.position, $0.step.attempt) }, uniquingKeysWith: max)
    var earlier = EarlierSteps()
    earlier.droppedAttempts = attempts
    return RunJournal(storage: rows(row, id: id), id: id, clock: clock, earlier: earlier)
  }

  /// Makes a run.
  ///
  /// - Parameter change: in the same transaction.
  func beginRow(
    _ setup: RunSetup, secrets: Set<Secret>, clock: UploadClock,
    also change: (Int64, Database) throws -> Void = { _, _ in }
  ) throws(StoreError) -> (row: Int64, id: String) {
    let owner = try ownerName()
    expungeForTheDead()
    let now = clock.now().wholeMicroseconds
    let (text, texts) = Self.stored(setup, SecretMarkers(secrets))
    // A step that must not happen twice waits for the disk, and all that was written before it is there by then.
    return try write(.relaxed) { database in
      try Self.keep(texts, in: database)
      let (row, id) = try Self.makeRun(
        kind: setup.kind, name: setup.name, setup: text, owner: owner, now: now, in: database)
      try change(row, database)
      return (row, id)
    }
  }

  /// The rows of a run that begins.
  func rows(_ row: Int64, id: String) -> RunRows {
    RunRows(store: self, row: row, id: id, logSalt: SQLiteLog(of: directory)?.salt)
  }

  /// Every time that the run sent something that must not happen twice and may have happened.
  private func sentOnce(inRow row: Int64) throws(StoreError) -> [(step: RecordedStep, body: Spool.Entry?)] {
    let steps = try steps(inRow: row) + takenBack(inRow: row)
    return try steps.filter(\.wasSentOnce).map { step throws(StoreError) in
      let body = try step.response.flatMap { response throws(StoreError) in
        response.body.count > Self.inlineLimit ? try spool.keep(response.body, nil) : nil
      }
      return (step, body)
    }
  }

  /// Makes the row of a run that begins.
  static func makeRun(
    kind: String, name: String, setup: String, owner: String, now: Int, in database: Database
  ) throws -> (row: Int64, id: String) {
    var id = RandomName.make(8)
    while try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", arguments: [id]) ?? true {
      id = RandomName.make(8)
    }
    try database.execute(
      sql: """
        INSERT INTO runs (id, kind, name, setup, state, owner, created, updated) VALUES (?, ?, ?, ?, 0, ?, ?, ?)
        """, arguments: [id, kind, name, setup, owner, now, now])
    return (database.lastInsertedRowID, id)
  }

  /// Notes how far a run in progress has come.
  static func put(_ count: Int, at now: Duration, run: Int64, in database: Database) throws {
    let statement = try database.cachedStatement(sql: "UPDATE runs SET updated = ?, steps = ? WHERE run = ?")
    try statement.execute(arguments: [now.wholeMicroseconds, count, run])
  }

  /// Makes a run this process's.
  static func take(_ row: Int64, owner: String, now: Int, in database: Database) throws {
    try database.execute(
      sql: "UPDATE runs SET owner = ?, state = 0, failure = NULL, updated = ? WHERE run = ?",
      arguments: [owner, now, row])
  }

  /// Resumes a run where it stopped.
  ///
  /// - Throws: `StoreError.busy` if another process is working on it.
  public func resume(
    _ run: RecordedRun, options: ResumeOptions = ResumeOptions(), clock: UploadClock = .system
  ) throws(StoreError) -> RunJournal {
    try claim(run, clock)
    return try resumed(run.row, id: run.id, options: options, clock: clock, formerFailure: run.failure)
  }

  /// Makes a run this process's.
  ///
  /// - Throws: `StoreError.busy` if another process is working on it.
  func claim(_ run: RecordedRun, _ clock: UploadClock) throws(StoreError) {
    let owner = try ownerName()
    // Whether the owner is alive is checked in the transaction that replaces it.
    let isTaken = try write(.durable) { database in
      let current = try String.fetchOne(database, sql: "SELECT owner FROM runs WHERE run = ?", arguments: [run.row])
      guard !self.isOwnedByAnother(current) else { return false }
      try Self.take(run.row, owner: owner, now: clock.now().wholeMicroseconds, in: database)
      return true
    }
    guard isTaken else { throw .busy(run: run.id) }
  }

  /// The journal of a run that was taken over.
  func resumed(
    _ row: Int64, id: String, options: ResumeOptions, clock: UploadClock, formerFailure: String? = nil
  ) throws(StoreError) -> RunJournal {
    try RunJournal.resumed(
      in: RunRows(store: self, row: row, id: id), id: id, options: options, clock: clock,
      formerFailure: formerFailure)
  }

  /// The newest runs, newest first.
  ///
  /// - Parameter withMembers: whether the runs that are part of a suite are among them.
  public func runs(limit: Int? = nil, withMembers: Bool = true) throws(StoreError) -> [RecordedRun] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "\(Self.selectRun) WHERE kind != ? ORDER BY run DESC LIMIT ?",
        arguments: [withMembers ? "" : RunSetup.memberKind, limit ?? -1])
    }
    return try rows.map { row throws(StoreError) in try RecordedRun(row, isAlive: isAlive(row)) }
  }

  /// The run that a person means: an id, a unique prefix of one, or `last`, the newest that is not part of a suite.
  public func run(_ reference: String) throws(StoreError) -> RecordedRun {
    let rows = try read { database in
      if reference == "last" {
        return try Row.fetchAll(
          database, sql: "\(Self.selectRun) WHERE kind != ? ORDER BY run DESC LIMIT 1", arguments: [RunSetup.memberKind]
        )
      }
      return try Row.fetchAll(
        database, sql: "\(Self.selectRun) WHERE id >= ? AND id < ? ORDER BY run DESC LIMIT 6",
        arguments: [reference, "\(reference)\u{10FFFF}"])
    }
    guard let first = rows.first, !reference.isEmpty else { throw .noSuchRun(reference) }
    guard rows.count == 1 || first["id"] == reference else {
      throw .ambiguousRun(reference, rows.map { $0["id"] })
    }
    return try RecordedRun(first, isAlive: isAlive(first))
  }

  /// The run of the same script that ended last before this one began; nil: there is none.
  public func run(before run: RecordedRun) throws(StoreError) -> RecordedRun? {
    let row = try read { database in
      try Row.fetchOne(
        database,
        sql: """
          \(Self.selectRun) WHERE run < ? AND kind = ? AND name = ? AND state IN (?, ?) ORDER BY run DESC LIMIT 1
          """,
        arguments: [
          run.row, run.kind, run.name, RecordedRun.State.done.rawValue, RecordedRun.State.failed.rawValue,
        ])
    }
    guard let row else { return nil }
    return try RecordedRun(row, isAlive: isAlive(row))
  }

  /// What the run is made from, with markers in place of secrets.
  public func setup(of run: RecordedRun) throws(StoreError) -> RunSetup {
    try setup(stored: try setup(ofRow: run.row), kind: run.kind, name: run.name)
  }

  func isAlive(_ row: Row) -> Bool {
    guard row["state"] == RecordedRun.State.open.rawValue, let owner = row["owner"] as String? else { return false }
    return OwnerLock.isAlive(owner, in: directory)
  }

  static let selectRun = "SELECT run, id, kind, name, state, owner, created, updated, steps, failure FROM runs"

  // MARK: Setups

  /// The setup as it is stored, and its texts by digest.
  static func stored(_ setup: RunSetup, _ markers: SecretMarkers) -> (String, [(digest: String, text: String)]) {
    let texts = setup.texts.map { text in
      let concealed = markers.conceal(text.text)
      return (digest: SHA256.hash(data: Array(concealed.utf8)).hex, text: concealed)
    }
    let json: JSON = [
      "parameters": setup.parameters.mapStrings(markers.conceal),
      "texts": .array(zip(setup.texts, texts).map { [.string($0.name), .string($1.digest)] }),
    ]
    return (json.text, texts)
  }

  static func keep(_ texts: [(digest: String, text: String)], in database: Database) throws {
    for text in texts {
      try database.execute(
        sql: "INSERT OR IGNORE INTO texts (digest, text) VALUES (?, ?)", arguments: [text.digest, text.text])
    }
  }

  func setup(stored: String, kind: String, name: String) throws(StoreError) -> RunSetup {
    let json = try JSON(stored: stored)
    var setup = RunSetup(kind: kind, name: name, parameters: json["parameters"] ?? .null)
    for entry in json["texts"]?.array ?? [] {
      guard let name = entry[0]?.string, let digest = entry[1]?.string else { throw .damaged("a setup") }
      let text = try read { database in
        try String.fetchOne(database, sql: "SELECT text FROM texts WHERE digest = ?", arguments: [digest])
      }
      guard let text else { throw .damaged("the text of \(name)") }
      setup.texts.append(RunText(name: name, text: text))
    }
    return setup
  }
}

extension RecordedRun {
  init(_ row: Row, isAlive: Bool) throws(StoreError) {
    guard let state = State(rawValue: row["state"]) else { throw .damaged("a run") }
    self.row = row["run"]
    self.state = state
    self.isAlive = isAlive
    id = row["id"]
    kind = row["kind"]
    name = row["name"]
    created = .microseconds(row["created"] as Int)
    updated = .microseconds(row["updated"] as Int)
    stepCount = row["steps"]
    failure = row["failure"]
  }
}

extension RunStore {
  /// Abandons a run: it is kept for inspection, but nobody continues it. An operation that it performed leaves the
  /// queue.
  public func abandon(_ run: RecordedRun) throws(StoreError) {
    let isFree = try write(.durable) { database in
      let owner = try String.fetchOne(database, sql: "SELECT owner FROM runs WHERE run = ?", arguments: [run.row])
      guard !self.isOwnedByAnother(owner) else { return false }
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL WHERE run = ? AND state != ?",
        arguments: [RecordedRun.State.abandoned.rawValue, run.row, RecordedRun.State.done.rawValue])
      try database.execute(sql: "DELETE FROM operations WHERE run = ?", arguments: [run.id])
      return true
    }
    guard isFree else { throw .busy(run: run.id) }
  }
}
