internal import Presentation
internal import Requests
internal import RunStore
internal import UploaderCore

/// Runs a script, edited or not, over what a recorded run was answered. No socket is opened.
public struct ReplayRun: Sendable {
  private let world: World
  private let verbosity: Verbosity
  private let runs: StoredRuns

  /// - Parameter directory: where the store is; nil: the user's own.
  public init(world: World, verbosity: Verbosity = .normal, directory: String?) {
    self.world = world
    self.verbosity = verbosity
    runs = StoredRuns(world: world, directory: directory)
  }

  /// - Parameters:
  ///   - file: the script to run instead of the recorded run's.
  ///   - settings: they replace those of the run.
  public func run(_ reference: String, file: String?, settings: [String: String] = [:]) async -> ExitCode {
    let recorded: RecordedScript
    let journal: ReplayJournal
    do {
      let store = try runs.open()
      let run = try store.run(reference)
      recorded = try RecordedScript(try store.setup(of: run), file: file, settings: settings, in: world)
      journal = ReplayJournal(try store.steps(of: run), moments: try store.moments(of: run))
    } catch let error as StoreError {
      runs.errors.print(ErrorReport("\(error)", notes: error.advice))
      return error.exitCode
    } catch {
      runs.errors.print(ErrorReport("\(error)"))
      return .file
    }
    var offline = world.standing(for: recorded)
    offline.transport = OfflineTransport(parser: world.transport)
    // A secret that is not at hand is played by what stands for it.
    for placeholder in journal.placeholders where offline.environment[placeholder.name] == nil {
      placeholder.withExposedText { offline.environment[placeholder.name] = $0 }
    }
    let script = ScriptRun(
      world: offline, verbosity: verbosity, sequence: recorded.sequence, settings: recorded.settings,
      keepsGoing: recorded.keepsGoing, recording: .replaying(journal))
    return await script.run(recorded.script).code
  }
}

/// Knows what a URL means, and sends nothing.
private struct OfflineTransport: Transport {
  let parser: any Transport

  func origin(of url: String) throws(TransportError) -> Origin { try parser.origin(of: url) }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    throw TransportError(.other(reason: "a replay sends nothing"))
  }
}
