internal import Debugger
internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
internal import Sessions
internal import UploaderCore

/// The machine's news, in words.
extension StepDebugger {
  mutating func show(_ action: DebugAction) {
    switch action {
    case .tell(let news): tell(news)
    case .showStop: if showsStops { show() }
    case .diagnose(let response): diagnose(response)
    case .learn, .note, .ask, .send, .replay, .record, .recordScript: break
    }
  }

  private mutating func tell(_ news: DebugNews) {
    switch news {
    case .done(let record):
      if let exchange = record.exchange, isShown(exchange) { streamed = exchange }
      StepLines(printer, .normal).write(record, isRecorded: false)
      if case .round(let exchange) = record { summarize(exchange, isLast: false) }
    case .failed(let error, let response):
      if let response {
        let isShown = isShown(response)
        summarize(response)
        if !isShown { showBody(of: response, lines: 6) }
      }
      errors.print(error)
    case .interrupted(let error): say("interrupted: \(Self.consequence(of: error))", .warning)
    case .error(let error): errors.print(error)
    case .programError(let error): errors.print([error.diagnostic])
    case .unreadable(let diagnostics): errors.print(diagnostics)
    case .took(let response, let isEarlier):
      if isEarlier {
        if showsStops { say("took the response it had") }
        summarize(response)
      } else {
        printer.result(ExchangeRenderer().given(response, number: response.description.head.number))
      }
    case .leftOut(let description):
      StepLines(printer, .normal).write(skipped: description.head.label, reason: "no response is given for it")
    case .skipped(let descriptions):
      let names = descriptions.map { $0.head.label ?? $0.head.method.rawValue }
      say("skipped \(names.joined(separator: ", "))")
    case .atBreakpoint(let number):
      if let breakpoint = machine.breakpoints[number] { say("breakpoint \(number), \(breakpoint.description)") }
    case .response(let response): if response != streamed { showBody(of: response) }
    case .notSent: say("not sent")
    case .kept(let kept, let count): say("kept \(kept) of \(count) \(count == 1 ? "response" : "responses")")
    case .notUndone(let exchange):
      say(
        "warning: \(exchange.label ?? exchange.request.method.rawValue) happened and is not undone by this", .warning)
    case .recalled(0): say("nothing was sent")
    case .recalled(let count): say("\(count) recorded \(count == 1 ? "response" : "responses"), nothing was sent")
    case .obstacle(let obstacle): tell(obstacle)
    case .changeUnrecorded(let error): errors.note("this change is not recorded: \(error)")
    case .refused(let refusal): complain(refusal)
    }
  }

  /// Ends what was shown of the response as it came.
  ///
  /// - Returns: whether its body was shown.
  private func isShown(_ exchange: Exchange) -> Bool {
    streams.finish(exchange, number: exchange.description.head.number)
  }

  private static func consequence(of error: UploadError) -> String {
    switch error.outcome {
    case .unknown: "the request may have arrived, and may have taken effect"
    case .permanent, .transient: "the run is before the step again"
    }
  }

  /// Why a recorded response was not taken.
  private mutating func tell(_ obstacle: RecallObstacle) {
    switch obstacle {
    case .changed(let step, let description, let position):
      guard let difference = difference(from: step, description, at: position, nil) else { return }
      say("this request is not the one that was recorded, so its response is not taken", .warning)
      printer.result(difference)
    case .refused(.undecided(let position, .secret(let name))):
      renewed = position
      var asks = false
      if case .before(let description, position) = stop { asks = machine.asksBeforeSending(description, at: position) }
      say(
        "the response to this step contained the secret \"\(name)\", which is not kept: n sends it again\(asks ? " after asking" : "") and brings a new one",
        .warning)
      let rest = machine.standing.count - run.exchanges.count - 1
      if rest > 0 { say("\(rest) more \(rest == 1 ? "response is" : "responses are") kept, and taken after that") }
    case .refused(.undecided(_, .givenSecret(let name))):
      say(
        "the response that was given to this step contained the secret \"\(name)\", which is not kept: give it again",
        .warning)
    case .refused(.undecided(_, .bodyLost)):
      say("the body of the response to this step was not kept, since the disk was full", .warning)
    case .refused(.store(let reason)): complain("a response cannot be recovered: \(reason)")
    case .refused: break
    }
  }

  private func complain(_ refusal: DebugRefusal) {
    switch refusal {
    case .noStepToSend: complain("there is no step to send here", "r resends the last one, n continues")
    case .noStepToResend: complain("no step has been sent yet", "n or s sends this one")
    case .noStepToSkip: complain("there is no step to skip here")
    case .tooFarBack(let count):
      complain(count == 0 ? "no step has run yet" : "only \(count) \(count == 1 ? "step has" : "steps have") run")
    case .noPastStep(let name) where stop.isBefore(name): complain("\"\(name)\" is the step here", "n sends it")
    case .noPastStep(let name): complain("no step \"\(name)\" has run")
    case .needsSkipped(let name):
      var ways = "b \(name), then c, sends those before it"
      if case .before(let description, let position) = stop,
        machine.usableResponse(for: description, at: position) != nil
      {
        ways = "k takes the response that the step here had; \(ways)"
      }
      complain("\"\(name)\" needs a step that would be skipped", ways)
    case .noSuchStep(let name): complain("there is no step \"\(name)\" to go to", "l shows the script")
    case .noResponseToReplace: complain("there is no response here to edit", "k 200 {…} gives one")
    case .noResponseOf(let name) where hasResponseFromBefore(name):
      complain("there is no response from \"\(name)\" here", "k takes the one it had before, and set changes that")
    case .noResponseOf(let name): complain("there is no response from \"\(name)\" to change")
    case .notSettable:
      complain("only values in a JSON body can be set, by names and indices, and texts of header fields")
    case .unchangedResponse(let name): complain("the response of \"\(name)\" is what was received")
    }
  }

  /// Whether it is before the step of that name, which had a response.
  private func hasResponseFromBefore(_ name: String) -> Bool {
    guard stop.isBefore(name), case .before(let description, let position) = stop else { return false }
    return machine.usableResponse(for: description, at: position) != nil
  }

  /// How the step differs from what was recorded of it.
  ///
  /// - Parameter response: its response; nil: it was not sent.
  func difference(
    from step: RecordedStep, _ description: RequestDescription, at position: StepPosition, _ response: Exchange?
  ) -> StyledText? {
    guard let journalled = machine.journalled(description, at: position, response) else { return nil }
    let now = RecordedStep(journalled, response)
    secrets.learn(RecordedStep.cookieSecrets(in: [step, now]))
    return RunDifference([step], [now]).steps.reduce(into: StyledText()) {
      for line in $1.lines { $0.append(line) }
    }
  }
}

extension DebugMachine.Stop {
  /// Whether it is before the step of that name.
  fileprivate func isBefore(_ name: String) -> Bool {
    if case .before(let description, _) = self { description.head.label == name } else { false }
  }
}
