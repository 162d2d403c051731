internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import UploaderCore

/// Runs a script, edited or not, with the responses of a recorded run. No socket is opened.
extension Runner {
  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - file: the script to run instead of the recorded run's.
  ///   - settings: they replace those of the run.
  package func replay(
    _ reference: String, in directory: String?, file: String?, settings: GivenValues
  ) async -> RunEnd {
    let recorded: RecordedScript
    let journal: ReplayJournal
    do throws(RunRefusal) {
      (recorded, journal) = try recall(reference, in: directory, file: file, settings: settings)
    } catch {
      return error.end(report)
    }
    if let notice = recorded.notice { report(.recording(notice)) }
    var offline = world.standing(for: recorded)
    offline.transport = OfflineTransport(parser: world.transport)
    // A secret that is not available is replaced by its placeholder.
    for placeholder in journal.placeholders where offline.variables[placeholder.name] == nil {
      placeholder.withExposedText { offline.environment[placeholder.name] = $0 }
    }
    for (variable, name) in recorded.script.parsed.script.secretVariables where offline.variables[variable] == nil {
      ReplayJournal.placeholder(of: name).withExposedText { offline.environment[variable] = $0 }
    }
    return await Runner(world: offline, secrets: secrets, report: report)
      .run(recorded.script, recorded.options, recording: .replaying(journal))
  }

  private func recall(
    _ reference: String, in directory: String?, file: String?, settings: GivenValues
  ) throws(RunRefusal) -> (RecordedScript, ReplayJournal) {
    do {
      let store = try world.store(in: directory)
      let run = try store.run(reference)
      if let refusal = try store.refusalOfSuite(run, of: "replay") { throw refusal }
      let setup = try store.setup(of: run)
      if setup.kind == RunSetup.bulkKind { throw RunRefusal.withoutResponses(run: run.id) }
      let recorded = try RecordedScript(setup, file: file, settings: settings, in: world)
      return (recorded, ReplayJournal(try store.steps(of: run), moments: try store.moments(of: run)))
    } catch {
      throw RunRefusal(error)
    }
  }
}

extension ScriptSyntax {
  /// The variables of the environment that are secrets, each with the name of the secret.
  fileprivate var secretVariables: [(variable: String, secret: String)] {
    statements.compactMap { statement in
      guard case .secret(let node) = statement, case .reference(let reference) = node.value,
        reference.root.text == "env", reference.segments.count == 1,
        case .name(let variable)? = reference.segments.first?.kind
      else { return nil }
      return (variable, node.name.text)
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
