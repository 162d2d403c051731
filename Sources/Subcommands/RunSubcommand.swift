package import Formats
internal import JSONValue
internal import Presentation
internal import Requests
package import Sessions
internal import UploaderCore

/// `workbench run`: a script, and reports of it.
package struct RunSubcommand: Sendable {
  private let world: World
  private let style: ReportStyle
  private let options: ScriptOptions
  private let recording: Recording
  private let reports: [ReportTarget]

  /// - Parameters:
  ///   - recording: where what it does is kept, so that it can continue where it stopped.
  ///   - reports: the files that reports are written to, besides what is printed.
  package init(
    world: World, style: ReportStyle = ReportStyle(), options: ScriptOptions = ScriptOptions(),
    recording: Recording = .off, reports: [ReportTarget] = []
  ) {
    self.world = world.leavingOutput(to: reports)
    self.style = style
    self.options = options
    self.recording = recording
    self.reports = reports
  }

  /// Runs the file; `-` is standard input, whose relative paths begin in the working directory.
  package func run(file: String) async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let reporter = style.reporter(printer, now: world.clock.now)
    guard !reports.isEmpty else {
      let runner = Runner(world: world, secrets: secrets, report: reporter.on)
      return await runner.run(file: file, options, recording: recording).exitCode
    }
    let files: ReportFiles
    do throws(FileError) {
      files = try ReportFiles(reports, isWhole: style.amount == .verbose, in: world)
    } catch {
      ErrorPrinter(printer).print(ErrorReport("\(error)", notes: ["nothing was sent"]))
      return .file
    }
    let report = SuiteReport(files, heading: ["files": 1], in: world)
    let lines = FileReporter(
      ["file": .string(file == "-" ? "<stdin>" : file), "index": 0], detail: files.detail, world: world,
      secrets: secrets,
      compare: { [recording, world] run in
        (try? recording.store(in: world) { _ in }).flatMap { $0 }
          .flatMap { RunComparison($0, secrets: secrets).members(of: run) }
      }, emit: report.write)
    let runner = Runner(world: world, secrets: secrets) { event in
      reporter.on(event)
      lines.on(event)
    }
    let end = await runner.run(file: file, options, recording: recording)
    return report.end(end.exitCode, ErrorPrinter(printer))
  }
}
