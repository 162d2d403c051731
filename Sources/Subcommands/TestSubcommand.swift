package import Formats
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
package import Sessions
internal import Synchronization
internal import UploaderCore

/// `workbench test`: many scripts, one verdict.
package struct TestSubcommand: Sendable {
  private let world: World
  private let style: ReportStyle
  private let options: SuiteOptions
  private let recording: Recording
  private let directory: String?
  private let reports: [ReportTarget]

  /// - Parameters:
  ///   - style: how steps are shown; `.json`: the lines of the report instead of anything for people.
  ///   - recording: where the suite and the runs of its files are kept.
  ///   - directory: where the store is, if the user named it.
  package init(
    world: World, style: ReportStyle, options: SuiteOptions, recording: Recording = .off, directory: String? = nil,
    reports: [ReportTarget] = []
  ) {
    self.world = world.leavingOutput(to: reports)
    self.style = style
    self.options = options
    self.recording = recording
    self.directory = directory
    self.reports = style.format == .json ? reports + [ReportTarget(.jsonl, path: "-")] : reports
  }

  // MARK: Listing

  /// The files that would be run.
  package func list() -> ExitCode {
    let printer = Printer(world, secrets: KnownSecrets())
    do throws(FileError) {
      for entry in options.entries(of: try SuiteFiles(in: world).files(of: options.paths)).own {
        var text = StyledText(entry.file.path)
        if let repetition = entry.repetition { text.append(" #\(repetition)", .faint) }
        if !entry.file.tags.isEmpty { text.append("  \(entry.file.tags.joined(separator: ", "))", .faint) }
        printer.result(text + StyledText("\n"))
      }
      return .success
    } catch {
      ErrorPrinter(printer).print(ErrorReport("\(error)"))
      return .file
    }
  }

  // MARK: Running

  package func run() async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let errors = ErrorPrinter(printer)
    let files: ReportFiles
    do throws(FileError) {
      files = try ReportFiles(reports, isWhole: style.amount != .quiet, in: world)
    } catch {
      errors.print(ErrorReport("\(error)", notes: ["nothing was sent"]))
      return .file
    }
    let entries: [SuiteEntry]
    let total: Int
    do throws(FileError) {
      (entries, total) = options.entries(of: try SuiteFiles(in: world).files(of: options.paths))
    } catch {
      errors.print(ErrorReport("\(error)", notes: ["nothing was sent"]))
      return refuse(.file(error), files, secrets, errors)
    }
    if total == 0 {
      errors.print(
        ErrorReport("there is no script to run", notes: ["a script with steps of its own is a file of a suite"]))
      return refuse(.nothingToRun(script: options.paths.joined(separator: " "), sequences: []), files, secrets, errors)
    }
    let record: SuiteRecord?
    do throws(StoreError) {
      record = try SuiteRecord(
        recording, directory: directory, name: options.paths.joined(separator: " "), entries: entries, total: total,
        in: world, errors)
    } catch {
      errors.print(RunRefusal.unrecordable(error))
      return refuse(.unrecordable(error), files, secrets, errors)
    }
    let report = SuiteReport(files, heading: heading(record?.id, total), in: world)
    let (code, failed) = await perform(entries, report, record, secrets, errors)
    let last = report.lastLine(code)
    record?.end(code, failed: failed, last, errors)
    return report.end(last, code, errors)
  }

  /// A suite that does not begin has reports as well: they say why.
  private func refuse(
    _ refusal: RunRefusal, _ files: ReportFiles, _ secrets: KnownSecrets, _ errors: ErrorPrinter
  ) -> ExitCode {
    let report = SuiteReport(files, heading: heading(nil, 1), in: world)
    let lines = FileReporter(
      ["file": .string(options.paths.joined(separator: " ")), "index": 0], detail: report.detail, world: world,
      secrets: secrets, emit: report.write)
    lines.on(.refused(refusal))
    lines.on(.ended(RunEnd(refusal.exitCode)))
    return report.end(refusal.exitCode, errors)
  }

  private func heading(_ id: String?, _ total: Int) -> JSONObject {
    var heading: JSONObject = ["files": ^total]
    heading["id"] = id.map(JSON.string)
    heading["shard"] = options.shard.map { ["index": ^$0.index, "of": ^$0.count] }
    return heading
  }

  private func perform(
    _ entries: [SuiteEntry], _ report: SuiteReport, _ record: SuiteRecord?, _ secrets: KnownSecrets,
    _ errors: ErrorPrinter
  ) async -> (ExitCode, failed: Int) {
    let began = world.clock.now()
    let progress = SuiteProgress(count: entries.count, output: world.errorOutput, now: world.clock.now)
    let state = Mutex((summary: SuiteSummary(isRepeated: options.repetitions != nil), codes: [ExitCode]()))
    let turns = Turns<SuiteOutput> { [world] output in
      progress.clear()
      switch output {
      case .result(let text): world.output.write(text)
      case .error(let text): world.errorOutput.write(text)
      case .line(let line):
        report.write(line)
        record?.note(line)
        state.withLock { $0.summary.note(line) }
      case .code(let code): state.withLock { $0.codes.append(code) }
      }
    }
    let unbegun = await SuiteSchedule(jobs: options.jobs, stopsAtFailure: options.failsFast)
      .perform(entries.count, interrupts: world.interrupts) { number, interrupts in
        progress.begin(number, entries[number].file.path)
        let file = SuiteFileRun(
          entry: entries[number], style: style, script: options.script, attempts: options.retries + 1,
          recording: record?.recording ?? .off, suite: record?.id, detail: report.detail)
        let code = await file.run(in: world, interrupts, secrets) {
          progress.send(number, step: $0)
        } _: {
          turns.submit($0, of: number)
        }
        turns.submit(.code(code), of: number)
        turns.end(number)
        progress.end(number, succeeded: code == .success)
        return code == .success
      }
    for number in unbegun { turns.end(number) }
    progress.clear()
    let (summary, codes) = state.withLock { ($0.summary, $0.codes) }
    let failures = Set(codes.filter { $0 != .success })
    // What was not run because somebody ended it is not a success.
    let isInterrupted = failures.contains(.interrupted) || (!unbegun.isEmpty && failures.isEmpty)
    let code: ExitCode =
      isInterrupted
      ? .interrupted : failures.count == 1 ? failures.first ?? .success : failures.isEmpty ? .success : .failed
    if style.format == .lines {
      Printer(world, secrets: secrets).result(summary.text(total: world.clock.now() - began, unbegun: unbegun.count))
    }
    return (code, summary.failedFileCount)
  }
}

/// What a file's run writes, in its turn.
enum SuiteOutput: Sendable {
  case result(String)
  case error(String)
  case line(ReportLine)
  case code(ExitCode)
}
