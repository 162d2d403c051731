internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// Makes the lines of a report from what is recorded of a run or of a suite.
package struct RecordedReport {
  private let store: RunStore
  private let concealment: ReportConcealment
  private let world: World
  private let comparison: RunComparison

  package init(_ store: RunStore, secrets: KnownSecrets, in world: World) {
    self.store = store
    concealment = ReportConcealment(secrets: secrets)
    self.world = world
    comparison = RunComparison(store, secrets: secrets)
  }

  /// The version of the language that it was written in.
  private func language(of run: RecordedRun) throws -> Int { try store.setup(of: run).script.language }

  /// - Parameter write: takes the lines.
  /// - Returns: how it ended, as far as that is recorded.
  package func lines(of run: RecordedRun, _ write: (ReportLine) -> Void) throws -> ExitCode {
    let isSuite = run.kind == RunSetup.suiteKind
    let setup = isSuite ? try store.setup(of: run) : nil
    let files = isSuite ? try store.files(of: run) : [(index: 0, run: run)]
    let members = Dictionary(uniqueKeysWithValues: files.map { ($0.index, $0.run) })
    let told = ToldLines.read(setup?.texts ?? [])
    write(
      ReportLine(
        .suite,
        [
          "version": ^ReportLine.version, "program": .string("workbench \(ProgramVersion.current)"),
          "language": ^(try language(of: files.first?.run ?? run)),
          "started": .string(CivilTime(run.created).rfc3339Milliseconds),
          "files": ^(setup?.parameters["files"]?.int ?? members.count),
          "id": .string(run.id),
        ]))
    var counts = ReportCounts()
    var (count, failed) = (0, 0)
    var isInterrupted = run.state == .open
    // A file that was never begun is in no report.
    for index in Set(members.keys).union(told.files.keys).sorted() {
      let code = try lines(of: members[index], index: index, told.files[index] ?? ToldLines.File(), &counts, write)
      count += 1
      if code != .success { failed += 1 }
      if code == .interrupted { isInterrupted = true }
    }
    if let end = told.end {
      write(end)
      return end["exit-code"]?.int.flatMap { ExitCode(rawValue: Int32($0)) } ?? .failed
    }
    let code: ExitCode = isInterrupted ? .interrupted : failed > 0 || run.state == .failed ? .failed : .success
    var end: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": FileReporter.milliseconds(run.updated - run.created), "files": ^count, "failed-files": ^failed,
    ]
    end.members += counts.members.members
    write(ReportLine(.suiteEnd, end))
    return code
  }

  /// - Parameters:
  ///   - run: nil: the script could not begin.
  ///   - told: what its reports said, if that is kept.
  private func lines(
    of run: RecordedRun?, index: Int, _ told: ToldLines.File, _ counts: inout ReportCounts,
    _ write: (ReportLine) -> Void
  ) throws -> ExitCode {
    var told = told
    var heading: JSONObject = ["file": .string(run?.name ?? told.end?.file ?? ""), "index": ^index]
    for name in ["repetition", "attempt"] { heading[name] = told.heading?[name] }
    func line(_ kind: ReportLine.Kind, _ members: JSONObject) -> ReportLine {
      var object = heading
      object.members += members.members
      return ReportLine(kind, concealment.conceal(object))
    }
    let started = run.map { CivilTime($0.created).rfc3339Milliseconds }
    write(told.heading ?? line(.file, started.map { ["started": .string($0)] } ?? [:]))
    for problem in told.problems { write(problem) }
    var own = ReportCounts()
    func tell(_ line: ReportLine) {
      own.count(line)
      write(line)
    }
    if let run {
      var names = StepNames()
      var sources: [String: (text: SourceText, flows: ValueFlows)] = [:]
      for text in try store.setup(of: run).texts {
        let source = SourceText(name: text.name, text: text.text)
        sources[text.name] = (source, ValueFlows(source))
      }
      let steps = try store.steps(of: run)
      concealment.secrets.learn(RecordedStep.cookieSecrets(in: steps))
      for (number, step) in steps.enumerated() {
        // Of a step that repeats, its last round.
        let isLast = number + 1 == steps.count || steps[number + 1].position != step.position
        guard isLast else { continue }
        let shown = PresignedText.dropped(from: step.showingMarkers)
        let source = shown.source.flatMap { sources[$0] }
        let name = names.name(of: shown.named, in: source?.text)
        var made =
          told.take(name)
          ?? line(.step, Self.members(of: shown, name: name, since: run.created, in: source?.text, of: run.name))
        made.details = concealment.conceal(StepDetails.members(of: shown))
        let flows = shown.offset.flatMap { source?.flows.flows(at: $0, profile: step.request.profile) } ?? []
        if !flows.isEmpty { made.details["flows"] = .array(flows.map(\.json)) }
        if step.position.indices.count > 1 { made.details["lane"] = .string("\(step.position)") }
        made.record = step
        tell(made)
      }
    }
    // What failed before there was a request is in no record.
    for line in told.steps { tell(line) }
    counts.add(own)
    if var end = told.end {
      if let run { end.details = comparison.members(of: run) ?? JSONObject() }
      write(end)
      return end["exit-code"]?.int.flatMap { ExitCode(rawValue: Int32($0)) } ?? .failed
    }
    guard let run else { return .failed }
    let code = Self.code(of: run)
    if code != .success, own.failures == 0 {
      let message = code == .interrupted ? "interrupted" : SecretMarkers.display(run.failure ?? "it failed")
      write(line(.problem, ["severity": "error", "message": .string(message), "report": .string(message)]))
    }
    var end: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": FileReporter.milliseconds(run.updated - run.created),
    ]
    end.members += own.members.members
    end["run"] = .string(run.id)
    if run.isResumable { end["continue"] = .string("workbench resume \(run.id)") }
    var made = line(.fileEnd, end)
    made.details = comparison.members(of: run) ?? JSONObject()
    write(made)
    return code
  }

  private static func code(of run: RecordedRun) -> ExitCode {
    switch run.state {
    case .done: .success
    case .failed, .abandoned: run.failure == "interrupted" ? .interrupted : .failed
    case .open: .interrupted
    }
  }

  private static func members(
    of step: RecordedStep, name: String, since began: Duration, in source: SourceText?, of file: String
  ) -> JSONObject {
    var object: JSONObject = ["name": .string(name)]
    if let source, let offset = step.offset, offset <= source.range.upperBound {
      let location = source.location(of: offset)
      object["line"] = ^location.line
      object["column"] = ^location.column
      if source.name != file { object["source"] = .string(source.name) }
    }
    let isSkipped = step.state == .skipped
    let isPassed = step.state == .answered
    object["ok"] = .bool(isPassed || isSkipped)
    object["number"] = step.number.map { ^$0 }
    object["label"] = step.label.map(JSON.string)
    if isSkipped {
      object["skipped"] = .string(step.failure ?? "")
      return object
    }
    let response = step.response
    object["method"] = .string(response?.sent.method ?? step.request.method)
    object["url"] = .string(response?.sent.url ?? step.request.url)
    object["profile"] = .string(step.request.profile)
    if let response {
      object["status"] = ^response.status
      object["protocol"] = .string(response.version)
      object["time"] = FileReporter.milliseconds(response.timings.total)
      object["size"] = ^response.receivedSize
      object["type"] = response.headers.first { $0.isNamed("content-type") }.map { .string($0.value) }
      if !response.failedAttempts.isEmpty {
        object["failed-attempts"] = .array(response.failedAttempts.map { .string($0.reason) })
      }
      if !response.redirects.isEmpty {
        object["redirects"] = .array(response.redirects.map { .string($0.sent.url) })
      }
      object["signed-in"] = response.token?.json
      object["expectations"] = step.expectations.map { ^$0 }
      if !response.unmet.isEmpty {
        object["unmet"] = .array(
          response.unmet.map {
            ["subject": .string($0.subject), "expected": .string($0.expected), "actual": .string($0.actual)]
          })
      }
    }
    object["rounds"] = step.round.map { ^$0 }
    object["at"] = FileReporter.milliseconds(step.started - began)
    guard !isPassed else { return object }
    if response == nil || response?.unmet.isEmpty == true {
      let words: (String, String) =
        switch step.state {
        case .intended: ("it was about to be sent when the run ended", "interrupted")
        case .sent: ("it was sent, and no response is known", "unknown-outcome")
        case .unknown: (step.failure ?? "no response", "unknown-outcome")
        case .failed, .unmet, .answered, .skipped: (step.failure ?? "it failed", "failed")
        }
      object["error"] = .string(words.0)
      object["cause"] = .string(words.1)
    }
    return object
  }
}

extension RecordedStep {
  /// What its name depends on.
  fileprivate var named: StepNames.Named {
    let label = state == .skipped ? label ?? "step \(position)" : label
    return StepNames.Named(label: label, offset: offset, items: items, number: number, method: request.method)
  }
}
