internal import GRDB
internal import GRDBSQLite
internal import POSIX
internal import Requests
internal import Synchronization

// Space that is reserved before a request is sent, so that its outcome can be written even if the disk is full by then.
// There are two reserves: SQLite's log is made longer than it has to be, and overwriting existing bytes of a file takes
// no space; and the owner's lock is a file with some content that can be released, for file systems on which
// overwriting does take space.

/// How much of SQLite's log is in use, in frames: one per page.
final class LogLength: Sendable {
  /// As many as several short runs write.
  static let short = 64

  private let frames = Atomic<Int>(0)

  var count: Int { frames.load(ordering: .relaxed) }

  /// Is notified of every commit on the connection. It also does what SQLite's own hook would do: it moves the contents
  /// of the log into the database when they reach a thousand pages.
  ///
  /// The connection must not outlive this.
  func follow(_ database: Database) {
    sqlite3_wal_hook(
      database.sqliteConnection,
      { context, connection, name, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().frames.store(Int(frames), ordering: .relaxed)
        // A failure here is tried again with the next commit.
        if frames >= 1_000 { sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension RunStore {
  /// The size of a page in SQLite's log, with its header.
  private static let frameSize = 4_096 + 24

  /// Makes sure that a step's outcome can be written. To be called while a change is made to the store: nobody else
  /// writes to the log then.
  ///
  /// - Parameter size: of the request's body in the record, in bytes; it is written again with the outcome.
  /// - Throws: `StoreError` when there is no space for it: then nothing must be sent.
  func reserveOutcome(_ size: Int) throws(StoreError) {
    try holdReserve()
    let frames = log.count + 64 + 5 * (size / 4_000)
    let needed = 32 + frames * Self.frameSize
    let path = "\(directory.path)/runs.sqlite-wal"
    var status = stat()
    if lstat(path, &status) == 0, status.st_size >= needed { return }
    let descriptor = try directory.open("runs.sqlite-wal", flags: O_WRONLY | O_CREAT)
    defer { close(descriptor) }
    // SQLite ignores anything after the last frame.
    try Self.allocate(descriptor, needed + 256 * Self.frameSize, path: path)
  }

  /// Makes the file at least this long, in bytes, and allocates the space for it.
  static func allocate(_ descriptor: Int32, _ size: Int, path: String) throws(StoreError) {
    #if canImport(Glibc)
      var number = EINTR
      while number == EINTR { number = posix_fallocate(descriptor, 0, off_t(size)) }
    #else
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(size),
        fst_bytesalloc: 0)
      let number = fcntl(descriptor, F_PREALLOCATE, &store) == 0 ? 0 : errno
    #endif
    // Some file systems have no way to guarantee space.
    guard number == 0 || number == EOPNOTSUPP || number == EINVAL else {
      throw .unusable(path: path, reason: SystemError(number: number))
    }
  }
}
