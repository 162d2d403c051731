internal import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
internal import UploaderCore

/// The rows of a run, a window of them at a time.
extension BulkRun {
  /// What ended the run before its last row.
  private enum Stop {
    case failures
    /// Somebody has to sign in first: every row would say so.
    case signIn
    case interrupted
    case refusal(RunRefusal)
  }

  func perform(
    _ first: BulkRow?, _ reader: RowReader, _ steps: ProgramRequestSequence, _ ledger: RowLedger?,
    earlier: EarlierRows?
  ) async -> BulkEnd {
    if let ledger { runner.report(.recorded(run: ledger.id)) }
    observe(
      .began(
        columns: reader.columns, heading: reader.heading, isObjects: reader.format == .objects, run: ledger?.id,
        size: reader.size))
    let common = Session(world: world, secrets: runner.secrets, journal: nil, report: runner.report)
    common.learn(steps.secrets)
    // Where their requests are sent: no row waits for another thread.
    let (codes, stop) = await world.interrupts.withCancellation(on: world.transport.executor) {
      await rows(first, reader, common, ledger, earlier: earlier)
    }
    var code = Self.code(of: codes)
    var isIncomplete = false
    switch stop {
    case nil: break
    case .failures?: isIncomplete = true
    case .signIn?: (code, isIncomplete) = (.signIn, true)
    case .interrupted?: (code, isIncomplete) = (.interrupted, true)
    case .refusal(let refusal)?:
      runner.report(.refused(refusal))
      (code, isIncomplete) = (refusal.exitCode, true)
    }
    if let ledger {
      do throws(StoreError) {
        let isDone = code == .success && !isIncomplete
        try await ledger.end(failure: isDone ? nil : isIncomplete ? "rows are left" : "rows failed")
      } catch {
        runner.report(.recording(.endMissing(error)))
      }
    }
    return BulkEnd(code, isIncomplete: isIncomplete, run: ledger?.id)
  }

  /// What is not known takes precedence, since it needs a decision.
  private static func code(of codes: Set<ExitCode>) -> ExitCode {
    let failures = codes.subtracting([.success])
    if failures.contains(.unknownOutcome) { return .unknownOutcome }
    return failures.count == 1 ? failures.first ?? .failed : failures.isEmpty ? .success : .failed
  }

  private func rows(
    _ first: BulkRow?, _ start: RowReader, _ common: Session, _ ledger: RowLedger?, earlier: EarlierRows?
  ) async -> (Set<ExitCode>, Stop?) {
    await withTaskGroup(of: ExitCode.self) { group in
      var (reader, earlier, next) = (start, earlier, first)
      var codes: Set<ExitCode> = []
      var (active, failed) = (0, 0)
      var begins = world.clock.now()
      var stop: Stop?
      func ended(_ code: ExitCode) {
        active -= 1
        codes.insert(code)
        if code != .success { failed += 1 }
      }
      while stop == nil, let row = next {
        do {
          if try await mayBegin(row, &earlier, reader, ledger, &codes) {
            if active >= bulk.jobs, let code = await group.next() { ended(code) }
            if let interval = bulk.interval {
              let now = world.clock.now()
              if begins > now { try await world.clock.sleep(begins - now) }
              begins = max(begins, now) + interval
            }
            stop = reason(failed, codes, ledger)
            if stop == nil {
              active += 1
              let format = reader.format
              group.addTask { await perform(row, format, common, ledger) }
            }
          } else if Task.isCancelled {
            stop = .interrupted
          }
          if stop == nil {
            next = try await reader.next()
            observe(.read(reader.position))
          }
        } catch let error as FileError {
          stop = .refusal(.file(error))
        } catch let error as RunRefusal {
          stop = .refusal(error)
        } catch {
          stop = .interrupted
        }
      }
      while let code = await group.next() { ended(code) }
      if stop == nil, codes.contains(.signIn) { stop = .signIn }
      return (codes, stop ?? (Task.isCancelled ? .interrupted : nil))
    }
  }

  private func reason(_ failed: Int, _ codes: Set<ExitCode>, _ ledger: RowLedger?) -> Stop? {
    if Task.isCancelled { return .interrupted }
    if codes.contains(.signIn) { return .signIn }
    if let failure = ledger?.failure { return .refusal(.unrecordable(failure)) }
    if let failure = bulk.blockage() { return .refusal(.unwritable(failure)) }
    if let most = bulk.stopsAfter, failed >= most { return .failures }
    return nil
  }

  /// Whether the row is to be run: it is in this share, and its outcome is not known yet.
  private func mayBegin(
    _ row: BulkRow, _ earlier: inout EarlierRows?, _ reader: RowReader, _ ledger: RowLedger?,
    _ codes: inout Set<ExitCode>
  ) async throws(RunRefusal) -> Bool {
    if let share = bulk.share, (row.number - 1) % share.count != share.index { return false }
    guard var known = earlier else { return true }
    let found: RowOutcome?
    do throws(StoreError) { found = try known.outcome(of: row.number) } catch { throw .store(error) }
    earlier = known
    guard var outcome = found else { return true }
    guard outcome.digest == digest(of: row) else { throw .rows(.changed(line: row.line, path: reader.name)) }
    if bulk.retriesFailed, outcome.state.mayRunAgain { return true }
    if outcome.state == .begun {
      outcome.state = .unknown
      outcome.failure = "it was being sent when the run ended"
      ledger?.record(outcome, of: row.number)
    }
    codes.insert(outcome.state.exitCode)
    observe(.row(row, outcome, nil))
    return false
  }

