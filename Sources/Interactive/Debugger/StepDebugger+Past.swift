internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// Back, and what else is making the run again.
extension StepDebugger {
  /// Makes the run again and goes to its next step.
  ///
  /// - Parameter keeps: whether the record of a request still stands.
  mutating func rebuild(_ history: RunHistory, keeps: (RequestDescription, StepRecord) -> Bool = { _, _ in true }) {
    run = SequenceRun(start, replaying: history, keeps: keeps)
    hasChangedPast = true
    printer.learn(run.innermostSequence.secrets)
    failure = nil
    arrive()
  }

  /// The history without the step that failed last.
  var historyThatStands: RunHistory {
    switch stop {
    case .after(let position, _, .some): run.history.before(position)
    case .blocked(_, let position): run.history.before(position)
    case .after(_, _, nil), .before, .nowhere, .end:
      if let failed = run.history.stepRecords.first(where: { $0.record.isFailed }) {
        run.history.before(failed.position)
      } else {
        run.history
      }
    }
  }

  /// Makes the run again after something changed, with the answers to all requests that are as they were.
  mutating func rebuildKeepingAnswers() {
    let history = historyThatStands
    let had = history.exchanges.count
    rebuild(history) { description, record in
      guard !record.isFailed else { return false }
      return record.exchange.map { description.isSameRequest(as: $0.description) } ?? true
    }
    let kept = run.exchanges.count
    if had > 0 { say("kept \(kept) of \(had) \(had == 1 ? "answer" : "answers")") }
  }

  // MARK: Commands

  mutating func back(_ argument: String) {
    let steps = pastSteps
    let target: StepPosition?
    if let count = Int(argument.isEmpty ? "1" : argument), count > 0, argument.isEmpty || !isStep(argument, in: steps) {
      target = steps.dropLast(count - 1).last
    } else {
      target = position(of: argument, in: steps)
    }
    guard let target else {
      return complain(
        argument.isEmpty || Int(argument) != nil
          ? "there are no so many steps behind" : "no step \"\(argument)\" was done")
    }
    goBack(to: target)
  }

  mutating func goBack(to target: StepPosition) {
    let undone = run.history.stepRecords.filter { $0.position >= target }.compactMap(\.record.exchange)
    rebuild(run.history.before(target))
    for exchange in undone where exchange.description.head.effect == .once {
      guard sentOnce.contains(exchange.description) else { continue }
      say(
        "warning: \(exchange.label ?? exchange.request.method.rawValue) took place and is not undone by this", .warning)
    }
    show()
  }

  mutating func goto(_ name: String) {
    guard !name.isEmpty else { return complain("which step?", "g upload") }
    if let target = position(of: name, in: pastSteps) { return goBack(to: target) }
    let before = self
    switch stop {
    // The step that failed is skipped too.
    case .after(let position, _, .some): rebuild(run.history.before(position))
    case .after(_, _, nil): arrive()
    case .before, .blocked, .end, .nowhere: break
    }
    var skipped: [(position: StepPosition, description: RequestDescription)] = []
    while case .before(let description, let position) = stop {
      if isStep(name, description) {
        for (position, description) in skipped { recordTaken(Self.skipped(description), at: position) }
        let names = skipped.map { $0.description.head.label ?? $0.description.head.method.rawValue }
        if !names.isEmpty { say("skipped \(names.joined(separator: ", "))") }
        return show()
      }
      skipped.append((position, description))
      run.record(Self.skipped(description))
      arrive()
    }
    self = before
    complain("there is no step \"\(name)\" to go to", "l shows the script")
  }

