// Recorded runs: what was asked for, sent and received, so that a run continues where it stopped. This module knows
// SQLite and files. It knows neither script text nor the network: it is a journal that an uploader writes to.

internal import GRDB
internal import Requests
internal import Synchronization
internal import UploaderCore

/// The store of recorded runs: an SQLite database, a spool of large bodies, and the locks of the processes that use it.
///
/// Several processes may use one store. Nothing in it is a declared secret's value.
public final class RunStore: Sendable {
  /// The format of the store, kept as SQLite's `user_version`. It increases when an earlier program could not read what
  /// this one writes: a field that is added to a record does not increase it.
  static let format = 6

  let directory: StoreDirectory
  let spool: Spool
  private let database: DatabaseQueue
  /// It outlives the connection that updates it.
  let log = LogLength()
  private let owner = Mutex<OwnerLock?>(nil)
  /// What is removed from the files for several runs together; nil: for each run when it is done.
  let pending = Mutex<PendingExpunge?>(nil)
  private let endsWithProcess: Bool

  /// Opens the store in a directory, which is created if it does not exist.
  ///
  /// - Parameter endsWithProcess: whether the process ends when the store is no longer needed: then SQLite's log may be
  ///   left to the next process that opens the store.
  /// - Throws: `StoreError`.
  public init(at path: String, endsWithProcess: Bool = false) throws(StoreError) {
    self.endsWithProcess = endsWithProcess
    // A directory of that name would have the address in it, and whatever password is in that.
    if path.contains("://") { throw .address("a directory, or for workbench queue also postgres://user@host/database") }
    directory = try StoreDirectory(path)
    spool = Spool(directory: try StoreDirectory("\(path)/spool"))
    // SQLite gives its other files the mode of the database.
    try directory.secure("runs.sqlite")
    for name in ["runs.sqlite-wal", "runs.sqlite-shm"] { try directory.refuseLink(name) }
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(20)
      configuration.observesSuspensionNotifications = false
      let log = log
      configuration.prepareDatabase { log.follow($0) }
      database = try DatabaseQueue(path: "\(path)/runs.sqlite", configuration: configuration)
      try database.inDatabase { database in
        // The library's own way to set it writes to the store each time.
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw StoreError.database("SQLite does not keep a log of its changes here")
        }
        // A library may set it lower when it opens a database: what counts is the value read back.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
          throw StoreError.database("SQLite does not make commits durable here")
        }
        try database.execute(sql: "PRAGMA secure_delete = ON")
      }
      try Self.migrate(database, path: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error)
    }
  }

  deinit {
    // What is in the log is on the disk. To move it into the database and to remove it waits for the disk several times
    // more, and a connection that is closed does both. A long log would take the next process as long to read.
    guard endsWithProcess, log.count <= LogLength.short else { return }
    _ = Unmanaged.passRetained(database)
    _ = Unmanaged.passRetained(log)
  }

  /// Where the store is by default: `$XDG_STATE_HOME/workbench`, otherwise `~/.local/state/workbench`; nil without a
  /// home.
  public static func defaultPath(_ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/workbench" }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.local/state/workbench" }
  }

  /// Changes the store, in one transaction.
  func write<Result>(_ durability: JournalDurability, _ change: (Database) throws -> Result) throws(StoreError)
    -> Result
  {
    do {
      return try database.inDatabase { database in
        switch durability {
        case .durable:
          return try Self.inTransaction(database, change)
        case .relaxed:
          try database.execute(sql: "PRAGMA synchronous = NORMAL")
          let result = Swift.Result { try Self.inTransaction(database, change) }
          // Whatever the result, the next change is durable unless it says otherwise.
          try database.execute(sql: "PRAGMA synchronous = FULL")
          return try result.get()
        }
      }
    } catch {
      throw StoreError(error)
    }
  }

  func read<Result>(_ look: (Database) throws -> Result) throws(StoreError) -> Result {
    do {
      return try database.inDatabase { database in
        var result: Result?
        try database.inTransaction(.deferred) {
          result = try look(database)
          return .commit
        }
        guard let result else { throw StoreError.damaged("a transaction without a result") }
        return result
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Empties SQLite's log, which keeps deleted data longer, unless another process is reading it.
  func truncateLog() {
    try? database.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Writes the whole file again, so that nothing is left in it of what was deleted, unless another process is writing.
  func writeAnew() {
    try? database.vacuum()
    truncateLog()
  }

  private static func inTransaction<Result>(
    _ database: Database, _ change: (Database) throws -> Result
  ) throws -> Result {
    var result: Result?
    try database.inTransaction(.immediate) {
      result = try change(database)
      return .commit
    }
    guard let result else { throw StoreError.damaged("a transaction without a result") }
    return result
  }

  /// This process as the owner of what it works on.
  func ownerName() throws(StoreError) -> String { try ownerLock().name }

  private func ownerLock() throws(StoreError) -> OwnerLock {
    let directory = directory
    let made: Swift.Result<OwnerLock, StoreError> = owner.withLock { owner in
      if let owner { return .success(owner) }
      do throws(StoreError) {
        OwnerLock.removeDead(in: directory, now: UploadClock.system.now())
        let lock = try OwnerLock(in: directory, name: OwnerLock.newName())
        owner = lock
        return .success(lock)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }

  func holdReserve() throws(StoreError) { try ownerLock().holdReserve() }

  func releaseReserve() { owner.withLock { $0 }?.releaseReserve() }

  func isOwnedByMe(_ name: String) -> Bool { name == owner.withLock { $0?.name } }

  /// Whether the process that began this is still working on it; this process does not count.
  func isOwnedByAnother(_ name: String?) -> Bool {
    guard let name, name != owner.withLock({ $0?.name }) else { return false }
    return OwnerLock.isAlive(name, in: directory)
  }
}

extension StoreError {
  init(_ error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL: self = .database("the disk is full")
    case let error as DatabaseError: self = .database(error.message ?? error.resultCode.description)
    default: self = .database("\(error)")
    }
  }
}
