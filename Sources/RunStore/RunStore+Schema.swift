internal import GRDB

extension RunStore {
  /// Brings a store to the current format: a new one gets its tables, one of an earlier program is changed in place.
  /// Each change is one transaction, and nobody sees half of it.
  ///
  /// Records are not rewritten. Those of format 3 are read as they are, even if an earlier program is still working on
  /// its run, and become tagged when they are written again.
  ///
  /// - Throws: `StoreError.format` when a later program has changed it.
  static func migrate(_ database: DatabaseQueue, path: String) throws {
    var found = try database.inDatabase(format(of:))
    while found != format {
      guard found < format else { throw StoreError.format(found, known: format, path: path) }
      guard found == 0 || found >= 3 else { throw StoreError.damaged("\"\(path)\" has a format that no release wrote") }
      do {
        try migrator.migrate(database)
        return
      } catch {
        // Another process may have been faster.
        let now = try database.inDatabase(format(of:))
        guard now != found else { throw error }
        found = now
      }
    }
  }

  /// A migration for each format, named after it. One that was part of a release is never changed.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("4", foreignKeyChecks: .immediate) { database in
      // Format 3 has the same tables, and was made before there were migrations.
      if try format(of: database) == 0 { try database.execute(sql: tables) }
      try database.execute(sql: "PRAGMA user_version = 4")
    }
    migrator.registerMigration("5", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: queueOrder)
      try database.execute(sql: "PRAGMA user_version = 5")
    }
    migrator.registerMigration("6", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: bulkRows)
      try database.execute(sql: "PRAGMA user_version = 6")
    }
    return migrator
  }

  private static func format(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Texts and bodies in it contain markers in place of secrets. Times are microseconds since 1970.
  private static let tables = """
    CREATE TABLE runs (
      run INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      setup TEXT NOT NULL,
      state INTEGER NOT NULL,
      owner TEXT,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      steps INTEGER NOT NULL DEFAULT 0,
      failure TEXT
    );
    CREATE INDEX runs_by_creation ON runs (created);

    -- Scripts, each once.
    CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;

    -- A step has a row for each time it was begun anew; the latest that is not dropped is the one that counts.
    -- What is dropped has its reason there: DropReason.
    CREATE TABLE steps (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      path BLOB NOT NULL,
      attempt INTEGER NOT NULL,
      state INTEGER NOT NULL,
      dropped INTEGER NOT NULL DEFAULT 0,
      boot TEXT,
      is_presigned INTEGER NOT NULL,
      record BLOB NOT NULL,
      spooled TEXT,
      PRIMARY KEY (run, path, attempt)
    ) WITHOUT ROWID;

    -- What time and chance contributed to each step: when it was asked for.
    CREATE TABLE moments (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      path BLOB NOT NULL,
      time INTEGER NOT NULL,
      seed BLOB NOT NULL,
      PRIMARY KEY (run, path)
    ) WITHOUT ROWID;

    -- Which run needs which file of the spool.
    CREATE TABLE spool (
      digest TEXT NOT NULL,
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      size INTEGER NOT NULL,
      PRIMARY KEY (digest, run)
    ) WITHOUT ROWID;
    CREATE INDEX spool_by_run ON spool (run);

    CREATE TABLE operations (
      operation INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      setup TEXT NOT NULL,
      key TEXT,
      state INTEGER NOT NULL,
      owner TEXT,
      run TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      due INTEGER NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL
    );
    CREATE INDEX operations_by_state ON operations (state, due);
    CREATE INDEX operations_by_key ON operations (key, operation);
    CREATE INDEX operations_by_run ON operations (run);

    -- Records of steps that may happen twice, written together: a StepBatch each. None of them is dropped.
    CREATE TABLE batches (
      batch INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      is_presigned INTEGER NOT NULL,
      records BLOB NOT NULL
    );
    CREATE INDEX batches_by_run ON batches (run);
    """

  /// A lease finds its operation at the beginning of an index, however many wait: those that wait for an earlier one
  /// with their key are not in it. Triggers keep that up, so that whatever adds or removes an operation need not.
  private static let queueOrder = """
    -- Whether no earlier one has its key.
    ALTER TABLE operations ADD COLUMN is_head INTEGER NOT NULL DEFAULT 1;
    -- Whether it waits because no server could be reached.
    ALTER TABLE operations ADD COLUMN is_offline INTEGER NOT NULL DEFAULT 0;
    UPDATE operations SET is_head = operation = (
      SELECT MIN(first.operation) FROM operations AS first WHERE first.key = operations.key) WHERE key IS NOT NULL;

    CREATE TRIGGER operation_is_added AFTER INSERT ON operations WHEN NEW.key IS NOT NULL BEGIN
      UPDATE operations SET is_head = operation = (SELECT MIN(operation) FROM operations WHERE key = NEW.key)
        WHERE operation = NEW.operation;
    END;
    CREATE TRIGGER operation_is_removed AFTER DELETE ON operations WHEN OLD.key IS NOT NULL BEGIN
      UPDATE operations SET is_head = 1
        WHERE operation = (SELECT MIN(operation) FROM operations WHERE key = OLD.key);
    END;

    DROP INDEX operations_by_state;
    CREATE INDEX operations_due ON operations (due, operation) WHERE state = 0 AND is_head = 1;
    CREATE INDEX operations_leased ON operations (owner) WHERE state = 1;
    CREATE INDEX operations_offline ON operations (operation) WHERE is_offline = 1;
    """

  /// What became of each row that a sequence was run for. Its state is a `RowOutcome.State`, its digest that of the row
  /// and of a number that only this run has.
  private static let bulkRows = """
    CREATE TABLE bulk_rows (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      row INTEGER NOT NULL,
      state INTEGER NOT NULL,
      digest BLOB NOT NULL,
      status INTEGER,
      time INTEGER,
      selected TEXT,
      failure TEXT,
      PRIMARY KEY (run, row)
    ) WITHOUT ROWID;
    """
}
