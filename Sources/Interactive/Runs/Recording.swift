internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
internal import UploaderCore

/// Where a run of a script is recorded.
public struct Recording: Sendable {
  private enum Place: Sendable {
    case nowhere
    case standard
    case directory(String)
    case journal(RunJournal)
    case queued(RunJournal)
    case replay(ReplayJournal)
  }

  private let place: Place
  /// What `--store` said, for the commands that are offered.
  private let directory: String?

  /// Nothing is recorded.
  public static let off = Recording(place: .nowhere, directory: nil)

  /// In the user's own store, if there can be one.
  public static let standard = Recording(place: .standard, directory: nil)

  /// In the store in this directory.
  public static func directory(_ path: String) -> Recording {
    Recording(place: .directory(path), directory: path)
  }

  /// Goes on in the journal of a run that was begun before.
  static func resuming(_ journal: RunJournal, directory: String?) -> Recording {
    Recording(place: .journal(journal), directory: directory)
  }

  /// In the journal of an operation of the queue, which says itself how to go on.
  static func queued(_ journal: RunJournal) -> Recording {
    Recording(place: .queued(journal), directory: nil)
  }

  /// Answers from a recording instead of sending.
  static func replaying(_ journal: ReplayJournal) -> Recording {
    Recording(place: .replay(journal), directory: nil)
  }

  /// The recording that answers, if one does.
  var replay: ReplayJournal? {
    if case .replay(let journal) = place { journal } else { nil }
  }

  /// Whether it is one of several runs, perhaps at once.
  var isQueued: Bool {
    if case .queued = place { true } else { false }
  }

  /// The command that goes on with the run; nil: whoever began it says so.
  func resumeCommand(_ journal: RunJournal) -> String? {
    if isQueued { return nil }
    return "workbench resume \(journal.id)\(storeOption)"
  }

  /// Whether nothing is recorded.
  var isOff: Bool {
    if case .nowhere = place { true } else { false }
  }

  /// Begins to record.
  ///
  /// - Returns: nil if nothing is recorded. Where the user asked for no place and has none that can be written, that
  ///   is said and no reason not to run.
  /// - Throws: `StoreError` when what is to be recorded can not be.
  func begin(_ setup: RunSetup, secrets: Set<Secret>, in world: World, _ errors: ErrorPrinter) throws(StoreError)
    -> RunJournal?
  {
    switch place {
    case .journal(let journal), .queued(let journal): return journal
    case .nowhere, .replay, .directory, .standard:
      return try withStore(world, errors) { store throws(StoreError) in
        try store.begin(setup, secrets: secrets, clock: world.clock)
      }
    }
  }

  /// The store in which a run will be recorded; nil if none will be.
  func store(in world: World, _ errors: ErrorPrinter) throws(StoreError) -> RunStore? {
    try withStore(world, errors) { $0 }
  }

  private func withStore<Result>(
    _ world: World, _ errors: ErrorPrinter, _ body: (RunStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    switch place {
    case .nowhere, .journal, .queued, .replay: return nil
    case .directory(let path): return try body(try RunStore(at: path))
    case .standard:
      guard let path = RunStore.defaultPath(world.environment) else { return nil }
      do throws(StoreError) {
        return try body(try RunStore(at: path))
      } catch {
        guard error.isLackOfPlace else { throw error }
        errors.note("this run is not recorded: \(error)")
        return nil
      }
    }
  }

  /// What `--store` said, as an option of a command that is offered.
  var storeOption: String { directory.map { " --store \(ShellWords.quoted($0))" } ?? "" }
}

extension RunSetup {
  /// A script's run.
  init(_ script: ScriptFile, sequence: String?, settings: [String: String], keepsGoing: Bool, workingDirectory: String)
  {
    var parameters: JSONObject = ["directory": .string(workingDirectory), "settings": ^settings]
    if script.isFile { parameters["file"] = .string(Self.absolute(script.source.name, in: workingDirectory)) }
    parameters["sequence"] = sequence.map(JSON.string)
    if keepsGoing { parameters["keeps-going"] = true }
    self.init(
      kind: "script", name: sequence.map { "\(script.source.name) \($0)" } ?? script.source.name,
      parameters: .object(parameters),
      texts: [RunText(name: script.source.name, text: script.source[script.source.range])])
  }

  /// The kind of the runs that somebody made in the debugger.
  static let debuggedKind = "debug"

  /// Whether a script can be run again from it.
  var isScript: Bool { kind == "script" || kind == Self.debuggedKind }

  static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }
}
