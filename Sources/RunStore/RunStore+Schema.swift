internal import GRDB

extension RunStore {
  /// Makes the tables of a new store.
  static func createTables(_ database: Database) throws {
    switch try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 {
    case version: return
    case 0, 1: break
    case let other: throw StoreError.newer(version: other)
    }
    try database.inTransaction(.immediate) {
      // Another process may have been quicker.
      switch try Int.fetchOne(database, sql: "PRAGMA user_version") {
      case 0: try database.execute(sql: schema + batches)
      case 1: try database.execute(sql: batches)
      default: return .rollback
      }
      return .commit
    }
  }

  /// Texts and bodies in it hold markers in the place of secrets. Times are microseconds since 1970.
  private static let schema = """
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
    CREATE TABLE steps (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      path BLOB NOT NULL,
      attempt INTEGER NOT NULL,
      state INTEGER NOT NULL,
      dropped INTEGER NOT NULL DEFAULT 0,
      boot TEXT,
      label TEXT,
      number INTEGER,
      round INTEGER,
      effect INTEGER NOT NULL,
      started INTEGER NOT NULL,
      finished INTEGER,
      status INTEGER,
      is_presigned INTEGER NOT NULL DEFAULT 0,
      request TEXT NOT NULL,
      request_body BLOB,
      answer TEXT,
      answer_body BLOB,
      spooled TEXT,
      failure TEXT,
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
    """

  /// Since version 2.
  private static let batches = """

    -- Records of steps that may happen twice, written together: a StepBatch each. None of them is dropped.
    CREATE TABLE batches (
      batch INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      is_presigned INTEGER NOT NULL,
      records BLOB NOT NULL
    );
    CREATE INDEX batches_by_run ON batches (run);

    PRAGMA user_version = 2;
    """
}
