package import JSONValue
internal import Presentation
internal import Requests
package import Sessions
internal import Synchronization
internal import UploaderCore

/// The reports of a run or a suite from its first line to its last.
package final class SuiteReport: Sendable {
  private struct State {
    var counts = ReportCounts()
    var files = 0
    var failedFiles = 0
  }

  private let files: ReportFiles
  private let world: World
  private let began: Duration
  private let state = Mutex(State())

  /// - Parameter heading: what the first line says of it: its id, its share of the files.
  package init(_ files: ReportFiles, heading: JSONObject, in world: World) {
    self.files = files
    self.world = world
    began = world.clock.now()
    var object: JSONObject = [
      "version": ^ReportLine.version, "program": .string("workbench \(ProgramVersion.current)"),
      "language": ^world.language, "started": .string(CivilTime(began).rfc3339Milliseconds),
    ]
    object.members += heading.members
    files.write(ReportLine(.suite, object))
  }

  package var detail: ReportDetail { files.detail }

  /// Takes the lines of its files, one file after another.
  package func write(_ line: ReportLine) {
    state.withLock { state in
      switch line.kind {
      case .step: state.counts.count(line)
      case .fileEnd:
        state.files += 1
        if line["exit-code"]?.int != 0 { state.failedFiles += 1 }
      case .suite, .file, .exchange, .problem, .suiteEnd: break
      }
      files.write(line)
    }
  }

  /// The last line of the reports.
  package func lastLine(_ code: ExitCode) -> ReportLine {
    let (counts, fileCount, failed) = state.withLock { ($0.counts, $0.files, $0.failedFiles) }
    var object: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": FileReporter.milliseconds(world.clock.now() - began), "files": ^fileCount, "failed-files": ^failed,
    ]
    object.members += counts.members.members
    return ReportLine(.suiteEnd, object)
  }

  package func end(_ code: ExitCode, _ errors: ErrorPrinter) -> ExitCode { end(lastLine(code), code, errors) }

  /// Writes the last line, and puts the reports in their places.
  ///
  /// - Returns: the exit code, which is another one if a report could not be written.
  package func end(_ last: ReportLine, _ code: ExitCode, _ errors: ErrorPrinter) -> ExitCode {
    files.write(last)
    let failures = files.finish()
    for failure in failures { errors.print(ErrorReport("\(failure)", notes: ["the report was not written"])) }
    return failures.isEmpty || code != .success ? code : .file
  }
}
