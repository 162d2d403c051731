internal import Essentials
internal import GRDB
internal import JSONValue
internal import Requests
internal import UploaderCore

/// A run in a store.
struct RunRows: JournalStorage {
  let store: RunStore
  let row: Int64
  let id: String
  /// Of SQLite's log when the run began; nil: it began earlier.
  var logSalt: [UInt8]?

  func write(_ changes: JournalChanges, _ durability: JournalDurability) throws(StoreError) {
    try store.write(durability) { database in
      try RunStore.put(changes.moments, run: row, in: database)
      for batch in changes.batches { try RunStore.put(batch, run: row, in: database) }
      for (record, body) in changes.records { try RunStore.put(record, run: row, spooled: body, in: database) }
      if let (count, now) = changes.progress { try RunStore.put(count, at: now, run: row, in: database) }
      for change in changes.others { try make(change, in: database) }
    }
    if changes.others.contains(where: { if case .hidden = $0 { true } else { false } }) { store.truncateLog() }
  }

  private func make(_ change: JournalChange, in database: Database) throws {
    switch change {
    case .reserving(let size): try store.reserveOutcome(size)
    case .sent(let position):
      let statement = try database.cachedStatement(
        sql: "UPDATE steps SET state = 1 WHERE run = ? AND path = ? AND dropped = 0 AND state = 0")
      try statement.execute(arguments: [row, position.key])
    case .dropped(let positions, let reason):
      try RunStore.unpack(row, in: database)
      for position in positions {
        try database.execute(
          sql: "UPDATE steps SET dropped = ? WHERE run = ? AND path = ? AND dropped = 0",
          arguments: [reason.rawValue, row, position.key])
      }
    case .allowed(let positions):
      for position in positions {
        try database.execute(
          sql: "UPDATE steps SET dropped = ? WHERE run = ? AND path = ? AND dropped != 0",
          arguments: [DropReason.doneAgain.rawValue, row, position.key])
      }
    case .hidden(let markers):
      let text = try String.fetchOne(database, sql: RunStore.selectSetup, arguments: [row]) ?? "null"
      guard var setup = try JSON(stored: text).object else { return }
      setup["parameters"] = setup["parameters"]?.mapStrings(markers.conceal)
      try database.execute(sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [JSON.object(setup).text, row])
    case .setup(let setup, let markers):
      let (text, texts) = RunStore.stored(setup, markers)
      try RunStore.keep(texts, in: database)
      try database.execute(sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [text, row])
    case .left(let count, let now):
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, steps = ? WHERE run = ?",
        arguments: [RecordedRun.State.open.rawValue, now.wholeMicroseconds, count, row])
    case .reopened(let now):
      try RunStore.take(row, owner: try store.ownerName(), now: now.wholeMicroseconds, in: database)
    case .ended(let failure, let count, let now, let dropped):
      try RunStore.put(dropped, run: row, in: database)
      let state = failure == nil ? RecordedRun.State.done : .failed
      try database.execute(
        sql: "UPDATE runs SET state = ?, owner = NULL, updated = ?, failure = ?, steps = ? WHERE run = ?",
        arguments: [state.rawValue, now.wholeMicroseconds, failure, count, row])
      // What is done leaves the queue with the same commit.
      if failure == nil { try database.execute(sql: "DELETE FROM operations WHERE run = ?", arguments: [id]) }
    }
  }

  func keep(_ body: ResponseBody, _ markers: SecretMarkers) throws(StoreError) -> Spool.Entry {
    try store.spool.keep(body, markers)
  }

  func steps() throws(StoreError) -> [RecordedStep] { try store.steps(inRow: row) }

  func earlier() throws(StoreError) -> EarlierSteps {
    try store.unpack(row)
    var earlier = EarlierSteps()
    earlier.steps = try store.steps(inRow: row)
    earlier.moments = try store.moments(inRow: row)
    earlier.droppedAttempts = try store.droppedAttempts(inRow: row)
    earlier.takenBack = try store.takenBack(inRow: row)
    return earlier
  }

  func releaseReserve() { store.releaseReserve() }

  func parameters() throws(StoreError) -> JSON { try JSON(stored: store.setup(ofRow: row))["parameters"] ?? .null }

  func dropping() throws(StoreError) -> DroppedValues {
    if try store.isPresigned(row) { try store.unpack(row) }
    return try store.dropping(from: row)
  }

  func expunge(_ dropped: DroppedValues) throws(StoreError) { try store.expunge(dropped, since: logSalt) }
}
