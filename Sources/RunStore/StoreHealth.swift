internal import GRDB
internal import GRDBSQLite
internal import Requests

/// How a store is, for somebody who wonders.
package struct StoreHealth: Hashable, Sendable {
  /// The format of the store, as this program writes it.
  package static var format: Int { RunStore.format }
  /// The SQLite that this process runs with.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  package var runs: Int
  /// Those that failed or were interrupted, and can be continued.
  package var resumable: Int
  /// Operations of the queue.
  package var waiting: Int
  /// The size of the database, in bytes.
  package var databaseSize: Int
  /// The size of the bodies that are files of their own, in bytes.
  package var bodySize: Int
  /// What SQLite says of the file; empty: it is in order.
  package var damage: [String]

  package init(runs: Int, resumable: Int, waiting: Int, databaseSize: Int, bodySize: Int, damage: [String]) {
    self.runs = runs
    self.resumable = resumable
    self.waiting = waiting
    self.databaseSize = databaseSize
    self.bodySize = bodySize
    self.damage = damage
  }
}

extension RunStore {
  /// Whether there is a store in a directory whose names are these: opening one would make it.
  package static func isIn(_ names: [String]) -> Bool { names.contains("runs.sqlite") }

  /// Looks at all of the database.
  package func health() throws(StoreError) -> StoreHealth {
    let resumable = try runs().count(where: \.isResumable)
    return try read { database in
      func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      let damage = try String.fetchAll(database, sql: "PRAGMA quick_check(5)")
      return StoreHealth(
        runs: try number("SELECT COUNT(*) FROM runs"), resumable: resumable,
        waiting: try number("SELECT COUNT(*) FROM operations"),
        databaseSize: try number("PRAGMA page_count") * number("PRAGMA page_size"),
        bodySize: try number("SELECT SUM(size) FROM (SELECT DISTINCT digest, size FROM spool)"),
        damage: damage == ["ok"] ? [] : damage)
    }
  }
}
