internal import JSONValue
internal import RequestProgram
internal import Requests
internal import Sessions
internal import UploaderCore

/// Changes to the script or a response; each ends with making the run again.
extension DebugMachine {
  mutating func change(_ changed: DebuggedScript, _ start: ProgramRequestSequence) {
    script = changed
    self.start = start
    actions.append(.recordScript(changed))
    learnPutSecrets()
    let history = historyThatStands
    let count = history.exchanges.count
    rebuildKeepingResponses(history)
    if count > 0 { tell(.kept(run.exchanges.count, of: count)) }
    show()
  }

  mutating func setResponse(_ change: ResponseChange) {
    let found = run.history.stepRecords.last { step in
      step.record.exchange.map {
        isStep(change.step, $0.description) || isStep("$" + change.step, $0.description)
      } ?? false
    }
    guard let found, let response = found.record.exchange else {
      return tell(.refused(.noResponseOf(change.step)))
    }
    guard let (new, secrets) = change.value.json(leavingBy: .record),
      let bytes = try? response.response.body.bytes(), var json = try? JSON(parsing: bytes),
      json.set(change.keys[...], to: new)
    else { return tell(.refused(.notSettable)) }
    // What was made from a secret is one wherever it is read.
    putSecrets.append((secrets, "\(found.position) set \(putSecrets.count)"))
    learnPutSecrets()
    var history = historyThatStands
    history.replaceRecord(
      at: found.position, with: found.record.with(response.with(JSONPrinter.compact.print(json))))
    rebuildKeepingResponses(history)
    if let changed = run.history.stepRecords.first(where: { $0.position == found.position }) {
      record(changed.record, at: changed.position)
    }
    show()
  }

  /// Tells the sequence, and whoever shows something, what was put into responses.
  private mutating func learnPutSecrets() {
    for (secrets, place) in putSecrets { start.learn(secrets, madeAt: place) }
    learn(start.secrets)
  }
}

extension StepRecord {
  /// The same with another response.
  fileprivate func with(_ response: Exchange) -> StepRecord {
    switch self {
    case .exchange: .exchange(response)
    case .round: .round(response)
    case .failed(let label, _): .failed(label: label, response)
    case .skipped, .group: self
    }
  }
}
