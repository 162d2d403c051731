internal import Crypto
internal import Essentials
internal import GRDB
internal import JSONValue
package import Requests
internal import Synchronization
package import UploaderCore

// What a run has come to, as texts that another store can keep: an operation goes on wherever it is taken up.

extension RunSetup {
  /// As one text, with markers in place of secrets.
  package func stored(hiding secrets: Set<Secret>) -> String {
    let markers = SecretMarkers(secrets)
    let json: JSON = [
      "parameters": parameters.mapStrings(markers.conceal),
      "texts": .array(texts.map { [.string($0.name), .string(markers.conceal($0.text))] }),
    ]
    return json.text
  }

  package init(stored text: String, kind: String, name: String) throws(StoreError) {
    let json = try JSON(stored: text)
    let texts = (json["texts"]?.array ?? []).compactMap { entry in
      entry[0]?.string.flatMap { name in entry[1]?.string.map { RunText(name: name, text: $0) } }
    }
    self.init(kind: kind, name: name, parameters: json["parameters"] ?? .null, texts: texts)
  }
}

extension RunStore {
  /// Makes a run of what another store kept.
  package func takeUp(
    _ setup: RunSetup, records: [String: String], clock: UploadClock
  ) throws(StoreError) -> RunJournal {
    let journal = try begin(setup, clock: clock)
    guard !records.isEmpty else { return journal }
    try write(.relaxed) { database in
      for (place, record) in records.sorted(by: { $0.key < $1.key }) {
        guard let json = try? JSON(stored: record), var fields = json.array else {
          throw StoreError.damaged("a record")
        }
        if place.hasPrefix("s/"), fields.count == 6, let digest = fields[5].string, (try? spool.body(digest)) == nil {
          fields = try Self.withoutBody(fields)
        }
        try Self.put(place.split(separator: "/").map(String.init), fields, run: journal.row, in: database)
      }
    }
    return try resumed(journal.row, id: journal.id, options: ResumeOptions(), clock: clock)
  }

  /// A step whose body was too large to be kept for others.
  private static func withoutBody(_ fields: [JSON]) throws -> [JSON] {
    guard let bytes = fields[4].string.flatMap({ Data(hex: $0) }) else { throw StoreError.damaged("a record") }
    var reader = try RecordReader([UInt8](bytes))
    var step = try reader.next(as: RecordedStep.self)
    let lost = step.response?.lostBody ?? 1
    step.response?.lostBody = max(1, lost)
    step.response?.body = ResponseBody([])
    return [fields[0], fields[1], fields[2], fields[3], .string(try step.record(isSpooled: true).hexText), .null]
  }

  /// The large bodies that these records need, by digest.
  package static func largeBodies(in records: some Sequence<(key: String, value: String)>) -> [String] {
    records.compactMap { place, record in
      place.hasPrefix("s/") ? (try? JSON(stored: record))?[5]?.string : nil
    }
  }

  package func largeBody(_ digest: String) throws(StoreError) -> ResponseBody { try spool.body(digest) }

  /// Keeps a large body that another store has.
  package func keepLargeBody(_ pieces: [[UInt8]]) throws(StoreError) {
    do {
      _ = try spool.keep { write in for piece in pieces { try write(piece) } }
    } catch {
      throw StoreError(error)
    }
  }

  private static func put(_ place: [String], _ fields: [JSON], run: Int64, in database: Database) throws {
    func data(_ text: String?) -> Data? { text.flatMap { Data(hex: $0) } }
    switch (place.first, place.count, fields.count) {
    case ("s", 3, 6):
      try database.execute(
        sql: """
          INSERT INTO steps (run, path, attempt, state, dropped, boot, is_presigned, record, spooled)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          run, data(place[1]), Int(place[2]), fields[0].int, fields[1].int, fields[2].string, fields[3].bool,
          data(fields[4].string), fields[5].string,
        ])
    case ("m", 2, 2):
      try database.execute(
        sql: "INSERT INTO moments (run, path, time, seed) VALUES (?, ?, ?, ?)",
        arguments: [run, data(place[1]), fields[0].int, data(fields[1].string)])
    case ("b", 2, 2):
      try database.execute(
        sql: "INSERT INTO batches (run, is_presigned, records) VALUES (?, ?, ?)",
        arguments: [run, fields[0].bool, data(fields[1].string)])
    default: throw StoreError.damaged("a record")
    }
  }

  /// What a run has come to so far, by where it is in it.
  package func records(of journal: RunJournal) throws(StoreError) -> [String: String] {
    let run = journal.row
    return try read { database in
      var records: [String: String] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT * FROM steps WHERE run = ?", arguments: [run]) {
        let fields: JSON = [
          ^(row["state"] as Int), ^(row["dropped"] as Int), (row["boot"] as String?).map(JSON.string) ?? .null,
          .bool(row["is_presigned"]), .string((row["record"] as Data).hexText),
          (row["spooled"] as String?).map(JSON.string) ?? .null,
        ]
        records["s/\((row["path"] as Data).hexText)/\(row["attempt"] as Int)"] = fields.text
      }
      for row in try Row.fetchAll(database, sql: "SELECT * FROM moments WHERE run = ?", arguments: [run]) {
        let fields: JSON = [^(row["time"] as Int), .string((row["seed"] as Data).hexText)]
        records["m/\((row["path"] as Data).hexText)"] = fields.text
      }
      for row in try Row.fetchAll(
        database, sql: "SELECT * FROM batches WHERE run = ? ORDER BY batch", arguments: [run])
      {
        let fields: JSON = [.bool(row["is_presigned"]), .string((row["records"] as Data).hexText)]
        records["b/\(row["batch"] as Int)"] = fields.text
      }
      return records
    }
  }

  /// Removes a run that somebody else keeps.
  package func forget(_ journal: RunJournal) {
    try? write(.relaxed) { database in
      for table in ["steps", "batches", "moments", "spool", "runs"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE run = ?", arguments: [journal.row])
      }
    }
  }
}

extension RunJournal {
  /// A text without the secrets that are known by now.
  package func concealed(_ text: String) -> String { state.withLock { $0.concealment.text(text) } }
}

extension Data {
  fileprivate var hexText: String { [UInt8](self).map { $0.hex(2) }.joined() }

  fileprivate init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x57
      default: nil
      }
    }
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }
}
