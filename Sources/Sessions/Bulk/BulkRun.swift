internal import Diagnostics
internal import POSIX
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
internal import Synchronization
internal import UploaderCore

/// A run over rows, whose script was checked.
struct BulkRun: Sendable {
  let runner: Runner
  let script: ScriptFile
  let sources: [SourceText]
  let program: Program
  let options: ScriptOptions
  let bulk: BulkOptions
  let own: BulkSetup
  let selections: [RowSelection]
  let observe: @Sendable (BulkEvent) -> Void
  /// That somebody has to sign in is said once, whatever number of rows are under way.
  let signIn = Once()

  final class Once: Sendable {
    private let isOver = Atomic(false)

    var isFirst: Bool { !isOver.exchange(true, ordering: .relaxed) }
  }

  var world: World { runner.world }

  // MARK: Before the first row

  func begin(_ recording: Recording) async throws(RunRefusal) -> BulkEnd {
    var reader = try await reader()
    let first = try await next(of: &reader)
    let steps = try check(first, of: reader)
    let ledger: RowLedger?
    do throws(StoreError) {
      var setup = runner.setup(of: script, options).withoutSettings(program.namesInSecrets)
      setup.kind = RunSetup.bulkKind
      setup.parameters = own.added(to: setup.parameters)
      let store = try recording.store(in: world) { runner.report(.recording($0)) }
      if let store {
        try store.pruneSuites(.standard, now: world.clock.now())
        ledger = try store.beginRows(setup, secrets: steps.secrets, clock: world.clock)
      } else {
        ledger = nil
      }
    } catch {
      throw .unrecordable(error)
    }
    return await perform(first, reader, steps, ledger, earlier: nil)
  }

  func resume(_ run: RecordedRun, in store: RunStore, directory: String?) async throws(RunRefusal) -> BulkEnd {
    var reader = try await reader()
    if reader.isFile {
      try await verify(run, in: store, reader)
      reader = try await self.reader()
    }
    let first = try await next(of: &reader)
    let steps = try check(first, of: reader)
    let ledger: RowLedger
    do throws(StoreError) {
      ledger = try store.resumeRows(run, clock: world.clock)
    } catch {
      throw .store(error)
    }
    return await perform(first, reader, steps, ledger, earlier: EarlierRows(run, in: store))
  }

  private func reader() async throws(RunRefusal) -> RowReader {
    do {
      return try await RowReader(bulk.rows, try world.openRows(bulk.rows))
    } catch {
      throw Self.refusal(error)
    }
  }

  private func next(of reader: inout RowReader) async throws(RunRefusal) -> BulkRow? {
    do {
      return try await reader.next()
    } catch {
      throw Self.refusal(error)
    }
  }

  private static func refusal(_ error: any Error) -> RunRefusal {
    switch error {
    case let problem as RowsProblem: .rows(problem)
    case let error as FileError: .file(error)
    case let error as StoreError: .store(error)
    default: .file(.unreadable(path: "the rows", reason: SystemError(number: EINTR)))
    }
  }

  /// Compares all rows with those that the run was given before: if one was put in between, others would happen twice.
  private func verify(_ run: RecordedRun, in store: RunStore, _ start: RowReader) async throws(RunRefusal) {
    var reader = start
    var earlier = EarlierRows(run, in: store)
    var last = 0
    while let row = try await next(of: &reader) {
      last = row.number
      let outcome: RowOutcome?
      do throws(StoreError) { outcome = try earlier.outcome(of: row.number) } catch { throw .store(error) }
      guard let outcome else { continue }
      if outcome.digest != digest(of: row) { throw .rows(.changed(line: row.line, path: reader.name)) }
    }
    let isShorter: Bool
    do throws(StoreError) { isShorter = try earlier.hasMore(after: last) } catch { throw .store(error) }
    if isShorter { throw .rows(.shortened(path: reader.name)) }
  }

  func digest(of row: BulkRow) -> [UInt8] { RowOutcome.digest(of: row.bytes, salt: own.salt) }

  /// Checks what the columns are called, and whatever all rows have in common.
  private func check(_ first: BulkRow?, of reader: RowReader) throws(RunRefusal) -> ProgramRequestSequence {
    var columns = reader.columns.filter { $0 != RowReader.reasonColumn }
    var values: [String: Setting] = [:]
    if case .values(let found)? = first?.content {
      values = found
      if reader.format == .objects { columns = found.keys.sorted() }
    }
    let known = program.settableNames(running: options.sequence)
    for column in columns {
      if options.settings[column] != nil { throw .rows(.alsoSet(column)) }
      if !known.contains(column) { throw .rows(.unknownColumn(column, known: known.sorted())) }
    }
    let missing = missingNames(in: Set(columns))
    if !missing.isEmpty, reader.format == .separated || first != nil { throw .rows(.missingColumns(missing)) }
    // Without a row, only what has no value of its own needs one.
    for name in program.requiredNames(running: options.sequence)
    where values[name] == nil && options.settings[name] == nil { values[name] = .text("") }
    return try steps(with: values)
  }

  private func missingNames(in columns: Set<String>) -> [String] {
    program.requiredNames(running: options.sequence).filter { !columns.contains($0) && options.settings[$0] == nil }
  }

  func steps(with values: [String: Setting]) throws(RunRefusal) -> ProgramRequestSequence {
    var steps = try ScriptLoader(world).steps(
      of: program, settings: options.typedSettings.merging(values) { $1 }, running: options.sequence, at: world.moment)
    steps.goesOnAfterFailure = options.keepsGoing
    steps.keepsHistory = false
    steps.keepsNamesAtEnd = !selections.isEmpty
    return steps
  }

  /// What is wrong with the names of one row; nil: nothing.
  func fault(in values: [String: Setting], of format: RowReader.Format) -> RowFault? {
    guard format == .objects else { return nil }
    let known = program.settableNames(running: options.sequence)
    if let unknown = values.keys.sorted().first(where: { !known.contains($0) || options.settings[$0] != nil }) {
      return .unknownName(unknown)
    }
    return missingNames(in: Set(values.keys)).first.map { .missingName($0) }
  }
}
