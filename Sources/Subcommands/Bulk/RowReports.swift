internal import Formats
internal import JSONValue
internal import Sessions
internal import Synchronization

/// The reports of a run over rows: each row is a file of its own, and its lines stay together.
final class RowReports: Sendable {

  private final class RowReport: Sendable {
    private let held = Mutex<[ReportLine]>([])

    func hold(_ line: ReportLine) { held.withLock { $0.append(line) } }

    func take() -> [ReportLine] { held.withLock { $0 } }
  }

  private let report: SuiteReport
  private let file: String
  private let world: World
  private let secrets: KnownSecrets
  private let open = Mutex<[Int: (lines: FileReporter, held: RowReport)]>([:])
  private let writing = Mutex(0)

  init(_ report: SuiteReport, file: String, world: World, secrets: KnownSecrets) {
    self.report = report
    self.file = file == "-" ? "<stdin>" : file
    self.world = world
    self.secrets = secrets
  }

  func on(_ event: BulkEvent) {
    switch event {
    case .step(let row, let event): reporter(of: row).lines.on(event)
    case .row(let row, let outcome, let code?):
      // One that could not be read has no run.
      if case .malformed(let fault) = row.content {
        let (lines, _) = reporter(of: row)
        lines.refuse(fault.sentence)
        lines.on(.ended(RunEnd(code)))
      }
      _ = outcome
      close(row.number)
    case .run(.refused(let refusal)):
      // A run that does not begin has reports as well: they say why.
      let lines = FileReporter(
        ["file": .string(file), "index": 0], detail: report.detail, world: world, secrets: secrets, emit: report.write)
      lines.on(.refused(refusal))
      lines.on(.ended(RunEnd(refusal.exitCode)))
    case .run, .began, .read, .row: break
    }
  }

  private func reporter(of row: BulkRow) -> (lines: FileReporter, held: RowReport) {
    open.withLock { open in
      if let found = open[row.number] { return found }
      let held = RowReport()
      let lines = FileReporter(
        ["file": .string(file), "index": ^(row.number - 1), "repetition": ^row.number], detail: report.detail,
        world: world, secrets: secrets, emit: held.hold)
      open[row.number] = (lines, held)
      return (lines, held)
    }
  }

  private func close(_ number: Int) {
    guard let ended = open.withLock({ $0.removeValue(forKey: number) }) else { return }
    writing.withLock { _ in for line in ended.held.take() { report.write(line) } }
  }
}
