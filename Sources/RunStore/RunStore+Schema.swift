internal import GRDB

extension RunStore {
  /// Makes the tables of a new store.
  ///
  /// - Throws: `StoreError.format` when what is there has another format: later ones are not known here, and earlier
  ///   ones were never part of a release.
  static func createTables(_ database: Database, path: String) throws {
    let format = try version(of: database)
    if format == version { return }
    guard format == 0 else { throw StoreError.format(format, known: version, path: path) }
    try database.inTransaction(.immediate) {
      // Another process may have been quicker.
      guard try version(of: database) == 0 else { return .rollback }
      try database.execute(sql: schema)
      return .commit
    }
  }

  private static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
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

    PRAGMA user_version = \(version);
    """
}
