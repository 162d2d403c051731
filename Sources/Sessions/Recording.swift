internal import Presentation
package import Requests
package import RunStore
internal import UploaderCore

/// Where a run of a script is recorded.
package struct Recording: Sendable {
  private enum Place: Sendable {
    case nowhere
    case standard
    case directory(String)
    case store(RunStore)
    case journal(RunJournal, setup: RunSetup, given: Set<String>)
    case queued(any OperationJournal)
    case replay(ReplayJournal)
  }

  private let place: Place
  /// The value of `--store`, for the commands that are suggested.
  private let directory: String?

  /// Nothing is recorded.
  package static let off = Recording(place: .nowhere, directory: nil)

  /// In the user's own store, if one can be created.
  package static let standard = Recording(place: .standard, directory: nil)

  /// In the store in this directory.
  package static func directory(_ path: String) -> Recording {
    Recording(place: .directory(path), directory: path)
  }

  /// In a store that is open already.
  ///
  /// - Parameter directory: where it is, if the user named it.
  package static func store(_ store: RunStore, directory: String?) -> Recording {
    Recording(place: .store(store), directory: directory)
  }

  /// Continues in the journal of a run that was begun before.
  ///
  /// - Parameters:
  ///   - setup: what it was made from until now.
  ///   - given: the settings given now, which become a part of that.
  package static func resuming(
    _ journal: RunJournal, of setup: RunSetup, given: Set<String>, directory: String?
  ) -> Recording {
    Recording(place: .journal(journal, setup: setup, given: given), directory: directory)
  }

  /// In the journal of an operation in the queue, which itself says how to continue.
  package static func queued(_ journal: any OperationJournal) -> Recording {
    Recording(place: .queued(journal), directory: nil)
  }

  /// Returns responses from a recording instead of sending.
  package static func replaying(_ journal: ReplayJournal) -> Recording {
    Recording(place: .replay(journal), directory: nil)
  }

  /// The recording that supplies the responses, if any.
  package var replay: ReplayJournal? {
    if case .replay(let journal) = place { journal } else { nil }
  }

  /// Whether it is one of several runs, perhaps in parallel.
  package var isQueued: Bool {
    if case .queued = place { true } else { false }
  }

  /// The command that continues the run; nil: its caller reports it.
  package func resumeCommand(_ journal: any OperationJournal) -> String? {
    if isQueued { return nil }
    return "workbench resume \(journal.id)\(storeOption)"
  }

  /// Whether nothing is recorded.
  package var isOff: Bool {
    if case .nowhere = place { true } else { false }
  }

  /// Begins to record.
  ///
  /// - Returns: nil if nothing is recorded. If the user named no store and the default one cannot be written, that is
  ///   reported but does not prevent the run.
  /// - Throws: `StoreError` when what should be recorded cannot be.
  package func begin(
    _ setup: RunSetup, secrets: Set<Secret>, in world: World, _ report: (RecordingNotice) -> Void
  ) throws(StoreError) -> (any OperationJournal)? {
    switch place {
    case .journal(let journal, var former, let given):
      if former.take(settings: given, from: setup) { try journal.change(former) }
      return journal
    case .queued(let journal): return journal
    case .nowhere, .replay, .directory, .store, .standard:
      return try withStore(world, report) { store throws(StoreError) in
        try store.begin(setup, secrets: secrets, clock: world.clock)
      }
    }
  }

  /// The store in which a run will be recorded; nil if none will be.
  package func store(in world: World, _ report: (RecordingNotice) -> Void) throws(StoreError) -> RunStore? {
    try withStore(world, report) { $0 }
  }

  private func withStore<Result>(
    _ world: World, _ report: (RecordingNotice) -> Void, _ body: (RunStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    switch place {
    case .nowhere, .journal, .queued, .replay: return nil
    case .directory(let path): return try body(try RunStore(at: path, endsWithProcess: world.endsWithProcess))
    case .store(let store): return try body(store)
    case .standard:
      guard let path = RunStore.defaultPath(world.environment) else { return nil }
      do throws(StoreError) {
        return try body(try RunStore(at: path, endsWithProcess: world.endsWithProcess))
      } catch {
        guard error.isLackOfPlace else { throw error }
        report(.impossible(error))
        return nil
      }
    }
  }

  /// The value of `--store`, as an option of a suggested command.
  package var storeOption: String { directory.map { " --store \(ShellQuoting.quoted($0))" } ?? "" }
}
