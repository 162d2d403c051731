internal import Essentials
internal import GRDB
internal import GRDBSQLite
internal import Requests
internal import UploaderCore

/// What a run needs to continue but nobody needs when it is done: presigned URLs and forms, and the cookies of a
/// session.
package struct DroppedValues: Sendable {
  /// The steps that contain any of it, with it removed.
  var steps: [(step: RecordedStep, body: Spool.Entry?)] = []
  /// Bodies in the spool that contain any of it.
  var bodies: Set<String> = []
  /// The cookies and fields of forms among it.
  var texts: Set<[UInt8]> = []

  package init() {}
}

extension RunStore {
  /// Finds what a finished run no longer needs, and makes its records and bodies without it.
  func dropping(from run: Int64) throws(StoreError) -> DroppedValues {
    // Whether a body in the spool contains any of it is found out here: nobody looked when it was written.
    let marked = try recordedSteps("run = ? AND (is_presigned = 1 OR spooled IS NOT NULL)", run)
    guard !marked.isEmpty else { return DroppedValues() }
    // A cookie or the field of a form is sent to the server, and any response may repeat it.
    let sent = RecordedStep.cookieSecrets(in: marked.map(\.step)).union(PresignedText.fields(in: marked.map(\.step)))
    let masks = sent.isEmpty ? nil : SecretMarkers(masking: sent)
    var dropped = DroppedValues()
    dropped.texts = Set(sent.map { $0.withExposedText { Array($0.utf8) } })
    for (step, digest) in sent.isEmpty ? marked : try recordedSteps("run = ?", run) {
      let changed = PresignedText.dropped(
        from: masks.map { masks in step.mappingTexts { bytes, _ in masks.conceal(bytes) } } ?? step)
      var body: Spool.Entry?
      let isSigned = digest != nil && step.response.map { PresignedText.isIn($0.body) } == true
      if let digest, let original = step.response?.body, isSigned || masks != nil {
        let entry = try spool.keep(original, masks, withoutSignatures: isSigned)
        if entry.digest != digest {
          body = entry
          dropped.bodies.insert(digest)
        }
      }
      if changed != step || body != nil { dropped.steps.append((changed, body)) }
    }
    return dropped
  }

  private func recordedSteps(
    _ condition: String, _ run: Int64
  ) throws(StoreError) -> [(step: RecordedStep, digest: String?)] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM steps WHERE \(condition)", arguments: [run])
    }
    return try rows.map { row throws(StoreError) in (try RecordedStep(row, spool), row["spooled"]) }
  }

  /// Writes the records without what was dropped.
  static func put(_ dropped: DroppedValues, run: Int64, in database: Database) throws {
    for (step, body) in dropped.steps {
      let isSpooled = (step.response?.body.count ?? 0) > inlineLimit
      try database.execute(
        sql: """
          UPDATE steps SET is_presigned = 0, record = ?, spooled = COALESCE(?, spooled)
          WHERE run = ? AND path = ? AND attempt = ?
          """,
        arguments: [
          try step.record(isSpooled: isSpooled), body?.digest, run, step.position.key, step.attempt,
        ])
      if let body { try keep(body, run: run, in: database) }
    }
    for digest in dropped.bodies {
      try database.execute(sql: "DELETE FROM spool WHERE digest = ? AND run = ?", arguments: [digest, run])
    }
  }

  /// Notes that the run needs that body.
  static func keep(_ body: Spool.Entry, run: Int64, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR IGNORE INTO spool (digest, run, size) VALUES (?, ?, ?)",
      arguments: [body.digest, run, body.size])
  }

  /// What was changed is also removed from the files: from those of the spool that no run needs, and from SQLite's log.
  ///
  /// - Parameter salt: of the log when the run began; nil: it began earlier.
  func expunge(_ dropped: DroppedValues, since salt: [UInt8]?) throws(StoreError) {
    guard !dropped.steps.isEmpty else { return }
    let needed = try read { database in
      Set(
        try dropped.bodies.filter {
          try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM spool WHERE digest = ?)", arguments: [$0])
            ?? true
        })
    }
    for digest in dropped.bodies.subtracting(needed) { spool.remove(digest) }
    if try isExpungedLater(dropped.texts) { return }
    expunge(dropped.texts, since: salt)
  }

  /// Empties SQLite's log, and writes the database again if one of the texts is still in it.
  func expunge(_ texts: Set<[UInt8]>, since salt: [UInt8]?) {
    let places = changedPlaces(since: salt)
    truncateLog()
    if holdsCopies(of: texts, in: places) { writeAnew() }
  }

  /// Whether one of the texts is still in the database's file: SQLite overwrites what it deletes, but not what it
  /// leaves behind when it splits a page. Larger files are not searched.
  ///
  /// - Parameter places: where it can be; nil: anywhere.
  private func holdsCopies(of texts: Set<[UInt8]>, in places: [Range<Int64>]?) -> Bool {
    if texts.isEmpty { return false }
    let search = ByteSearch(texts)
    return (try? read { Self.holds(search, in: places, $0) }) ?? false
  }

  /// The places in the database's file that were changed since the log had this salt; nil: it was begun again since,
  /// and does not list all of them.
  private func changedPlaces(since salt: [UInt8]?) -> [Range<Int64>]? {
    guard let salt, let log = SQLiteLog(of: directory), log.salt == salt else { return nil }
    let size = log.pageSize
    return log.pages.map { Int64(($0 - 1) * size)..<Int64($0 * size) }
  }

  /// Reads by SQLite's own descriptor: closing another one of the file would end the locks of this process.
  private static func holds(_ search: ByteSearch, in places: [Range<Int64>]?, _ database: Database) -> Bool {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer) == SQLITE_OK,
      let pointer, let methods = pointer.pointee.pMethods, let read = methods.pointee.xRead,
      let measure = methods.pointee.xFileSize
    else { return false }
    var size: Int64 = 0
    guard measure(pointer, &size) == SQLITE_OK, places != nil || size <= 1 << 28 else { return false }
    // No text goes on in the next page of the file.
    let all = places ?? stride(from: 0, to: size, by: 1 << 16).map { $0..<$0 + 1 << 16 }
    return all.map { $0.clamped(to: 0..<size) }.contains { place in
      var chunk = [UInt8](repeating: 0, count: place.count)
      return read(pointer, &chunk, Int32(chunk.count), place.lowerBound) == SQLITE_OK
        && search.firstMatch(in: chunk, from: 0) != nil
    }
  }
}
