internal import Diagnostics
internal import RequestProgram
package import RunStore
internal import Synchronization
internal import UploaderCore

/// Scripts waiting to be run: added while there is no network, performed when there is one.
extension Runner {
  /// Checks a script, and records that it is to be run. Nothing is sent.
  ///
  /// - Parameter hasFilesEverywhere: whether the files that it reads are on every machine that may perform it, under the
  ///   same paths.
  package func enqueue(
    file: String, _ options: ScriptOptions, key: String?, hasFilesEverywhere: Bool, in store: some OperationStore
  ) async throws(RunRefusal) -> QueuedOperation {
    do {
      let script = try ScriptFile(file, in: world)
      let options = options.taking(varsOf: script, in: world)
      let steps = try steps(of: script, options)
      let (secrets, later) = (steps.secrets, steps.program.namesInSecrets)
      // The server's words may contain what it was told.
      self.secrets.learn(secrets)
      var setup = setup(of: script, options)
      setup.script.isQueued = true
      let markers = SecretMarkers(secrets)
      let lost = options.settings.filter { later.contains($0.key) || markers.conceal($0.value) != $0.value }.keys
        .sorted()
      guard lost.isEmpty else { throw RunRefusal.secretSettings(lost) }
      let files = hasFilesEverywhere ? [] : steps.program.localFiles(running: options.sequence)
      guard files.isEmpty else { throw RunRefusal.localFiles(files) }
      return try await store.add(setup, key: key, secrets: secrets)
    } catch {
      throw RunRefusal(error)
    }
  }

  /// Performs what is waiting, up to that many at once, until nothing is left that can be done now.
  ///
  /// - Parameters:
  ///   - waitsForMore: whether it goes on though nothing is left, until ^C.
  ///   - reportRun: returns what is notified of the events of one operation's run.
  package func drain(
    _ store: some OperationStore, jobs: Int, waitsForMore: Bool = false,
    reportRun: @escaping @Sendable () -> @Sendable (RunEvent) -> Void
  ) async throws(StoreError) {
    var queue = SyncQueue(store, clock: world.clock, observe: { report(.queue($0)) })
    queue.policy.waitsForMore = waitsForMore
    let result: Result<QueueSummary, StoreError> = await world.interrupts.withCancellation { [queue] in
      do throws(StoreError) {
        return .success(
          try await queue.drain(jobs: jobs) { lease throws(StoreError) in
            let outcome = try await perform(lease, reportRun())
            switch outcome {
            case .broken(let reason), .unable(let reason): try await lease.journal.end(failure: reason)
            case .done, .failed: break
            }
            return outcome
          })
      } catch {
        return .failure(error)
      }
    }
    _ = try result.get()
  }

  private func perform(
    _ lease: OperationLease<some OperationJournal>, _ report: @escaping @Sendable (RunEvent) -> Void
  ) async throws(StoreError) -> OperationOutcome {
    guard lease.setup.kind == "script" else { return .broken(reason: "it belongs to another program, not to a script") }
    let end: RunEnd
    let missing = Mutex<ProgramError?>(nil)
    do {
      let recorded = try RecordedScript(lease.setup, in: world)
      if let notice = recorded.notice { report(.recording(notice)) }
      var own = world.beginningPaths(in: recorded.workingDirectory).using(recorded.environments)
        .meaning(in: recorded.language)
      // An interrupt ends the draining, and through it each operation.
      let interrupts = Interrupts()
      own.interrupts = interrupts
      let runner = Runner(world: own, secrets: secrets) { event in
        if case .refused(.program(let error)) = event, error.isFromOutside || error.isMissingVariable {
          missing.withLock { $0 = error }
        }
        report(event)
      }
      let options = recorded.options
      end = await withTaskCancellationHandler {
        await runner.run(recorded.script, options, recording: .queued(lease.journal))
      } onCancel: {
        interrupts.interrupt()
      }
    } catch {
      return .broken(reason: "\(error)")
    }
    // What was not recorded did not become of it, for anybody else.
    if let error = end.unrecorded { throw error }
    if let error = end.error { return .failed(error) }
    if end.exitCode == .success { return .done }
    if let error = missing.withLock({ $0 }) { return .unable(reason: error.diagnostic.message) }
    return .broken(reason: "the script is no longer valid")
  }
}
