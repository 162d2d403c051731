internal import GRDB
internal import Requests
internal import UploaderCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a run needs to continue but nobody needs when it is done: presigned URLs and forms, and the cookies of a
/// session.
struct DroppedValues {
  /// The steps that contain any of it, with it removed.
  var steps: [(step: RecordedStep, body: Spool.Entry?)] = []
  /// Bodies in the spool that contain any of it.
  var bodies: Set<String> = []
}

extension RunStore {
  /// Finds what a finished run no longer needs, and makes its records and bodies without it.
  func dropping(from run: Int64) throws(StoreError) -> DroppedValues {
    let marked = try recordedSteps("run = ? AND is_presigned = 1", run)
    guard !marked.isEmpty else { return DroppedValues() }
    let cookies = RecordedStep.cookieSecrets(in: marked.map(\.step))
    let masks = SecretMarkers(masking: cookies)
    var dropped = DroppedValues()
    // A cookie is sent back to the server with later requests, and any response may repeat it.
    for (step, digest) in cookies.isEmpty ? marked : try recordedSteps("run = ?", run) {
      let changed = PresignedText.dropped(
        from: cookies.isEmpty ? step : step.mappingTexts { bytes, _ in masks.conceal(bytes) })
      var body: Spool.Entry?
      if let digest, !cookies.isEmpty, let original = step.response?.body {
        let entry = try spool(original, masks)
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

  /// Puts a body into the spool, with `markers` in place of secrets.
  func spool(_ body: ResponseBody, _ markers: SecretMarkers) throws(StoreError) -> Spool.Entry {
    do {
      return try spool.keep { write in
        var stream = markers.stream()
        try body.forEachChunk { chunk in try write(stream.conceal(chunk)) }
        try write(stream.finish())
      }
    } catch {
      throw StoreError(error)
    }
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
  func expunge(_ dropped: DroppedValues) throws(StoreError) {
    guard !dropped.steps.isEmpty else { return }
    let needed = try read { database in
      Set(
        try dropped.bodies.filter {
          try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM spool WHERE digest = ?)", arguments: [$0])
            ?? true
        })
    }
    for digest in dropped.bodies.subtracting(needed) { spool.remove(digest) }
    truncateLog()
  }
}
