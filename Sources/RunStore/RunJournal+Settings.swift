internal import GRDB
internal import JSONValue
internal import Requests
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

extension RunStore {
  static let selectSetup = "SELECT setup FROM runs WHERE run = ?"

  /// What a run is made from, as it is stored.
  func setup(ofRow row: Int64) throws(StoreError) -> String {
    try read { database in try String.fetchOne(database, sql: Self.selectSetup, arguments: [row]) } ?? "null"
  }
}
