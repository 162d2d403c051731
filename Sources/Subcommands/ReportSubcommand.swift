package import Formats
internal import Presentation
internal import Requests
internal import RunStore
package import Sessions

/// `workbench report`: reports of what is recorded, or of the JSON lines of a suite's shards.
package struct ReportSubcommand: Sendable {
  private let world: World
  private let directory: String?
  private let reports: [ReportTarget]
  private let openLines: @Sendable (String) throws -> LineReader

  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - openLines: opens a file of JSON lines.
  package init(
    world: World, directory: String?, reports: [ReportTarget],
    openLines: @escaping @Sendable (String) throws -> LineReader
  ) {
    self.world = world
    self.directory = directory
    self.reports = reports
    self.openLines = openLines
  }

  /// - Parameter sources: a run, or files of JSON lines: names with a `/`, or with `.jsonl` at their end.
  /// - Returns: success if the reports are written, whatever they are about.
  package func run(_ sources: [String]) -> ExitCode {
    let runs = StoredRuns(world: world, directory: directory)
    if sources.allSatisfy(Self.isFile) { return merge(sources, runs.errors) }
    guard sources.count == 1, let reference = sources.first else {
      runs.errors.print(
        ErrorReport(
          "a report is about one run, or about files of JSON lines",
          notes: ["a name with / or .jsonl is a file, anything else a run"]))
      return .usage
    }
    return runs.withStore { store in
      let run = try store.run(reference)
      if run.isAlive { runs.errors.note("it is not over yet: the report says interrupted") }
      return try write(isWhole: false, runs.errors) { files in
        _ = try RecordedReport(store, secrets: runs.printer.secrets, in: world).lines(of: run, files.write)
      }
    }
  }

  package static func isFile(_ source: String) -> Bool { source.contains("/") || source.hasSuffix(".jsonl") }

  private func merge(_ paths: [String], _ errors: ErrorPrinter) -> ExitCode {
    if let archive = reports.first(where: { $0.format.needsRecords }) {
      errors.print(
        ErrorReport(
          "\(archive.format.rawValue) is made from a run and not from JSON lines, which lack what it needs",
          notes: ["workbench report last --report \(archive.format.rawValue)=\(archive.path)"]))
      return .usage
    }
    do {
      let readers = try paths.map { path in (name: path, reader: ReportReader(try openLines(path))) }
      return try write(isWhole: true, errors) { files in
        var merge = try ReportMerge(readers)
        if try merge.run(files.write) == .interrupted { errors.note("the run was interrupted, and the report says so") }
      }
    } catch {
      errors.print(ErrorReport("\(error)", notes: ["no report was written"]))
      return error is FileError ? .file : .usage
    }
  }

  /// Nothing is left of a report if the lines cannot be made.
  private func write(isWhole: Bool, _ errors: ErrorPrinter, _ body: (ReportFiles) throws -> Void) throws -> ExitCode {
    let files = try ReportFiles(reports, isWhole: isWhole, in: world)
    do {
      try body(files)
    } catch {
      files.discard()
      throw error
    }
    let failures = files.finish()
    for failure in failures { errors.print(ErrorReport("\(failure)", notes: ["the report was not written"])) }
    return failures.isEmpty ? .success : .file
  }
}
