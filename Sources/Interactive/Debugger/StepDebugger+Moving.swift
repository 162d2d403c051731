internal import HTTPTypes
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import Requests
internal import UploaderCore

/// Forward.
extension StepDebugger {
  /// Goes to the next request, and stops before it.
  mutating func arrive() {
    while true {
      var position = run.position
      var asked: [StepPosition] = []
      let moment = world.moment
      do {
        defer { for position in asked { record?.note(moment, at: position) } }
        let step = try run.next(at: { next in
          position = next
          asked.append(next)
          return moment
        })
        printer.learn(run.innermostSequence.secrets)
        switch step {
        case .request(let description)?:
          stop = .before(description, run.position)
          return
        case .skipped(let label, let reason)?:
          run.record(.skipped(label: label, reason: reason))
          StepPrinter(printer, .normal).print(.skipped(label: label, reason: reason))
        case .group?, nil:
          stop = .end
          return
        }
      } catch {
        printer.learn(run.innermostSequence.secrets)
        let failure = UploadError(.sequence(error))
        self.failure = failure
        stop = .blocked(failure, position)
        return
      }
    }
  }

  /// Sends the step it stands before, and goes to the next stop.
  mutating func next() async {
    switch stop {
    case .before:
      guard await sendPending() else { return }
      arrive()
    case .after, .nowhere: arrive()
    case .blocked: goOnBehindFailure()
    case .end: break
    }
    show()
  }

  /// Sends the step it stands before, and stops behind it.
  mutating func send() async {
    guard case .before(_, let position) = stop else {
      return complain("there is no step to send here", "r sends the last one again, n goes on")
    }
    guard await sendPending() else { return }
    let answer = attempts[position]?.last
    stop = .after(position, answer, nil)
    if let answer { showBody(of: answer) }
    show()
  }

  /// Sends the step again that was sent last.
  mutating func resend() async {
    switch stop {
    case .before: await send()
    case .after(let position, _, _):
      rebuild(run.history.before(position))
      await send()
    case .blocked, .end, .nowhere: complain("there is no step to send again here", "back goes before one")
    }
  }

  /// Goes on to the next breakpoint or failure.
  mutating func proceed(isFirst: Bool) async {
    var ignoresBreakpoint = !isFirst
    switch stop {
    case .after, .nowhere: arrive()
    case .blocked: goOnBehindFailure()
    case .before, .end: break
    }
    while case .before(let description, let position) = stop {
      if !ignoresBreakpoint, stops(before: description) { break }
      ignoresBreakpoint = false
      guard await sendPending() else { return }
      if let answer = attempts[position]?.last, stops(after: answer) {
        stop = .after(position, answer, nil)
        break
      }
      arrive()
    }
    show()
  }

  private mutating func goOnBehindFailure() {
    arrive()
    if case .blocked = stop { stop = .end }
  }

  /// Sends the request it stands before, once.
  ///
  /// - Returns: whether it went well; if not, it stops behind the failure and says so.
  private mutating func sendPending() async -> Bool {
    guard case .before(let description, let position) = stop else { return false }
    guard await mayBeSent(description, at: position) else { return false }
    let before = run
    var recording = uploader
    do throws(JournalError) {
      recording.journal = try recordPast(at: position)
    } catch {
      errors.print(UploadError(.journal(error), in: description.head))
      return false
    }
    progress.begin()
    let step = await world.interrupts.withCancellation { [recording] in
      await StepOutcome(of: before, by: recording, groups: .oneByOne)
    }
    progress.clear()
    flushRecord()
    undecided.remove(position)
    unanswered = description
    run = step.run
    printer.learn(run.innermostSequence.secrets)
    if description.head.effect == .once, step.result.mayHaveTakenEffect { sentOnce.append(description) }
    switch step.result {
    case .success(let record):
      failure = nil
      if let record { StepPrinter(printer, .normal).print(record) }
      if case .round(let exchange)? = record { summarize(exchange) }
      if let exchange = record?.exchange { attempts[position, default: []].append(exchange) }
      return true
    case .failure(let error):
      if error.outcome == .unknown { undecided.insert(position) }
      if error.isFromJournal {
        run = before
        errors.print(error)
      } else if error.isInterruption {
        run = before
        say("interrupted: \(outcome(of: error))", .warning)
        show()
      } else {
        fail(error, at: position)
      }
      return false
    }
  }

  private func outcome(of error: UploadError) -> String {
    switch error.outcome {
    case .unknown: "the request may have arrived, and may have taken effect"
    case .permanent, .transient: "it stands before the step again"
    }
  }

  /// Stops behind a step that failed, with all there is to say of it.
  mutating func fail(_ error: UploadError, at position: StepPosition) {
    failure = error
    var answer: Exchange?
    if case .expectations(_, let exchange) = error.fact {
      answer = exchange
      attempts[position, default: []].append(exchange)
      summarize(exchange)
      showBody(of: exchange, lines: 6)
    }
    stop = .after(position, answer, error)
    errors.print(error)
    show()
    lintFailure(answer)
  }

  // MARK: Once is once

  /// Asks on a terminal before a request is sent again that should happen once.
  private func mayBeSent(_ description: RequestDescription, at position: StepPosition) async -> Bool {
    let wasSentBefore = description.head.effect == .once && sentOnceBefore.contains(position)
    guard wasSentBefore || sentOnce.contains(where: { $0.isSameStep(as: description) }) else { return true }
    let what = "\(description.head.label ?? description.head.method.rawValue) was sent before and may have taken effect"
    guard editor.isInteractive else {
      say("warning: \(what); sending it again", .warning)
      return true
    }
    say("warning: \(what)", .warning)
    let answer = await editor.readLine(prompt: "send it again? [y/N] ")
    if case .line(let text) = answer, text.lowercased().hasPrefix("y") { return true }
    say("not sent")
    return false
  }
}

extension Result<StepRecord?, UploadError> {
  /// Whether it may have taken effect: it left, as far as is known, and was not refused.
  fileprivate var mayHaveTakenEffect: Bool {
    switch self {
    case .success: true
    case .failure(let error):
      switch error.fact {
      case .expectations(_, let exchange): exchange.response.status.kind != .clientError
      case .unsaved: true
      case .transport(let failure, _): failure.requestWasSent
      case .sequence, .profile, .secretRefused, .framing, .cancelled, .journal, .group: false
      }
    }
  }
}

extension UploadError {
  /// Whether ^C ended it.
  fileprivate var isInterruption: Bool {
    switch fact {
    case .cancelled: true
    case .transport(let error, _): error.fact == .cancelled
    case .sequence, .profile, .expectations, .unsaved, .secretRefused, .framing, .journal, .group: false
    }
  }
}

extension RequestDescription {
  /// Whether both are the same step, in the same iteration, to the same place.
  fileprivate func isSameStep(as other: RequestDescription) -> Bool {
    head.method == other.head.method && head.label == other.head.label && head.items == other.head.items
      && head.target == other.head.target
  }
}
