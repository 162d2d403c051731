package import Formats
package import JSONValue
internal import Presentation
internal import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// The commands that look at recorded runs.
package struct StoredRuns: Sendable {
  package let world: World
  package let directory: String?
  package let printer: Printer
  package let errors: ErrorPrinter

  /// - Parameter directory: where the store is; nil: the user's own.
  package init(world: World, directory: String?) {
    self.world = world
    self.directory = directory
    // What is stored contains no secret that it would have to know, except the cookies of runs that are not done.
    printer = Printer(world, secrets: KnownSecrets())
    errors = ErrorPrinter(printer)
  }

  /// Does something with the store; errors are reported.
  package func withStore(_ body: (RunStore) throws -> ExitCode) -> ExitCode {
    do {
      return try body(try open())
    } catch let error as StoreError {
      errors.print(ErrorReport("\(error)", notes: error.advice))
      return error.exitCode
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  package func open() throws(StoreError) -> RunStore { try world.store(in: directory) }

  // MARK: runs

  /// The newest runs, one line each.
  ///
  /// - Parameter keep: first removes what is older or more than this.
  package func list(limit: Int?, json: Bool, keep: Retention? = nil) -> ExitCode {
    withStore { store in
      if let keep {
        let count = try store.prune(keep, now: world.clock.now())
        errors.note("\(count) \(count == 1 ? "run" : "runs") removed")
      }
      let runs = try store.runs(limit: limit, withMembers: limit == nil)
      if json {
        for run in runs { printLine(run.json) }
        return .success
      }
      if runs.isEmpty { errors.note("no run is recorded yet") }
      for run in runs { printer.result(line(run, fileCount: try store.fileCount(of: run))) }
      return .success
    }
  }

  /// - Parameter fileCount: of a suite.
  private func line(_ run: RecordedRun, fileCount: Int?) -> StyledText {
    var text = StyledText(run.id, .strong)
    text.append("  \(NumberFormat.age(world.clock.now() - run.created).padded(to: 10))  ", .faint)
    text.append(run.stateText.padded(to: 11), run.stateStyle)
    text.append("  \(run.name)")
    if let fileCount { text.append("  suite of \(fileCount) \(fileCount == 1 ? "file" : "files")", .faint) }
    if run.stepCount > 0 { text.append("  \(run.stepCount) \(run.stepCount == 1 ? "step" : "steps") done", .faint) }
    if let failure = run.failure { text.append("  \(SecretMarkers.display(failure))", .faint) }
    text.append("\n")
    return text
  }

  package func printLine(_ json: JSON) {
    printer.json(SecretMarkers.display(String(decoding: JSONPrinter.compact.print(json), as: UTF8.self)))
  }
}

extension RecordedRun {
  package var stateText: String {
    switch state {
    case .open: isAlive ? "running" : "interrupted"
    case .done: "done"
    case .failed: "failed"
    case .abandoned: "given up"
    }
  }

  fileprivate var stateStyle: StyledText.Style {
    switch state {
    case .done: .success
    case .open: isAlive ? .faint : .warning
    case .failed: .failure
    case .abandoned: .faint
    }
  }

  fileprivate var json: JSON {
    var object: JSONObject = [
      "id": .string(id), "kind": .string(kind), "name": .string(name), "state": .string(stateText),
      "created": ^created.inSeconds, "updated": ^updated.inSeconds, "answers": ^stepCount,
    ]
    object["failure"] = failure.map(JSON.string)
    return .object(object)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
