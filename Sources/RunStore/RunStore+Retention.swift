internal import GRDB
internal import Requests

/// How much is kept.
public enum Retention: Hashable, Sendable {
  /// The newest runs.
  case count(Int)
  /// Runs begun no longer ago than this.
  case age(Duration)
  /// Bodies in the spool of no more than this many bytes, the newest runs' first.
  case spool(Int)
  /// Runs with no more outcomes of rows than this, the newest runs' first.
  case rows(Int)

  /// As people write it: `500`, `30d`, `12h`, `2GiB`.
  public init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number >= 0 else { return nil }
    // More than a number can hold means as much as possible.
    func times(_ unit: Int) -> Int {
      let (product, isBeyond) = number.multipliedReportingOverflow(by: unit)
      return isBeyond ? .max : product
    }
    switch text[digits.endIndex...] {
    case "": self = .count(number)
    case "h": self = .age(.seconds(times(3_600)))
    case "d": self = .age(.seconds(times(86_400)))
    case "MB": self = .spool(times(1_000_000))
    case "MiB": self = .spool(times(1 << 20))
    case "GB": self = .spool(times(1_000_000_000))
    case "GiB": self = .spool(times(1 << 30))
    default: return nil
    }
  }
}

extension RunStore {
  /// Removes runs that have ended, successfully or not, and that the queue does not need; and the bodies that only they
  /// needed.
  ///
  /// - Parameter now: since 1970.
  /// - Returns: how many runs were removed.
  @discardableResult
  public func prune(_ retention: Retention, now: Duration) throws(StoreError) -> Int {
    try prune(retention, of: [], now: now)
  }

  /// - Parameter kinds: only runs of these kinds count and are removed, also those whose process died; none: all that
  ///   have ended.
  func prune(_ retention: Retention, of kinds: [String], now: Duration) throws(StoreError) -> Int {
    let isOfKind = kinds.isEmpty ? "1" : "kind IN (\(kinds.map { "'\($0)'" }.joined(separator: ", ")))"
    let candidates = try read { database in
      switch retention {
      case .count(let count):
        return try Row.fetchAll(
          database, sql: "SELECT run, owner, state FROM runs WHERE \(isOfKind) ORDER BY run DESC LIMIT -1 OFFSET ?",
          arguments: [count])
      case .age(let age):
        return try Row.fetchAll(
          database, sql: "SELECT run, owner, state FROM runs WHERE created < ? AND \(isOfKind)",
          arguments: [now.subtracting(age).wholeMicroseconds])
      case .spool(let bytes):
        return try Row.fetchAll(
          database,
          sql: """
            SELECT run, owner, state FROM (
              SELECT runs.run, owner, state, SUM(SUM(size)) OVER (ORDER BY runs.run DESC) AS total
              FROM runs JOIN spool ON spool.run = runs.run WHERE \(isOfKind) GROUP BY runs.run
            ) WHERE total > ?
            """, arguments: [bytes])
      case .rows(let rows):
        return try Row.fetchAll(
          database,
          sql: """
            SELECT run, owner, state FROM (
              SELECT run, owner, state, SUM(steps) OVER (ORDER BY run DESC) AS total FROM runs WHERE \(isOfKind)
            ) WHERE total > ?
            """, arguments: [rows])
      }
    }
    let queued = try read {
      Set(try Int64.fetchAll($0, sql: "SELECT runs.run FROM operations JOIN runs ON id = operations.run"))
    }
    // An interrupted run may be continued, and nobody has looked at it yet.
    let runs: [Int64] = candidates.compactMap { row in
      let isOpen = row["state"] == RecordedRun.State.open.rawValue
      let isUnderWay = isOpen && (kinds.isEmpty || isOwnedByMe(row["owner"] ?? "") || isAlive(row))
      return queued.contains(row["run"]) || isUnderWay ? nil : row["run"]
    }
    guard !runs.isEmpty else { return 0 }
    let needed = try write(.durable) { database in
      for run in runs {
        for table in ["steps", "batches", "moments", "spool", "bulk_rows", "runs"] {
          try database.execute(sql: "DELETE FROM \(table) WHERE run = ?", arguments: [run])
        }
      }
      try database.execute(
        sql: """
          DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE instr(setup, digest))
            AND NOT EXISTS (SELECT 1 FROM operations WHERE instr(setup, digest))
          """)
      return Set(try String.fetchAll(database, sql: "SELECT DISTINCT digest FROM spool"))
    }
    // Whoever has a run under way may be about to record what it has just spooled; an operation is added at once.
    let owners = try read {
      try String.fetchAll(
        $0, sql: "SELECT DISTINCT owner FROM runs WHERE state = ? AND owner IS NOT NULL",
        arguments: [RecordedRun.State.open.rawValue])
    }
    let isAnyUnderWay = owners.contains { isOwnedByMe($0) || isOwnedByAnother($0) }
    spool.removeAll(but: needed, olderThan: now.subtracting(.seconds(isAnyUnderWay ? 3_600 : 60)))
    return runs.count
  }
}