  /// Does not send the step: takes its earlier answer, the one that is given, or none.
  mutating func skip(_ argument: String) {
    if case .after(let position, _, .some) = stop { rebuild(run.history.before(position)) }
    guard case .before(let description, let position) = stop else {
      return complain("there is no step to skip here")
    }
    if argument.isEmpty {
      guard let answer = usableAnswer(for: description, at: position) else {
        run.record(Self.skipped(description))
        recordTaken(Self.skipped(description), at: position)
        StepLines(printer, .normal).write(
          skipped: description.head.label, reason: "no answer is given for it")
        arrive()
        return show()
      }
      say("took the answer it had")
      return accept(answer, at: position)
    }
    guard let response = Response(typed: argument) else {
      return complain("an answer is a status and perhaps a body", "k 200 {\"state\": \"ready\"}")
    }
    do {
      let prepared = try session.prepare(description, of: run.innermostSequence)
      let answer = Exchange(
        description: description,
        request: SentRequest(method: prepared.request.method, url: prepared.request.url, origin: prepared.origin),
        response: response, profile: prepared.profile, started: world.clock.now())
      accept(answer, at: position)
    } catch {
      errors.print(error)
    }
  }

  private static func skipped(_ description: RequestDescription) -> StepRecord {
    .skipped(label: description.head.label, reason: "skipped in the debugger")
  }

  /// The answer this very request had, if it had one that was as expected.
  func usableAnswer(for description: RequestDescription, at position: StepPosition) -> Exchange? {
    guard let answer = attempts[position]?.last ?? recordedAnswer(to: description, at: position),
      answer.description.isSameRequest(as: description),
      run.innermostSequence.unmetExpectations(of: answer).isEmpty
    else { return nil }
    return answer
  }

  /// Takes an answer that did not come over the wire just now.
  mutating func accept(_ answer: Exchange, at position: StepPosition) {
    let sequence = run.innermostSequence
    printer.learn(sequence.secrets(in: answer))
    let unmet = sequence.unmetExpectations(of: answer)
    let record =
      !unmet.isEmpty
      ? StepRecord.failed(label: answer.label, answer)
      : sequence.isRepeated(after: answer) ? .round(answer) : .exchange(answer)
    run.record(record)
    recordTaken(record, at: position)
    undecided.remove(position)
    guard unmet.isEmpty else {
      return fail(UploadError(.expectations(unmet, answer), in: answer.description.head), at: position)
    }
    attempts[position, default: []].append(answer)
    summarize(answer)
    arrive()
    show()
  }

  // MARK: Which step is meant

  /// The steps that are behind, each once, however many rounds it had; the one it stands behind is the last of them.
  private var pastSteps: [StepPosition] {
    var steps: [StepPosition] = []
    var isInside = false
    for (position, record) in run.history.stepRecords {
      if !isInside { steps.append(position) }
      if case .round = record { isInside = true } else { isInside = false }
    }
    if case .blocked(_, let position) = stop, !steps.contains(position) { steps.append(position) }
    return steps
  }

  private func isStep(_ name: String, in steps: [StepPosition]) -> Bool { position(of: name, in: steps) != nil }

  /// The last step of that label; a number names none here, it counts.
  private func position(of name: String, in steps: [StepPosition]) -> StepPosition? {
    let records = Dictionary(run.history.stepRecords.map { ($0.position, $0.record) }) { $1 }
    return steps.last { position in
      switch records[position] {
      case .exchange(let exchange)?, .round(let exchange)?, .failed(_, let exchange?)?:
        isStep(name, exchange.description)
      case .failed(let label, nil)?, .skipped(let label, _)?: label == name
      case .group?, nil: false
      }
    }
  }

  /// `put`, `put[3]`, or `$3`.
  func isStep(_ name: String, _ description: RequestDescription) -> Bool {
    let head = description.head
    if name.hasPrefix("$") { return head.number.map { "$\($0)" == name } ?? false }
    if head.label == name { return true }
    return head.label.map { $0 + head.items.map { "[\($0)]" }.joined() == name } ?? false
  }
}

extension Response {
  /// `200`, `201 {"id": 7}`, `204`: a body that begins like JSON is JSON.
  fileprivate init?(typed text: String) {
    let word = text.prefix { !$0.isWhitespace }
    guard let code = Int(word), (100...599).contains(code) else { return nil }
    let body = String(text.dropFirst(word.count).drop(while: \.isWhitespace))
    var headers: HTTPFields = [:]
    if !body.isEmpty {
      headers[.contentType] = body.hasPrefix("{") || body.hasPrefix("[") ? "application/json" : "text/plain"
    }
    self.init(status: HTTPResponse.Status(code: code), headers: headers, body: ResponseBody(Array(body.utf8)))
  }
}
