internal import Essentials
internal import GRDB
package import Requests
package import UploaderCore

/// The outcomes of the rows of a file.
extension RunStore {
  /// Begins to record a run over the rows of a file.
  package func beginRows(
    _ setup: RunSetup, secrets: Set<Secret>, clock: UploadClock
  ) throws(StoreError) -> RowLedger {
    let (row, id) = try beginRow(setup, secrets: secrets, clock: clock)
    return try RowLedger(store: self, run: row, id: id, count: 0, clock: clock)
  }

  /// Continues such a run.
  ///
  /// - Throws: `StoreError.busy` if another process is working on it.
  package func resumeRows(_ run: RecordedRun, clock: UploadClock) throws(StoreError) -> RowLedger {
    try claim(run, clock)
    return try RowLedger(store: self, run: run.row, id: run.id, count: run.stepCount, clock: clock)
  }

  /// What became of rows, in their order: those with outcomes, from this row on.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - onlyFailures: whether those that are done or were skipped are left out.
  package func rows(
    of run: RecordedRun, from first: Int = 0, limit: Int, onlyFailures: Bool = false
  ) throws(StoreError) -> [(row: Int, outcome: RowOutcome)] {
    let found = try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM bulk_rows WHERE run = ? AND row >= ? AND (? OR state NOT IN (?, ?)) ORDER BY row LIMIT ?",
        arguments: [
          run.row, first, !onlyFailures, RowOutcome.State.done.rawValue, RowOutcome.State.skipped.rawValue, limit,
        ])
    }
    return try found.map { row throws(StoreError) in
      guard let state = RowOutcome.State(rawValue: row["state"]) else { throw .damaged("the outcome of a row") }
      return (
        row["row"],
        RowOutcome(
          state, digest: Array(row["digest"] as Data), status: row["status"],
          time: .microseconds(row["time"] as Int? ?? 0),
          selected: row["selected"], failure: row["failure"])
      )
    }
  }

  /// How many rows have each outcome.
  package func rowCounts(of run: RecordedRun) throws(StoreError) -> [RowOutcome.State: Int] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "SELECT state, COUNT(*) AS count FROM bulk_rows WHERE run = ? GROUP BY state",
        arguments: [run.row])
    }
    var counts: [RowOutcome.State: Int] = [:]
    for row in rows { if let state = RowOutcome.State(rawValue: row["state"]) { counts[state] = row["count"] } }
    return counts
  }

  static func put(_ outcome: RowOutcome, of row: Int, run: Int64, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO bulk_rows (run, row, state, digest, status, time, selected, failure)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      run, row, outcome.state.rawValue, Data(outcome.digest), outcome.status,
      outcome.state == .begun ? nil : outcome.time.wholeMicroseconds, outcome.selected, outcome.failure,
    ])
  }
}
