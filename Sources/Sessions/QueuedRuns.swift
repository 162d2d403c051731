internal import RequestProgram
package import RunStore
internal import UploaderCore

/// Scripts waiting to be run: added while there is no network, performed when there is one.
extension Runner {
  /// Checks a script, and records that it is to be run. Nothing is sent.
  package func enqueue(
    file: String, _ options: ScriptOptions, key: String?, in store: RunStore
  ) throws(RunRefusal) -> QueuedOperation {
    do {
      let script = try ScriptFile(file, in: world)
      let options = options.taking(varsOf: script, in: world)
      let steps = try steps(of: script, options)
      let (secrets, later) = (steps.secrets, steps.program.namesInSecrets)
      var setup = setup(of: script, options)
      setup.script.isQueued = true
      let markers = SecretMarkers(secrets)
      let lost = options.settings.filter { later.contains($0.key) || markers.conceal($0.value) != $0.value }.keys
        .sorted()
      guard lost.isEmpty else { throw RunRefusal.secretSettings(lost) }
      return try store.add(setup, key: key, secrets: secrets, clock: world.clock)
    } catch {
      throw RunRefusal(error)
    }
  }

  /// Performs what is waiting, up to that many at once, until nothing is left that can be done now.
  ///
  /// - Parameter reportRun: returns what is notified of the events of one operation's run.
  package func drain(
    _ store: RunStore, jobs: Int, reportRun: @escaping @Sendable () -> @Sendable (RunEvent) -> Void
  ) async throws(StoreError) {
    let queue = SyncQueue(store, clock: world.clock, observe: { report(.queue($0)) })
    let result: Result<QueueSummary, StoreError> = await world.interrupts.withCancellation {
      do throws(StoreError) {
        return .success(
          try await queue.drain(jobs: jobs) { lease throws(StoreError) in
            let outcome = await perform(lease, reportRun())
            if case .broken(let reason) = outcome { try lease.journal.end(failure: reason) }
            return outcome
          })
      } catch {
        return .failure(error)
      }
    }
    _ = try result.get()
  }

  private func perform(
    _ lease: OperationLease<RunJournal>, _ report: @escaping @Sendable (RunEvent) -> Void
  ) async -> OperationOutcome {
    guard lease.setup.kind == "script" else { return .broken(reason: "it belongs to another program, not to a script") }
    do {
      let recorded = try RecordedScript(lease.setup, in: world)
      if let notice = recorded.notice { report(.recording(notice)) }
      var own = world.beginningPaths(in: recorded.workingDirectory).using(recorded.environments)
        .meaning(in: recorded.language)
      // An interrupt ends the draining, and through it each operation.
      let interrupts = Interrupts()
      own.interrupts = interrupts
      let runner = Runner(world: own, secrets: secrets, report: report)
      let options = recorded.options
      let end = await withTaskCancellationHandler {
        await runner.run(recorded.script, options, recording: .queued(lease.journal))
      } onCancel: {
        interrupts.interrupt()
      }
      if let error = end.error { return .failed(error) }
      return end.exitCode == .success ? .done : .broken(reason: "the script is no longer valid")
    } catch {
      return .broken(reason: "\(error)")
    }
  }
}
