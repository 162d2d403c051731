internal import HTTPTypes
internal import JSONValue
internal import RequestProgram
package import Requests
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
    guard let (position, response) = lastResponse(of: change.step) else {
      return tell(.refused(.noResponseOf(change.step)))
    }
    guard let (new, secrets) = change.value.json(leavingBy: .record),
      let changed = response.with(new, at: change.place)
    else { return tell(.refused(.notSettable)) }
    // What was made from a secret is one wherever it is read.
    putSecrets.append((secrets, "\(position) set \(putSecrets.count)"))
    learnPutSecrets()
    changedResponses[position] = ChangedResponse(original: original(of: response, at: position), changed: changed)
    replaceResponse(at: position, with: changed)
  }

  /// A step's response is again what was received.
  mutating func restoreResponse(of step: String) {
    guard let (position, response) = lastResponse(of: step) else { return tell(.refused(.noResponseOf(step))) }
    guard isChanged(response, at: position) else { return tell(.refused(.unchangedResponse(step))) }
    let original = original(of: response, at: position)
    changedResponses[position] = nil
    replaceResponse(at: position, with: original)
  }

  /// Whether it is not what was received, but what was made of that here.
  package func isChanged(_ response: Exchange, at position: StepPosition) -> Bool {
    changedResponses[position]?.changed == response
  }

  private func original(of response: Exchange, at position: StepPosition) -> Exchange {
    changedResponses[position].flatMap { $0.changed == response ? $0.original : nil } ?? response
  }

  private func lastResponse(of name: String) -> (position: StepPosition, response: Exchange)? {
    let found = run.history.stepRecords.last { step in
      step.record.exchange.map { isStep(name, $0.description) || isStep("$" + name, $0.description) } ?? false
    }
    return found.flatMap { found in found.record.exchange.map { (found.position, $0) } }
  }

  private mutating func replaceResponse(at position: StepPosition, with response: Exchange) {
    guard let record = run.history.stepRecords.first(where: { $0.position == position })?.record else { return }
    var history = historyThatStands
    history.replaceRecord(at: position, with: record.with(response))
    rebuildKeepingResponses(history)
    if let changed = run.history.stepRecords.first(where: { $0.position == position }) {
      self.record(changed.record, at: changed.position)
    }
    show()
  }

  /// Tells the sequence, and whoever shows something, what was put into responses.
  private mutating func learnPutSecrets() {
    for (secrets, place) in putSecrets { start.learn(secrets, madeAt: place) }
    learn(start.secrets)
  }
}

extension Exchange {
  /// The same with another value there; nil: there is no such place, or none for such a value.
  fileprivate func with(_ value: JSON, at place: ResponseChange.Place) -> Exchange? {
    switch place {
    case .body(let keys):
      guard let bytes = try? self.response.body.bytes(), var json = try? JSON(parsing: bytes),
        json.set(keys[...], to: value)
      else { return nil }
      return with(JSONPrinter.compact.print(json))
    case .header(let name):
      guard let name = HTTPField.Name(name) else { return nil }
      var response = self.response
      switch value {
      case .string(let text): response.headers[name] = text
      case .number(let number): response.headers[name] = number.text
      case .null: response.headers[name] = nil
      case .bool, .array, .object: return nil
      }
      return with(response)
    }
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
