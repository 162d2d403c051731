internal import Diagnostics
internal import Presentation
internal import RequestProgram
internal import Requests
package import RunStore
package import Sessions
internal import Synchronization
internal import UploaderCore

/// A run in progress: its steps in some format, and beside them, for people, its progress and what went wrong.
package final class RunReporter: Reporter {
  private let printer: Printer
  private let steps: any StepWriter
  private let streams: StreamDisplay?
  private let progress: ProgressDisplay
  private let failures = FailureDeduplicator()
  private let state: Mutex<State>
  /// Whether a last line says how many steps there were: somebody looks, and nothing else is shown.
  private let sumsUp: Bool
  private let now: @Sendable () -> Duration

  private struct State {
    var errors: ErrorPrinter
    /// The positions of steps that were in the journal, so that they were not sent.
    var recalled: Set<StepPosition> = []
    /// What was reported to be wrong with an upload.
    var lint: Set<StyledText> = []
    /// How many exchanges were examined for that.
    var examined = 0
    var tally: StepTally
  }

  /// - Parameters:
  ///   - showsProgress: whether it is the only run that shows its progress.
  ///   - showsStreams: whether it shows what comes bit by bit as it comes.
  package init(
    _ printer: Printer, _ style: ReportStyle, showsProgress: Bool, showsStreams: Bool = false,
    now: @escaping @Sendable () -> Duration
  ) {
    self.printer = printer
    self.now = now
    sumsUp = showsProgress && style.format == .lines && style.amount != .quiet && printer.errorOutput.isTerminal
    let progress = ProgressDisplay(output: showsProgress ? printer.errorOutput : .nowhere, now: now)
    self.progress = progress
    streams = showsStreams ? StreamDisplay(printer, style.amount, now: now, clear: progress.clear) : nil
    steps = style.writer(printer, streams: streams)
    state = Mutex(State(errors: ErrorPrinter(printer), tally: StepTally(since: now())))
  }

  package func on(_ event: RunEvent) {
    switch event {
    case .upload(let event): on(event)
    case .stream(let event): streams?.on(event)
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .read, .recording, .wrote: state.withLock { $0.errors.on(event) }
    case .checked(let diagnostics):
      state.withLock { state in
        // A run that is continued after an answer begins again.
        state.tally = StepTally(since: now())
        for diagnostic in diagnostics where diagnostic.severity == .error {
          steps.write(problem: diagnostic.message, at: diagnostic)
        }
        state.errors.on(event)
      }
    case .refused(let refusal):
      state.withLock { state in
        if let report = refusal.errorReport { steps.write(problem: report.message, at: nil) }
        state.errors.on(event)
      }
    case .failed(let error): failed(error)
    case .stopped(let error, let exchanges): lint(error, after: exchanges)
    case .recorded, .queue: break
    case .ended(let end):
      state.withLock { state in
        for repetition in failures.repetitions { state.errors.note(repetition) }
        if sumsUp, !end.isOfRecord, let sum = state.tally.sentence(at: now()) { state.errors.note(sum) }
        // What is undecided has its own words for how it goes on.
        if let command = end.resumeCommand, !(end.error?.isUndecided ?? false) {
          state.errors.note("continue with: \(command)")
        }
      }
    }
  }

  private func on(_ event: UploadEvent) {
    if !(streams?.isShowing ?? false) { progress.observe(event) }
    switch event {
    case .recalled(_, let position): state.withLock { _ = $0.recalled.insert(position) }
    case .step(let record, let position):
      progress.clear()
      state.withLock { state in
        let isRecorded = state.recalled.contains(position)
        state.tally.count(record, isRecorded: isRecorded)
        steps.write(record, isRecorded: isRecorded)
      }
      // What was shown as it came, and broke off, has its last line, too.
      if case .failed(_, let exchange?) = record, exchange.response.cut != nil {
        state.withLock { _ in
          if streams != nil {
            steps.write(exchange, number: exchange.description.head.number, isRecorded: false)
          }
          if exchange.isEndedStream { steps.write(savedBodyOf: exchange) }
        }
      }
    case .secrets, .asked, .sending, .progress, .group, .retrying, .redirected, .received: break
    }
  }

  private func failed(_ error: UploadError) {
    progress.clear()
    state.withLock { state in
      let message = error.message
      let isNew = failures.insert(error, message)
      if case .expectations(let unmet, let exchange) = error.fact {
        steps.write(failed: exchange, number: exchange.description.head.number, unmet: unmet, isBrief: !isNew)
      } else {
        steps.write(unanswered: error, message: message)
      }
      if isNew { state.errors.print(error) }
    }
  }

  /// What is wrong with an upload, if that is why the step failed.
  private func lint(_ error: UploadError, after exchanges: [Exchange]) {
    let cause: StyledText
    let examined = state.withLock { min($0.examined, exchanges.count) }
    switch error.fact {
    case .group(let errors):
      for error in errors { lint(error, after: exchanges) }
      return
    case .expectations(_, let exchange): cause = diagnosis(exchanges).cause(of: exchange, after: examined)
    case .sequence, .transport: cause = diagnosis(exchanges).cause(of: nil, after: examined)
    case .profile, .unsaved, .secretRefused, .framing, .journal, .cancelled, .signIn: return
    }
    let isNew = state.withLock { state in
      state.examined = exchanges.count
      return state.lint.insert(cause).inserted
    }
    if isNew { printer.error(cause) }
  }

  private func diagnosis(_ exchanges: [Exchange]) -> UploadDiagnosis {
    UploadDiagnosis(exchanges: exchanges, writtenIn: state.withLock { $0.errors.sources })
  }
}

