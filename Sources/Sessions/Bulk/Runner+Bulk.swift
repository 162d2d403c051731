internal import Diagnostics
internal import RequestProgram
internal import Requests
internal import RunStore
internal import UploaderCore

/// A script or a sequence is run for each row of a file: each row as any run is, with cookies and names of its own.
extension Runner {
  /// - Parameters:
  ///   - options: what is set for all rows.
  ///   - observe: notified of what happens, on the thread where it happens.
  package func bulk(
    file: String, _ options: ScriptOptions, _ bulk: BulkOptions, recording: Recording,
    observe: @escaping @Sendable (BulkEvent) -> Void
  ) async -> BulkEnd {
    let runner = Runner(world: world, secrets: secrets) { observe(.run($0)) }
    do throws(RunRefusal) {
      let script = try ScriptFile(refusing: file, in: world)
      let options = options.taking(varsOf: script, in: world)
      let rows = bulk.rows == "-" ? nil : RunSetup.absolute(bulk.rows, in: world.workingDirectory)
      let own = BulkSetup(rows: rows, share: bulk.share, selections: bulk.selections)
      let run = try runner.prepare(script, options, bulk, own, observe)
      return try await run.begin(recording)
    } catch {
      return runner.refuse(error)
    }
  }

  /// Continues such a run: rows whose outcome is known are not run again.
  ///
  /// - Parameters:
  ///   - bulk: how; its rows, if they are not given again, are those of the run.
  ///   - settings: they replace those of the run.
  package func resumeBulk(
    _ reference: String, in directory: String?, rows: String?, settings: GivenValues,
    _ bulk: @Sendable (_ rows: String) -> BulkOptions, observe: @escaping @Sendable (BulkEvent) -> Void
  ) async -> BulkEnd {
    let runner = Runner(world: world, secrets: secrets) { observe(.run($0)) }
    do throws(RunRefusal) {
      let (store, run, setup) = try runner.locate(reference, in: directory)
      guard setup.kind == RunSetup.bulkKind, let own = BulkSetup(setup.parameters) else {
        throw .rows(.notBulk(run: run.id))
      }
      let recorded: RecordedScript
      do { recorded = try RecordedScript(setup, settings: settings, in: world) } catch { throw RunRefusal(error) }
      switch run.state {
      case .done: throw .rows(.done(run: run.id))
      case .abandoned: throw .abandoned(run: run.id)
      case .open, .failed: break
      }
      guard recorded.missingSettings.isEmpty else { throw .missingSettings(recorded.missingSettings) }
      guard let rows = rows ?? own.rows else { throw .rows(.gone) }
      if let notice = recorded.notice { runner.report(.recording(notice)) }
      var options = bulk(rows)
      options.share = own.share
      options.selections = own.selections
      let standing = Runner(world: world.standing(for: recorded), secrets: secrets, report: runner.report)
      let prepared = try standing.prepare(recorded.script, recorded.options, options, own, observe)
      return try await prepared.resume(run, in: store, directory: directory)
    } catch {
      return runner.refuse(error)
    }
  }

  private func refuse(_ refusal: RunRefusal) -> BulkEnd {
    let end = refusal.end(report)
    return BulkEnd(end.exitCode)
  }

  private func prepare(
    _ script: ScriptFile, _ options: ScriptOptions, _ bulk: BulkOptions, _ own: BulkSetup,
    _ observe: @escaping @Sendable (BulkEvent) -> Void
  ) throws(RunRefusal) -> BulkRun {
    let loader = ScriptLoader(world, given: options.givenNames)
    let checked = loader.check(script.parsed, directory: script.directory)
    let program = try loader.program(of: checked, script.parsed, running: options.sequence, report: report)
    var selections: [RowSelection] = []
    var found: [Diagnostic] = []
    for text in bulk.selections {
      let (selection, diagnostics) = RowSelection.parse(text, in: program, running: options.sequence)
      found += diagnostics
      if let selection { selections.append(selection) }
    }
    if !found.isEmpty { report(.checked(found)) }
    guard selections.count == bulk.selections.count else { throw .wrong }
    return BulkRun(
      runner: self, script: script, sources: checked.sources, program: program, options: options, bulk: bulk, own: own,
      selections: selections, observe: observe)
  }
}

extension ScriptFile {
  init(refusing path: String, in world: World) throws(RunRefusal) {
    do throws(FileError) {
      try self.init(path, in: world)
    } catch {
      throw .file(error)
    }
  }
}
