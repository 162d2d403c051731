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
    return "workbench resume \(journal.id)" + (directory.map { " --store \(ShellWords.quoted($0))" } ?? "")
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
    case .nowhere, .replay: return nil
    case .journal(let journal), .queued(let journal): return journal
    case .directory(let path): return try RunStore(at: path).begin(setup, secrets: secrets, clock: world.clock)
    case .standard:
      guard let path = RunStore.defaultPath(world.environment) else { return nil }
      do throws(StoreError) {
        return try RunStore(at: path).begin(setup, secrets: secrets, clock: world.clock)
      } catch {
        guard error.isLackOfPlace else { throw error }
        errors.note("this run is not recorded: \(error)")
        return nil
      }
    }
  }
}

extension RunSetup {
  /// A script's run.
  init(_ script: ScriptFile, sequence: String?, settings: [String: String], keepsGoing: Bool, workingDirectory: String)
  {
    let isFile = script.source.name != "<stdin>"
    var parameters: JSONObject = ["directory": .string(workingDirectory), "settings": ^settings]
    if isFile { parameters["file"] = .string(Self.absolute(script.source.name, in: workingDirectory)) }
    parameters["sequence"] = sequence.map(JSON.string)
    if keepsGoing { parameters["keeps-going"] = true }
    self.init(
      kind: "script", name: sequence.map { "\(script.source.name) \($0)" } ?? script.source.name,
      parameters: .object(parameters),
      texts: [RunText(name: script.source.name, text: script.source[script.source.range])])
  }

  static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }
}
