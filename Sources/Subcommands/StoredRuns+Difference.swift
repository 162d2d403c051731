internal import Formats
internal import Presentation
internal import RunStore
package import Sessions

extension StoredRuns {
  /// What differs between two runs, step by step. Success means that nothing does.
  package func difference(_ first: String, _ second: String) -> ExitCode {
    withStore { store in
      let runs = [try store.run(first), try store.run(second)]
      guard runs.contains(where: { $0.kind == RunSetup.suiteKind }) else {
        let code = try difference(runs[0], runs[1], in: store)
        if code == .success { errors.note("the runs \(runs[0].id) and \(runs[1].id) got the same responses") }
        return code
      }
      guard runs.allSatisfy({ $0.kind == RunSetup.suiteKind }) else {
        errors.print(
          ErrorReport("a suite differs from another suite, not from a run", notes: ["workbench runs lists both"]))
        return .usage
      }
      return try suiteDifference(runs[0], runs[1], in: store)
    }
  }

  private func difference(_ first: RecordedRun, _ second: RecordedRun, in store: RunStore) throws -> ExitCode {
    let steps = [try store.steps(of: first), try store.steps(of: second)]
    printer.secrets.learn(RecordedStep.cookieSecrets(in: steps.joined()))
    let difference = RunDifference(steps[0], steps[1])
    printer.result(difference.text)
    return difference.steps.isEmpty ? .success : .failed
  }

  /// File by file.
  private func suiteDifference(_ first: RecordedRun, _ second: RecordedRun, in store: RunStore) throws -> ExitCode {
    let files = try [first, second].map { suite in
      Dictionary(try store.files(of: suite).map { ($0.run.name, $0.run) }) { $1 }
    }
    var isSame = true
    for name in Set(files[0].keys).union(files[1].keys).sorted() {
      switch (files[0][name], files[1][name]) {
      case (let one?, let other?):
        let steps = [try store.steps(of: one), try store.steps(of: other)]
        if RunDifference(steps[0], steps[1]).steps.isEmpty { continue }
        printer.result(StyledText("\(name)\n", .strong))
        _ = try difference(one, other, in: store)
      case (let one, _):
        printer.result(StyledText("\(name)  only in \(one == nil ? second.id : first.id)\n", .strong))
      }
      isSame = false
    }
    if isSame { errors.note("the suites \(first.id) and \(second.id) got the same responses") }
    return isSame ? .success : .failed
  }
}
