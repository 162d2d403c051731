package import Formats
internal import JSONValue
internal import PostgresQueue
internal import Presentation
internal import Requests
package import RunStore
package import Sessions
internal import Synchronization
internal import UploaderCore

/// Scripts waiting to be run: added while there is no network, performed when there is one.
package struct QueueRun: Sendable {
  private let world: World
  private let amount: ReportAmount
  private let directory: String?
  private let runs: StoredRuns

  /// - Parameter directory: where the store is; nil: the user's own.
  package init(world: World, amount: ReportAmount = .quiet, directory: String?) {
    self.world = world
    self.amount = amount
    self.directory = directory
    runs = StoredRuns(world: world, directory: directory)
  }

  /// The queue: on a server if the store is one, else in a directory.
  private func open() throws(StoreError) -> any OperationStore {
    guard let directory, ServerAddress.isAddress(directory) else {
      return LocalQueue(try runs.open(), clock: world.clock)
    }
    return try server(directory)
  }

  private func server(_ text: String) throws(StoreError) -> ServerQueue {
    let address = try ServerAddress(text, environment: world.environment)
    return try ServerQueue(address, scratch: try ScratchDirectory.make(world.environment), clock: world.clock)
  }

  /// Does something with the queue; errors are reported.
  private func withQueue(_ body: (any OperationStore) async throws -> ExitCode) async -> ExitCode {
    do {
      return try await body(try open())
    } catch let error as StoreError {
      runs.errors.print(error)
      return error.exitCode
    } catch {
      runs.errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  // MARK: Adding

  /// Checks a script, and records that it is to be run. Nothing is sent.
  ///
  /// - Parameter sharesFiles: whether each machine has the files that it reads.
  package func add(
    file: String, sequence: String?, settings: GivenValues, key: String?, sharesFiles: Bool = false
  ) async -> ExitCode {
    let reporter = ReportStyle().reporter(runs.printer, now: world.clock.now)
    let runner = Runner(world: world, secrets: runs.printer.secrets, report: reporter.on)
    return await withQueue { store in
      let operation: QueuedOperation
      do throws(RunRefusal) {
        let options = ScriptOptions(sequence: sequence, settings: settings)
        operation = try await runner.enqueue(
          file: file, options, key: key, hasFilesEverywhere: sharesFiles || store is LocalQueue, in: store)
      } catch {
        reporter.on(.refused(error))
        return error.exitCode
      }
      runs.printer.result(StyledText("\(operation.number)\n"))
      runs.errors.note("workbench queue \(store is LocalQueue ? "run" : "work")\(storeOption) performs it")
      return .success
    }
  }

  // MARK: Looking

  /// The operations that are not done yet, in order.
  package func list(json: Bool) async -> ExitCode {
    await withQueue { store in
      let operations = try await store.operations()
      if operations.isEmpty, !json { runs.errors.note("nothing is waiting") }
      for operation in operations {
        if json { runs.printLine(operation.json) } else { runs.printer.result(line(operation)) }
      }
      return .success
    }
  }

  /// An operation, and what became of its attempts.
  package func show(_ number: Int) async -> ExitCode {
    await withQueue { store in
      guard let operation = try await store.operations(OperationFilter(number: number)).first else {
        throw StoreError.noSuchOperation("\(number)")
      }
      runs.printer.result(line(operation))
      return operation.run.map { runs.show($0, step: nil, part: .overview) } ?? .success
    }
  }

  /// How many wait, and what keeps them from being performed.
  package func status() async -> ExitCode {
    await withQueue { store in
      let counts = try await store.counts()
      runs.printer.result(
        StyledText(
          "\(counts.waiting) waiting, \(counts.running) running, \(counts.dead) failed, \(counts.held) behind them\n"))
      if let server = store as? ServerQueue {
        for finding in try await server.findings() { runs.errors.note(finding) }
      }
      return .success
    }
  }

  /// Makes the tables of a server's queue, or changes those of an earlier program.
  package func migrate() async -> ExitCode {
    await withQueue { store in
      guard let server = store as? ServerQueue else {
        runs.errors.note("a store in a directory needs no migration")
        return .success
      }
      try await server.migrate()
      runs.errors.note("the queue is ready")
      return .success
    }
  }

  private func line(_ operation: QueuedOperation) -> StyledText {
    var text = StyledText("\(operation.number)  ", .strong)
    text.append(operation.stateText, operation.state == .dead ? .failure : .plain)
    text.append("  \(operation.name)")
    if let key = operation.key { text.append("  key \(key)", .faint) }
    text.append("  added \(NumberFormat.age(world.clock.now() - operation.created))", .faint)
    if operation.attempts > 0 {
      text.append("  tried \(operation.attempts == 1 ? "once" : "\(operation.attempts) times")", .faint)
    }
    if let failure = operation.failure { text.append("  \(SecretMarkers.display(failure))", .faint) }
    text.append("\n")
    return text
  }

  // MARK: Changing

  /// Lets dead letters be retried; none named: all of them.
  package func retry(_ numbers: [Int]) async -> ExitCode {
    await withQueue { store in
      let chosen = try await numbers.isEmpty ? store.operations(OperationFilter(state: .dead)).map(\.number) : numbers
      for number in chosen { try await store.revive(number) }
      runs.errors.note("\(count(chosen.count)) will be retried")
      return .success
    }
  }

  /// Removes operations from the queue for good.
  package func drop(_ numbers: [Int]) async -> ExitCode {
    await withQueue { store in
      for number in numbers { try await store.drop(number) }
      runs.errors.note("\(count(numbers.count)) removed from the queue")
      return .success
    }
  }

  // MARK: Performing

  /// Performs what is waiting, up to that many at once.
  ///
  /// - Parameter waitsForMore: whether it goes on, when nothing is left that can be done now, until ^C.
  package func run(jobs: Int, waitsForMore: Bool = false) async -> ExitCode {
    await withQueue { store in
      let waiting = try await store.counts()
      // On a terminal the line disappears again; in a log that only failures are to be in, it would stay.
      let output = amount == .quiet && !world.errorOutput.isTerminal ? .nowhere : world.errorOutput
      let display = QueueDisplay(
        runs.printer, isSilent: amount == .quiet, waiting: waiting.waiting + waiting.running, output: output,
        now: world.clock.now)
      let runner = Runner(world: world, secrets: runs.printer.secrets, report: display.on)
      try await runner.drain(store, jobs: jobs, waitsForMore: waitsForMore) { [amount, runs, now = world.clock.now] in
        let steps = RunReporter(runs.printer, ReportStyle(.lines, amount), showsProgress: false, now: now)
        return { event in display.writing { steps.on(event) } }
      }
      display.end()
      let (counts, dead) = (
        try await store.counts(), try await store.operations(OperationFilter(state: .dead, limit: 10))
      )
      report(counts, dead, done: display.done)
      return display.exitCode
    }
  }

  private func report(_ counts: OperationCounts, _ dead: [QueuedOperation], done: Int) {
    var parts = ["\(done) done"]
    if counts.dead > 0 { parts.append("\(counts.dead) failed") }
    if counts.held > 0 {
      parts.append("\(counts.held) \(counts.held == 1 ? "waits" : "wait") for \(counts.dead == 1 ? "it" : "them")")
    }
    if counts.waiting + counts.running > 0 { parts.append("\(counts.waiting + counts.running) left") }
    runs.errors.note("queue: \(parts.joined(separator: ", "))")
    for operation in dead {
      let choices =
        operation.run.map { "workbench resume \($0)\(storeOption), " } ?? ""
      runs.errors.note(
        "operation \(operation.number): \(choices)workbench queue retry \(operation.number)\(storeOption), or drop it")
    }
  }

  private var storeOption: String { directory.map { " --store \(ShellQuoting.quoted($0))" } ?? "" }

  private func count(_ count: Int) -> String { "\(count) \(count == 1 ? "operation" : "operations")" }
}

/// One line per operation, as they end.
private final class QueueDisplay: Reporter {
  private let printer: Printer
  private let isSilent: Bool
  private let worst = Mutex(ExitCode.success)
  private let line: ProgressLine
  private let progress: Mutex<QueueProgress>
  /// Held by whoever writes, while the line is not there.
  private let turn = Mutex(())

  init(
    _ printer: Printer, isSilent: Bool, waiting: Int, output: World.Output, now: @escaping @Sendable () -> Duration
  ) {
    self.printer = printer
    self.isSilent = isSilent
    line = ProgressLine(output: output, now: now)
    progress = Mutex(QueueProgress(waiting: waiting, began: now()))
  }

  /// The result of the whole: a choice that is needed takes precedence over other failures.
  var exitCode: ExitCode { worst.withLock { $0 } }

  var done: Int { progress.withLock(\.done) }

  func on(_ event: RunEvent) {
    guard case .queue(let event) = event else { return }
    writing {
      write(event)
      progress.withLock { $0.observe(event) }
    }
  }

  /// Removes the line for what may write something, and shows it again after that.
  func writing(_ body: () -> Void) {
    turn.withLock { _ in
      line.clear()
      body()
      line.show(isNews: true) { now in progress.withLock { $0.line(now: now) } }
    }
  }

  private func write(_ event: QueueEvent) {
    switch event {
    case .began: break
    case .done(let operation): print(operation, "done", .success)
    case .postponed(let operation, let wait, let error):
      note(ExitCode(error))
      let when = error.needsSignIn ? ", and it waits for that" : ", again in \(NumberFormat.duration(wait))"
      print(operation, "\(error)\(when)", .warning)
    case .buried(let operation, let reason, let error):
      note(error.map { ExitCode($0) } ?? .usage)
      print(operation, "failed: \(reason)", .failure)
    case .unrecorded(let operation, let error):
      note(error.exitCode)
      print(operation, "\(error)", .failure)
    case .handedBack(let operation, let reason): print(operation, "handed back: \(reason)", .warning)
    case .storeUnreachable(let error, let wait):
      ErrorPrinter(printer).note("\(error); again in \(NumberFormat.duration(wait))")
    }
  }

  /// Removes the line.
  func end() { turn.withLock { _ in line.clear() } }

  private func note(_ code: ExitCode) {
    worst.withLock { if $0 != .unknownOutcome { $0 = code } }
  }

  private func print(_ operation: QueuedOperation, _ text: String, _ style: StyledText.Style) {
    guard !isSilent else { return }
    printer.result(
      StyledText("operation \(operation.number)  ", .faint) + StyledText(text, style)
        + StyledText("  \(operation.name)\(operation.key.map { "  key \($0)" } ?? "")\n"))
  }
}

/// The progress of a queue: `queue: 3 of 10 done  2 running  1 failed  0:09 left`.
package struct QueueProgress {
  private let waiting: Int
  private let began: Duration
  package var done = 0
  package var failed = 0
  package var active = 0

  /// - Parameters:
  ///   - waiting: how many operations wait when it begins.
  ///   - began: on the same clock as for `line`.
  package init(waiting: Int, began: Duration) {
    self.waiting = waiting
    self.began = began
  }

  package mutating func observe(_ event: QueueEvent) {
    switch event {
    case .began: active += 1
    case .done: (done, active) = (done + 1, active - 1)
    case .postponed, .unrecorded, .handedBack: active -= 1
    case .storeUnreachable: break
    case .buried: (failed, active) = (failed + 1, active - 1)
    }
  }

  /// The line; nil when nothing is left.
  package func line(now: Duration) -> String? {
    // Others may add or perform some meanwhile.
    let total = max(waiting, done + failed + active)
    let left = total - done - failed
    guard left > 0 else { return nil }
    var words = ["queue: \(done) of \(total) done"]
    if active > 0 { words.append("\(active) running") }
    if failed > 0 { words.append("\(failed) failed") }
    let seconds = Double((now - began) / .milliseconds(1)) / 1_000
    if done + failed > 0, seconds >= 1 {
      words.append("\(RunProgress.clock(seconds / Double(done + failed) * Double(left))) left")
    }
    return words.joined(separator: "  ")
  }
}

extension QueuedOperation {
  fileprivate var stateText: String {
    switch state {
    case .waiting: "waits"
    case .running: "running"
    case .dead: "failed"
    }
  }

  fileprivate var json: JSON {
    var object: JSONObject = [
      "operation": ^number, "name": .string(name), "state": .string(stateText), "created": ^created.inSeconds,
      "due": ^due.inSeconds, "attempts": ^attempts,
    ]
    object["key"] = key.map(JSON.string)
    object["run"] = run.map(JSON.string)
    object["failure"] = failure.map(JSON.string)
    return .object(object)
  }
}
