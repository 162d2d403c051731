internal import JSONValue
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

  /// How many files a suite has; nil: the run is none.
  package func fileCount(of run: RecordedRun) throws(StoreError) -> Int? {
    run.kind == RunSetup.suiteKind ? try setup(of: run).parameters["files"]?.int : nil
  }

  /// Why the run has no script of its own: it is a suite.
  ///
  /// - Parameters:
  ///   - command: what was to be done with it.
  ///   - step: the argument that names a step; empty: none does.
  ///   - isMeant: whether the run of a file can be meant; by default each can.
  package func refusalOfSuite(
    _ run: RecordedRun, of command: String, step: String = "",
    among isMeant: (RecordedRun) throws(StoreError) -> Bool = { _ in true }
  ) throws(StoreError) -> RunRefusal? {
    guard run.kind == RunSetup.suiteKind else { return nil }
    var commands: [String] = []
    for file in try files(of: run).map(\.run) where try isMeant(file) {
      commands.append("workbench \(command) \(file.id)\(step.isEmpty ? "" : " \(step)")    \(file.name)")
    }
    return .suite(run: run.id, commands: commands)
  }
}
