internal import Debugger
internal import Formats
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
internal import Sessions
internal import Subcommands
internal import UploaderCore

/// What differs from a recorded run.
extension StepDebugger {
  /// Compares the named step, else the one it stopped after, else everything so far and the request that comes next.
  ///
  /// - Parameter argument: `RUN` or `RUN STEP`; `last` is the newest other run of this script.
  func difference(fromRun argument: String) {
    let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
    do throws(StoreError) {
      let store: RunStore
      if let record = driver.record { store = record.store } else { store = try recordedRuns.open() }
      guard let recorded = try words[0] == "last" ? lastRun(in: store) : store.run(words[0]) else {
        return complain("no other run of this script is recorded", "workbench runs lists all; diff RUN takes any")
      }
      let now = currentSteps(words.dropFirst().first)
      guard !now.isEmpty else {
        return complain(words.count > 1 ? "no step \"\(words[1])\" has run" : "there is no step to compare yet")
      }
      let unsent = Set(now.filter { $0.response == nil }.map(\.name))
      let names = Set(now.map(\.name))
      let then = try store.steps(of: recorded).filter { names.contains($0.name) }
        .map { unsent.contains($0.name) ? $0.withoutResponse : $0 }
      secrets.learn(RecordedStep.cookieSecrets(in: then + now))
      let difference = RunDifference(then, now, names: ("run \(recorded.id)", "this run"))
      let age = NumberFormat.age(world.clock.now() - recorded.created)
      var text = StyledText("run \(recorded.id), begun \(age), \(recorded.stateText) → now\n", .faint)
      text.append(difference.text)
      let count = now.count == 1 ? now[0].name : "\(now.count) steps"
      if difference.steps.isEmpty { text.append("no difference in \(count)\n", .faint) }
      printer.long(text)
    } catch {
      complain("\(error)", error.advice.first ?? "workbench runs lists them")
    }
  }

  /// What is compared.
  private func currentSteps(_ name: String?) -> [RecordedStep] {
    var steps: [RecordedStep] = []
    for (position, record) in run.history.stepRecords {
      guard let exchange = record.exchange else { continue }
      if let name {
        guard machine.isStep(name, exchange.description) else { continue }
      } else if case .after(let current, _, _) = stop, current != position {
        continue
      }
      if let step = machine.journalled(exchange.description, at: position, exchange) {
        steps.append(RecordedStep(step, exchange))
      }
    }
    guard case .before(let description, let position) = stop, name.map({ machine.isStep($0, description) }) ?? true,
      let step = machine.journalled(description, at: position, nil)
    else { return steps }
    return steps + [RecordedStep(step, nil)]
  }

  /// The newest other run of this script.
  private func lastRun(in store: RunStore) throws(StoreError) -> RecordedRun? {
    let mine = script.map { RunSetup(debugging: $0, in: world) }
    for run in try store.runs(limit: 200) where run.id != driver.record?.id {
      guard let mine else { return run }
      if try store.setup(of: run).isOfSameScript(as: mine) { return run }
    }
    return nil
  }
}
