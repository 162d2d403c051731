internal import RequestProgram
internal import Requests
internal import RunStore
internal import UploaderCore

/// Runs a script, edited or not, with the responses of a recorded run. No socket is opened.
package struct ReplayRun: Sendable {
  private let world: World
  private let directory: String?
  private let secrets: KnownSecrets
  private let report: @Sendable (RunEvent) -> Void

  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - secrets: those of the code that shows something of this run.
  ///   - report: notified of what happens.
  package init(
    world: World, directory: String?, secrets: KnownSecrets, report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.world = world
    self.directory = directory
    self.secrets = secrets
    self.report = report
  }

  /// - Parameters:
  ///   - file: the script to run instead of the recorded run's.
  ///   - settings: they replace those of the run.
  package func run(_ reference: String, file: String?, settings: [String: String]) async -> RunEnd {
    let recorded: RecordedScript
    let journal: ReplayJournal
    do throws(RunRefusal) {
      (recorded, journal) = try recall(reference, file: file, settings: settings)
    } catch {
      return error.end(report)
    }
    var offline = world.standing(for: recorded)
    offline.transport = OfflineTransport(parser: world.transport)
    // A secret that is not available is replaced by its placeholder.
    for placeholder in journal.placeholders where offline.environment[placeholder.name] == nil {
      placeholder.withExposedText { offline.environment[placeholder.name] = $0 }
    }
    return await ScriptRun(
      world: offline, options: recorded.options, recording: .replaying(journal), secrets: secrets, report: report
    ).run(recorded.script)
  }

  private func recall(
    _ reference: String, file: String?, settings: [String: String]
  ) throws(RunRefusal) -> (RecordedScript, ReplayJournal) {
    do {
      let store = try world.store(in: directory)
      let run = try store.run(reference)
      let recorded = try RecordedScript(try store.setup(of: run), file: file, settings: settings, in: world)
      return (recorded, ReplayJournal(try store.steps(of: run), moments: try store.moments(of: run)))
    } catch {
      throw RunRefusal(error)
    }
  }
}

/// Knows what a URL means, but sends nothing.
private struct OfflineTransport: Transport {
  let parser: any Transport

  func origin(of url: String) throws(TransportError) -> Origin { try parser.origin(of: url) }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    throw TransportError(.other(reason: "a replay sends nothing"))
  }
}
