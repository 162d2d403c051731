internal import GRDB
internal import JSONValue
internal import Requests
internal import Synchronization
internal import UploaderCore

// The values given to a run are recorded with it before its first statement. They may contain a secret that is declared
// later.

extension RunJournal {
  /// Replaces the secrets that are known by now with markers. A failure is tried again with the next secret, and at the
  /// end.
  func hideSettings() throws(StoreError) {
    let markers = state.withLock { $0.settingsMayBeRaw ? $0.concealment.markers : nil }
    guard let markers else { return }
    let (isEmpty, isRaw) =
      try store.settings(ofRow: row).map { settings in
        (settings.isEmpty, settings.contains { markers.conceal($0) != $0 })
      } ?? (true, false)
    if isEmpty { state.withLock { $0.settingsMayBeRaw = false } }
    guard isRaw else { return }
    try store.write(.durable) { [row] database in try RunStore.hideSettings(ofRow: row, markers, in: database) }
    store.truncateLog()
  }
}

extension RunStore {
  /// The texts that a run was given from outside; nil: there can be none.
  fileprivate func settings(ofRow row: Int64) throws(StoreError) -> [String]? {
    let text = try read { database in
      try String.fetchOne(database, sql: "SELECT setup FROM runs WHERE run = ?", arguments: [row])
    }
    guard let text else { return nil }
    return try JSON(stored: text)["parameters"]?["settings"]?.object?.members.compactMap(\.value.string)
  }

  fileprivate static func hideSettings(ofRow row: Int64, _ markers: SecretMarkers, in database: Database) throws {
    guard
      let text = try String.fetchOne(database, sql: "SELECT setup FROM runs WHERE run = ?", arguments: [row]),
      var setup = try JSON(stored: text).object, var parameters = setup["parameters"]?.object,
      let settings = parameters["settings"]
    else { return }
    parameters["settings"] = settings.mapStrings(markers.conceal)
    setup["parameters"] = .object(parameters)
    try database.execute(
      sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [JSON.object(setup).text, row])
  }
}