extension RecordingNotice {
  /// For people.
  package var sentence: String {
    switch self {
    case .impossible(let error): "this run is not recorded: \(error)"
    case .endMissing(let error): "the end of this run is not recorded: \(error)"
    case .goingBack: "going back to the step that allocated it"
    case .earlierLanguage(let version):
      "it was recorded in version \(version) of the language, and means what it meant there"
    }
  }
}

extension RunRefusal {
  /// Why a run does not begin; nil: that was reported by the check, or nothing is wrong.
  var errorReport: ErrorReport? {
    switch self {
    case .wrong, .done: nil
    case .file(let error): ErrorReport("\(error)")
    case .nothingToRun(let script, let names):
      ErrorReport(
        "\(script) has no steps to run",
        notes: names.isEmpty ? [] : ["name one of its sequences: \(names.joined(separator: ", "))"])
    case .program(let error):
      ErrorReport(
        error.diagnostic.message, notes: [error.diagnostic.label].compactMap(\.self) + error.diagnostic.notes)
    case .unrecordable(let error): ErrorReport("\(error)", notes: ["--no-record runs it without a record"])
    case .store(let error): ErrorReport("\(error)", notes: error.advice)
    case .suite(let run, let commands):
      ErrorReport(
        "run \(run) is a suite, and each of its files has a run of its own",
        notes: commands.isEmpty ? ["none of them has anything left to do: workbench show \(run) lists them"] : commands)
    case .notAScript(let run):
      ErrorReport("run \(run) does not belong to a script: only the program that made it can continue it")
    case .laterLanguage(let error): ErrorReport("\(error)", notes: ["update workbench"])
    case .textWithoutSecrets(let error):
      ErrorReport("\(error)", notes: ["put the file back as it was; or run it anew"])
    case .abandoned(let run): ErrorReport("run \(run) was abandoned", notes: ["run the script again"])
    case .missingSettings(let names):
      ErrorReport(
        "a secret setting is not kept: \(names.joined(separator: ", "))",
        notes: ["give it again: " + names.map { "--set \($0)=…" }.joined(separator: " ")])
    case .secretSettings(let names):
      ErrorReport(
        "a secret is not kept, so it cannot wait in the queue: \(names.joined(separator: ", "))",
        notes: ["let the script take it from the environment: $env.NAME"])
    case .localFiles(let files):
      ErrorReport(
        "it reads files of this machine, and may be performed on another: \(files.joined(separator: ", "))",
        notes: ["--shared-files says that each worker has them under the same paths"])
    case .rows(let problem): ErrorReport(problem.sentence, notes: problem.advice)
    case .overRows(let run):
      ErrorReport("run \(run) is over the rows of a file", notes: ["workbench bulk --resume \(run) continues it"])
    case .withoutResponses(let run):
      ErrorReport(
        "run \(run) is over the rows of a file, and nothing is kept of their responses: there is nothing to replay",
        notes: ["workbench show \(run) has what became of the rows"])
    case .unwritable(let error):
      ErrorReport("\(error)", notes: ["no more rows begin; make room, or name another place when you continue"])
    }
  }
}

extension ErrorPrinter {
  /// Why a run does not begin.
  package func print(_ refusal: RunRefusal) {
    if case .done(let run) = refusal { return note("run \(run) is done: nothing is left to do") }
    if case .program(let error) = refusal, !error.isFromOutside { return print(UploadError(.sequence(error))) }
    if let report = refusal.errorReport { print(report) }
  }

  package func print(_ error: StoreError) {
    print(ErrorReport("\(error)", notes: error.advice))
  }
}

extension StoreError {
  /// What to do about it.
  package var advice: [String] {
    switch self {
    case .noSuchRun: ["workbench runs lists them"]
    case .noSuchOperation: ["workbench queue list lists them"]
    case .ambiguousRun: ["write more of it"]
    case .busy, .busyOperation: ["wait until it is over, or end that process first"]
    case .format: ["update workbench, or name another place with --store DIR"]
    case .unusable where isReadOnly: ["copy it to where it can be written, and name that with --store DIR"]
    case .noSuchStep(let name, let labels):
      SpellingSuggestion.nearest(to: name, among: labels).map { ["did you mean \($0)?"] } ?? []
    case .unusable, .notOurs, .database, .damaged, .noBody, .leaseLost, .unreachable, .server, .address: []
    }
  }
}

extension ReportStyle {
  /// Reports a run that has the screen to itself.
  package func reporter(_ printer: Printer, now: @escaping @Sendable () -> Duration) -> RunReporter {
    // On a terminal the line disappears again; in a log that only failures are to be in, it would stay.
    RunReporter(
      printer, self, showsProgress: amount != .quiet || printer.errorOutput.isTerminal,
      showsStreams: format == .lines && amount == .verbose, now: now)
  }
}

extension RunEnd {
  /// Whether its record stopped it, so that it may begin again.
  fileprivate var isOfRecord: Bool { if case .journal? = self.error?.refusal?.fact { true } else { false } }
}

extension UploadError {
  /// Whether somebody has to say how its step goes on.
  fileprivate var isUndecided: Bool {
    if case .journal(.undecided) = (refusal ?? self).fact { true } else { false }
  }
}