  // MARK: One row

  private func perform(
    _ row: BulkRow, _ format: RowReader.Format, _ common: Session, _ ledger: RowLedger?
  ) async -> ExitCode {
    let began = world.clock.now()
    let digest = digest(of: row)
    let journal = RowJournal(ledger, row: row.number, digest: digest)
    let (outcome, code) = await run(row, format, common, journal, digest)
    guard var outcome else {
      if journal.isBegun { ledger?.withdraw(row.number) }
      return code
    }
    outcome.time = world.clock.now() - began
    ledger?.record(outcome, of: row.number)
    observe(.row(row, outcome, code))
    return code
  }

  private func run(
    _ row: BulkRow, _ format: RowReader.Format, _ common: Session, _ journal: RowJournal, _ digest: [UInt8]
  ) async -> (RowOutcome?, ExitCode) {
    let values: [String: Setting]
    switch row.content {
    case .values(let found): values = found
    case .malformed(let fault): return (RowOutcome(.failed, digest: digest, failure: fault.sentence), .usage)
    }
    if let fault = fault(in: values, of: format) {
      return (RowOutcome(.failed, digest: digest, failure: fault.sentence), .usage)
    }
    let report: @Sendable (RunEvent) -> Void = { [observe, isReported = bulk.reportsSteps] event in
      if isReported { observe(.step(row, event)) }
    }
    if bulk.reportsSteps { for source in sources { report(.read(source)) } }
    let steps: ProgramRequestSequence
    do throws(RunRefusal) {
      steps = try self.steps(with: values)
    } catch {
      let end = error.end(report)
      return (RowOutcome(.failed, digest: digest, failure: sentence(of: error)), end.exitCode)
    }
    let interrupts = Interrupts()
    var own = world
    own.interrupts = interrupts
    let session = Session(world: own, secrets: runner.secrets, journal: journal, report: report)
      .sharing(budgetOf: common)
    session.learn(steps.secrets)
    let start = SequenceRun(steps)
    let ended = await withTaskCancellationHandler {
      await interrupts.holding { await runner.advance(start, in: session) }
    } onCancel: {
      interrupts.interrupt()
    }
    report(.ended(ended.end))
    return outcome(of: ended.end, ended.run, journal, digest)
  }

  private func outcome(
    of end: RunEnd, _ run: SequenceRun<ProgramRequestSequence>, _ journal: RowJournal, _ digest: [UInt8]
  ) -> (RowOutcome?, ExitCode) {
    let last = run.lastExchange
    var outcome = RowOutcome(.done, digest: digest, status: last?.response.status.code)
    guard end.exitCode != .success else {
      if last == nil { outcome.state = .skipped }
      outcome.selected = selected(in: run.sequence)
      return (outcome, .success)
    }
    if end.exitCode == .signIn, let error = end.error, signIn.isFirst {
      runner.report(.failed(error))
    }
    let isNotItsOwn = [.interrupted, .signIn].contains(end.exitCode) || end.error?.isFromStore ?? false
    guard let state = journal.state(afterFailure: isNotItsOwn)
    else { return (nil, end.exitCode) }
    outcome.state = state
    outcome.failure = end.error.map { runner.secrets.redact($0.message) } ?? "it failed"
    return (outcome, state == .unknown ? .unknownOutcome : end.exitCode)
  }

  /// An object with what is wanted of the row, without secrets.
  private func selected(in sequence: ProgramRequestSequence) -> String? {
    guard !selections.isEmpty else { return nil }
    var object = JSONObject()
    for selection in selections {
      object[selection.name] = selection.value(in: sequence, leavingBy: .reportFile)
        .mapStrings(runner.secrets.redact)
    }
    return String(decoding: JSONPrinter.compact.print(.object(object)), as: UTF8.self)
  }

  private func sentence(of refusal: RunRefusal) -> String {
    if case .program(let error) = refusal {
      let diagnostic = error.diagnostic
      return runner.secrets.redact(diagnostic.label.map { "\(diagnostic.message): \($0)" } ?? diagnostic.message)
    }
    return "its values cannot be used"
  }
}

extension RowOutcome.State {
  /// Of a row that was run before.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .done, .skipped: .success
    case .failed, .partial: .failed
    case .begun, .unknown: .unknownOutcome
    }
  }
}

extension UploadError {
  /// Whether nothing was sent because it could not be recorded.
  fileprivate var isFromStore: Bool {
    if case .journal(.store)? = refusal?.fact { true } else { false }
  }
}

extension JSON {
  fileprivate func mapStrings(_ change: (String) -> String) -> JSON {
    switch self {
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, $0.value.mapStrings(change)) }))
    case .array(let elements): .array(elements.map { $0.mapStrings(change) })
    case .string(let text): .string(change(text))
    case .number, .bool, .null: self
    }
  }
}
