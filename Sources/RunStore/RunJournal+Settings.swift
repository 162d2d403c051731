internal import Crypto
internal import GRDB
internal import JSONValue
public import Requests
internal import Synchronization
internal import UploaderCore

// The values given to a run are recorded with it before its first statement. They may contain a secret that is declared
// later.

extension RunJournal {
  /// Puts markers in the place of the secrets that are known by now. What fails is tried again with the next secret, and
  /// at the end.
  func hideParameters() throws(StoreError) {
    let (markers, known) = state.withLock { ($0.concealment.markers, $0.parameters) }
    let parameters: JSON
    if let known {
      parameters = known
    } else {
      parameters = try storage.parameters()
    }
    let hidden = parameters.mapStrings(markers.conceal)
    if hidden != parameters {
      var changes = JournalChanges()
      changes.others = [.hidden(markers)]
      try storage.write(changes, .durable)
    }
    state.withLock { $0.parameters = hidden }
  }
}

extension RunJournal {
  /// Keeps a text with the run, besides those that it was begun with.
  public func keep(_ text: RunText) throws(StoreError) {
    let (markers, row) = (state.withLock { $0.concealment.markers }, row)
    let concealed = markers.conceal(text.text)
    let digest = SHA256.hash(data: Array(concealed.utf8)).hex
    try store.write(.durable) { database in
      let stored = try String.fetchOne(database, sql: RunStore.selectSetup, arguments: [row]) ?? "null"
      guard var setup = try JSON(stored: stored).object else { return }
      try RunStore.keep([(digest, concealed)], in: database)
      setup["texts"] = .array((setup["texts"]?.array ?? []) + [[.string(text.name), .string(digest)]])
      try database.execute(
        sql: "UPDATE runs SET setup = ? WHERE run = ?", arguments: [JSON.object(setup).text, row])
    }
  }
}

extension RunStore {
  static let selectSetup = "SELECT setup FROM runs WHERE run = ?"

  /// What a run is made from, as it is stored.
  func setup(ofRow row: Int64) throws(StoreError) -> String {
    try read { database in try String.fetchOne(database, sql: Self.selectSetup, arguments: [row]) } ?? "null"
  }
}
