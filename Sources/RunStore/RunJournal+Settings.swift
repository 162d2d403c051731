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
    let settings = try store.settings(ofRow: row)
    if settings.isEmpty { state.withLock { $0.settingsMayBeRaw = false } }
    guard settings.contains(where: { $0.mapStrings(markers.conceal) != $0 }) else { return }
    try store.write(.durable) { [row] database in try RunStore.hideSettings(ofRow: row, markers, in: database) }
    store.truncateLog()
  }
}

extension RunStore {
  /// What a run was given from outside, at its beginning and in the debugger.
  private static let settingNames = ["settings", "set", "set-values"]

  fileprivate func settings(ofRow row: Int64) throws(StoreError) -> [JSON] {
    let text = try read { database in
      try String.fetchOne(database, sql: "SELECT setup FROM runs WHERE run = ?", arguments: [row])
    }
    guard let text, let parameters = try JSON(stored: text)["parameters"]?.object else { return [] }
    return Self.settingNames.compactMap { parameters[$0] }.filter { $0.object?.members.isEmpty == false }
  }

  fileprivate static func hideSettings(ofRow row: Int64, _ markers: SecretMarkers, in database: Database) throws {
    guard
      let text = try String.fetchOne(database, sql: "SELECT setup FROM runs WHERE run = ?", arguments: [row]),
      var setup = try JSON(stored: text).object, var parameters = setup["parameters"]?.object
    else { return }
    for name in settingNames { parameters[name] = parameters[name]?.mapStrings(markers.conceal) }
    setup["parameters"] = .object(parameters)
    try database.execute(
      sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [JSON.object(setup).text, row])
  }
}
