internal import Formats
internal import JSONValue
internal import Presentation
internal import RunStore
internal import Sessions
internal import Synchronization
internal import UploaderCore

/// A suite in the store: a run of its own, which the runs of its files name.
final class SuiteRecord: Sendable {
  let id: String
  /// Where the runs of its files are recorded.
  let recording: Recording
  private let journal: RunJournal
  private let store: RunStore
  private let told = Mutex(ToldLines())

  /// Removes what exceeds the retention, and begins to record.
  ///
  /// - Returns: nil if nothing is recorded.
  init?(
    _ recording: Recording, directory: String?, name: String, entries: [SuiteEntry], total: Int, in world: World,
    _ errors: ErrorPrinter
  ) throws(StoreError) {
    guard let store = try recording.store(in: world, { errors.note($0.sentence) }) else { return nil }
    let removed = try store.pruneSuites(.standard, now: world.clock.now())
    if removed > 0 {
      errors.note("\(removed) \(removed == 1 ? "run" : "runs") of earlier suites removed: see workbench test --help")
    }
    journal = try store.begin(
      RunSetup(
        kind: RunSetup.suiteKind, name: name,
        parameters: ["files": ^total, "paths": .array(entries.map { [^$0.index, .string($0.file.path)] })]),
      clock: world.clock)
    id = journal.id
    self.recording = .store(store, directory: directory)
    self.store = store
    try store.beginExpungingTogether()
  }

  /// Remembers what only the run itself knows, until the end.
  func note(_ line: ReportLine) { told.withLock { $0.note(line) } }

  /// - Parameter last: the last line of the suite's reports.
  func end(_ code: ExitCode, failed: Int, _ last: ReportLine, _ errors: ErrorPrinter) {
    store.expungeNow()
    do throws(StoreError) {
      let text = told.withLock { told in
        told.note(last)
        return told.text
      }
      try store.keep(text, ofRun: id)
      try journal.end(
        failure: code == .success
          ? nil : code == .interrupted ? "interrupted" : "\(failed) \(failed == 1 ? "file" : "files") failed")
    } catch {
      errors.note(RecordingNotice.endMissing(error).sentence)
    }
  }
}
