package import Formats
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
package import Sessions
internal import Synchronization
internal import UploaderCore

/// `workbench bulk`: a sequence for each row of a file.
package struct BulkSubcommand: Sendable {
  /// Where the rows go when they are over, besides the store.
  package struct Files: Sendable {
    /// A JSON object for each row, with what was selected.
    package var out: String?
    /// The rows that failed and may be run again, in the format of the rows.
    package var failed: String?
    /// The rows of which nobody knows whether they happened, in the format of the rows.
    package var unknown: String?

    package init(out: String? = nil, failed: String? = nil, unknown: String? = nil) {
      self.out = out
      self.failed = failed
      self.unknown = unknown
    }
  }

  private let world: World
  private let style: ReportStyle
  private let directory: String?
  private let files: Files
  private let reports: [ReportTarget]

  /// - Parameters:
  ///   - style: `.quiet`: nothing but errors; `.verbose`: a line for each row that is not done.
  ///   - directory: where the store is, if the user named it.
  package init(world: World, style: ReportStyle, directory: String?, files: Files, reports: [ReportTarget] = []) {
    self.world = world
    self.style = style
    self.directory = directory
    self.files = files
    self.reports = reports
  }

  package func run(
    file: String, _ options: ScriptOptions, _ bulk: BulkOptions, recording: Recording
  ) async -> ExitCode {
    await perform(file: file) { runner, results, observe in
      await runner.bulk(file: file, options, with(bulk, results), recording: recording, observe: observe)
    }
  }

  /// - Parameter bulk: how, for these rows.
  package func resume(
    _ reference: String, rows: String?, settings: GivenValues, _ bulk: @escaping @Sendable (String) -> BulkOptions
  ) async -> ExitCode {
    await perform(file: reference) { runner, results, observe in
      await runner.resumeBulk(
        reference, in: directory, rows: rows, settings: settings, { with(bulk($0), results) }, observe: observe)
    }
  }

  private func with(_ bulk: BulkOptions, _ results: RowFiles) -> BulkOptions {
    var bulk = bulk
    bulk.blockage = { results.failure }
    bulk.reportsSteps = !reports.isEmpty
    return bulk
  }

  private func perform(
    file: String, _ run: (Runner, RowFiles, @escaping @Sendable (BulkEvent) -> Void) async -> BulkEnd
  ) async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let errors = ErrorPrinter(printer)
    let opened: ReportFiles
    let results: RowFiles
    do throws(FileError) {
      opened = try ReportFiles(reports, in: world)
      do throws(FileError) {
        results = try RowFiles(files, in: world)
      } catch {
        opened.discard()
        throw error
      }
    } catch {
      errors.print(ErrorReport("\(error)", notes: ["nothing was sent"]))
      return .file
    }
    let report = reports.isEmpty ? nil : SuiteReport(opened, heading: ["files": 1], in: world)
    let display = BulkDisplay(printer, style.amount, failedFile: files.failed, now: world.clock.now)
    let lines = report.map { RowReports($0, file: file, world: world, secrets: secrets) }
    let runner = Runner(world: world, secrets: secrets) { _ in }
    let end = await run(runner, results) { event in
      display.on(event)
      results.on(event)
      lines?.on(event)
    }
    display.end(
      end, resume: end.run.map { "workbench bulk --resume \($0)\(storeOption)\(fileOptions)" },
      output: usesStandardOutput ? world.errorOutput : world.output)
    var code = end.exitCode
    let blockage = end.isIncomplete && end.exitCode == .file ? results.failure : nil
    for failure in results.finish() where failure != blockage {
      errors.print(ErrorReport("\(failure)", notes: ["the file was not written"]))
      if code == .success { code = .file }
    }
    return report?.end(code, errors) ?? code
  }

  private var usesStandardOutput: Bool {
    [files.out, files.failed, files.unknown].contains("-") || reports.contains { $0.path == "-" }
  }

  private var fileOptions: String {
    [("out", files.out), ("failed", files.failed), ("unknown", files.unknown)].map { name, path in
      path.map { " --\(name) \(ShellQuoting.quoted($0))" } ?? ""
    }.joined()
  }

  private var storeOption: String { directory.map { " --store \(ShellQuoting.quoted($0))" } ?? "" }
}
