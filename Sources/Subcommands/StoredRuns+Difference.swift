internal import Formats
internal import Presentation
internal import RunStore
package import Sessions

extension StoredRuns {
  /// What differs between two runs, step by step. Success means that nothing does.
  package func difference(_ first: String, _ second: String) -> ExitCode {
    withStore { store in
      let runs = [try store.run(first), try store.run(second)]
      let steps = [try store.steps(of: runs[0]), try store.steps(of: runs[1])]
      printer.secrets.learn(RecordedStep.cookieSecrets(in: steps.joined()))
      let difference = RunDifference(steps[0], steps[1])
      printer.result(difference.text)
      if difference.steps.isEmpty { errors.note("the runs \(runs[0].id) and \(runs[1].id) got the same responses") }
      return difference.steps.isEmpty ? .success : .failed
    }
  }
}
