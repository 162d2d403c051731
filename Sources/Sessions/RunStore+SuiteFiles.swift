package import RunStore

extension RunStore {
  /// The runs of a suite's files in the order of the files; of several attempts at one, the last.
  package func files(of suite: RecordedRun) throws(StoreError) -> [(index: Int, run: RecordedRun)] {
    var latest: [Int: RecordedRun] = [:]
    for (number, member) in try members(of: suite).enumerated() {
      latest[try setup(of: member).script.index ?? number] = member
    }
    return latest.sorted { $0.key < $1.key }.map { (index: $0.key, run: $0.value) }
  }

  /// Why the run has no script of its own to go on with: it is a suite.
  package func refusalOfSuite(_ run: RecordedRun) throws(StoreError) -> RunRefusal? {
    guard run.kind == RunSetup.suiteKind else { return nil }
    return .suite(run: run.id, resumable: try files(of: run).map(\.run).filter(\.isResumable).map(\.id))
  }
}
